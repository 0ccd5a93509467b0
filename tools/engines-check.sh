#!/usr/bin/env bash
# The package and the command on real engines: Arrow's producers, a dask cluster of two processes,
# Spark with two executors, joblib's backends, Open MPI and MPICH, Slurm on the loopback, and every
# example of docs/scale.md. Engines are installed, in their newest versions, in an environment of
# their own, build/engines-venv; Spark needs Java.
#
# RLS2_SPARK_MASTER names another Spark master: local[2,4] is one process, for machines on which
# local-cluster[2,1,1024], two executors of their own, cannot be had. JOBS: compilers at a time.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

env=build/engines-venv
engines=(pyarrow pandas polars duckdb 'dask[dataframe,array]' distributed pyspark joblibspark ray)
export PIP_DISABLE_PIP_VERSION_CHECK=1

# Made anew where the interpreter or the list has changed.
make_env() {
    local python wanted stamp=$env/engines.txt
    python=$(tools/python.sh find)
    wanted=$("$python" --version; echo "$python" "${engines[@]}")
    if [ -f "$stamp" ] && [ "$wanted" = "$(cat "$stamp")" ]; then return; fi
    echo "making $env for $("$python" --version)"
    rm -rf "$env"
    mkdir -p build
    "$python" -m venv "$env"
    "$env/bin/python" -m pip install --quiet pytest matplotlib scikit-build-core ninja \
        scikit-learn psutil "${engines[@]}"
    echo "$wanted" >"$stamp"
}

versions() {
    "$env/bin/python" - <<'SHOW'
from importlib.metadata import version
names = ("pyarrow", "polars", "duckdb", "dask", "distributed", "pyspark", "joblib", "ray")
print(", ".join(f"{name} {version(name)}" for name in names))
SHOW
}

# build/mpi-openmpi/rls2 and build/mpi-mpich/rls2, as far as these are there. Their processes must
# know of each other: a command with one MPI cannot be started by the mpirun of another.
make_mpi() { # NAME
    if ! command -v "mpicc.$1" >/dev/null; then
        echo "no mpicc.$1: it is not tried"
        return
    fi
    echo "building rls2 with $1"
    cmake -S . -B "build/mpi-$1" -G Ninja -DCMAKE_BUILD_TYPE=Release -DRLS2_MPI=ON \
        -DRLS2_BENCH=OFF -DMPI_C_COMPILER="mpicc.$1" >/dev/null
    cmake --build "build/mpi-$1" -j "${JOBS:-2}" --target rls2_command >/dev/null
}

make_env
versions
if ! command -v java >/dev/null; then
    echo "${0##*/}: no java, which Spark needs (Debian: default-jre-headless)" >&2
    exit 1
fi
make_mpi openmpi
make_mpi mpich
"$env/bin/python" -m pip install --quiet --no-deps --no-build-isolation .
RLS2_ENGINES=1 RLS2_COMMAND=$PWD/build/rls2 "$env/bin/python" -P -m pytest -q -rs \
    python/tests/test_engines.py python/tests/test_scale.py python/tests/test_arrow.py \
    python/tests/test_profile.py "$@"
