#!/usr/bin/env bash
# The Python package on real engines: Arrow's producers, a dask cluster of two processes, Spark with
# two executors, and shards of the command. Engines are installed, in their newest versions, in an
# environment of their own, build/engines-venv; Spark needs Java.
#
# RLS2_SPARK_MASTER names another Spark master: local[2,4] is one process, for machines on which
# local-cluster[2,1,1024], two executors of their own, cannot be had.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

env=build/engines-venv
engines=(pyarrow pandas polars duckdb 'dask[dataframe,array]' distributed pyspark)
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
        scikit-learn "${engines[@]}"
    echo "$wanted" >"$stamp"
}

versions() {
    "$env/bin/python" - <<'SHOW'
from importlib.metadata import version
names = ("pyarrow", "polars", "duckdb", "dask", "distributed", "pyspark")
print(", ".join(f"{name} {version(name)}" for name in names))
SHOW
}

make_env
versions
if ! command -v java >/dev/null; then
    echo "${0##*/}: no java, which Spark needs (Debian: default-jre-headless)" >&2
    exit 1
fi
"$env/bin/python" -m pip install --quiet --no-deps --no-build-isolation .
RLS2_ENGINES=1 RLS2_COMMAND=$PWD/build/rls2 "$env/bin/python" -P -m pytest -q \
    python/tests/test_engines.py python/tests/test_arrow.py python/tests/test_profile.py "$@"
