#!/usr/bin/env bash
# Compares build/rls2 with other programs: installs them under build/peers, runs all on the same rows, writes
# docs/PERFORMANCE-peers.md and build/peers/results.json. A peer that cannot be installed is left out, and the table says so.
set -euo pipefail
cd "$(dirname "$0")/.."
folder=build/peers
mkdir -p "$folder"

# One environment for each peer: what they require contradicts each other. A finished one is kept.
install_python() { # NAME PACKAGE...
    local name=$1 env=$folder/env-$1
    shift
    if [ -e "$env/ready" ]; then return; fi
    echo "installing ${*%%[<>=]*}"
    rm -rf "$env"
    if python3 -m venv "$env" && "$env/bin/pip" install -q --disable-pip-version-check "$@" >"$folder/$name.log" 2>&1; then
        touch "$env/ready"
    else
        echo "  not possible: see $folder/$name.log"
    fi
}

install_glmnet() {
    local as_root=()
    if Rscript -e 'library(glmnet)' >/dev/null 2>&1; then return; fi
    if ! command -v apt-get >/dev/null; then return; fi
    if [ "$(id -u)" -ne 0 ]; then as_root=(sudo -n); fi
    echo "installing glmnet"
    { "${as_root[@]}" apt-get -qq update; "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive \
        apt-get -qq install -y --no-install-recommends r-base-core r-cran-glmnet; } >"$folder/glmnet.log" 2>&1 ||
        echo "  not possible: see $folder/glmnet.log"
}

install_python sklearn scikit-learn # numpy too, which the certificates need
install_python himalaya himalaya packaging # which it imports without asking for it
install_python mklpy MKLpy # brings torch, some gigabytes
install_python adelie adelie
install_python skglm skglm
install_python celer celer 'scikit-learn<1.9' # celer 0.7.4 calls what later ones no longer have
install_glmnet

export OPENBLAS_NUM_THREADS=1 OMP_NUM_THREADS=1 MKL_NUM_THREADS=1 NUMBA_NUM_THREADS=1 PYTHONDONTWRITEBYTECODE=1
python3 bench/peers/data.py data "$folder"
python3 bench/peers/run.py "$folder" docs/PERFORMANCE-peers.md
