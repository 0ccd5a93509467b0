#!/usr/bin/env bash
# A Slurm of this machine alone, on its loopback: to try scripts for a cluster without one.
#
#   tools/slurm-here.sh COMMAND ...
#
# starts munged, slurmctld and slurmd (Debian: munge slurmctld slurmd slurm-client) as this user, in
# a folder of their own, runs the command with SLURM_CONF set, ends them and hands on its status. A
# Slurm that this machine may have is not touched. Exit status 77: there is no Slurm, or it does not
# start.
set -euo pipefail

for tool in munged slurmctld slurmd sbatch; do
    PATH=$PATH:/usr/sbin command -v "$tool" >/dev/null || {
        echo "${0##*/}: no $tool (Debian: munge slurmctld slurmd slurm-client)" >&2
        exit 77
    }
done
PATH=$PATH:/usr/sbin

home=$(mktemp -d)
daemons=()

stop() {
    local pid
    for pid in ${daemons[@]+"${daemons[@]}"}; do kill "$pid" 2>/dev/null || true; done
    wait 2>/dev/null || true
    rm -rf "$home"
}
trap stop EXIT

free_port() {
    python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0))
print(s.getsockname()[1])'
}

configure() {
    local user host
    user=$(id -un)
    host=$(hostname -s)
    mkdir "$home/state" "$home/spool"
    chmod 755 "$home"
    head -c 1024 /dev/urandom >"$home/key"
    chmod 600 "$home/key"
    cat >"$home/slurm.conf" <<CONF
ClusterName=here
SlurmctldHost=$host(127.0.0.1)
SlurmctldPort=$(free_port)
SlurmdPort=$(free_port)
SlurmUser=$user
SlurmdUser=$user
AuthType=auth/munge
AuthInfo=socket=$home/munge.socket
StateSaveLocation=$home/state
SlurmdSpoolDir=$home/spool
SlurmctldPidFile=$home/slurmctld.pid
SlurmdPidFile=$home/slurmd.pid
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
MpiDefault=none
ReturnToService=2
SlurmctldParameters=cloud_dns
SchedulerParameters=sched_interval=1,sched_min_interval=0
NodeName=$host NodeAddr=127.0.0.1 CPUs=$(nproc) State=UNKNOWN
PartitionName=all Nodes=$host Default=YES MaxTime=INFINITE State=UP
CONF
}

begin() { # COMMAND ...
    "$@" >>"$home/log" 2>&1 &
    daemons+=($!)
}

# Until a job can be had, for half a minute at most.
wait_for_node() {
    for _ in $(seq 60); do
        if sinfo -h -o %T 2>/dev/null | grep -qx idle; then return; fi
        sleep 0.5
    done
    echo "${0##*/}: Slurm does not start:" >&2
    tail -n 20 "$home/log" >&2
    exit 77
}

configure
export SLURM_CONF=$home/slurm.conf
begin munged --foreground --force --key-file="$home/key" --socket="$home/munge.socket" \
    --pid-file="$home/munged.pid" --log-file="$home/munged.log" --seed-file="$home/munged.seed"
for _ in $(seq 20); do
    [ -S "$home/munge.socket" ] && break
    sleep 0.1
done
begin slurmctld -D
begin slurmd -D
wait_for_node
"$@"
