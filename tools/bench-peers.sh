#!/usr/bin/env bash
# Compares build/rls2 with other programs: installs them under build/peers, runs all on the same
# rows, writes build/peers/results.json and the section 'Beside other programs' of
# docs/PERFORMANCE.md. A peer that cannot be installed is left out, and the section says so.
#
#   tools/bench-peers.sh [--quick] [--splits N] [--limit SECONDS] [--fresh]
#
# What is finished is kept: stopped at any moment, the same command goes on from there. --quick: one
# split, printed and not written into the document; --fresh: measure anew what is kept (what is
# installed stays); --limit: seconds for one method on one split.
set -euo pipefail
cd "$(dirname "$0")/.."
folder=build/peers
install_limit=400 # seconds for one peer
mkdir -p "$folder"

# One environment for each peer: what they require contradicts each other. A finished one is kept.
install_python() { # NAME PACKAGE...
    local name=$1 env=$folder/env-$1 log=$folder/$1.log
    shift
    if [ -e "$env/ready" ]; then return; fi
    echo "installing ${*%%[<>=]*}"
    rm -rf "$env"
    if python3 -m venv "$env" >"$log" 2>&1 &&
        timeout "$install_limit" "$env/bin/pip" install -q --disable-pip-version-check "$@" \
            >>"$log" 2>&1; then
        touch "$env/ready"
    else
        echo "  $name: not possible, see $log"
    fi
}

install_glmnet() {
    local as_root=()
    if Rscript -e 'library(glmnet)' >/dev/null 2>&1; then return; fi
    if ! command -v apt-get >/dev/null; then return; fi
    if [ "$(id -u)" -ne 0 ]; then as_root=(sudo -n); fi
    echo "installing glmnet"
    { "${as_root[@]}" apt-get -qq update && "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive \
        apt-get -qq install -y --no-install-recommends r-base-core r-cran-glmnet; } \
        >"$folder/glmnet.log" 2>&1 ||
        echo "  glmnet: not possible, see $folder/glmnet.log"
}

# Two at a time: one waits for the network while the other unpacks.
{
    install_python mklpy MKLpy # brings torch, some gigabytes
    install_glmnet
} &
install_python sklearn scikit-learn # numpy too, which the certificates need
install_python himalaya himalaya packaging # which it imports without asking for it
install_python adelie adelie
install_python skglm skglm
install_python celer celer 'scikit-learn<1.9' # celer 0.7.4 calls what later ones no longer have
wait

exec python3 bench/peers/run.py "$folder" docs/PERFORMANCE.md "$@"
