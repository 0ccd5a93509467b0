#!/usr/bin/env bash
# Paths of every loss against other programs: scikit-learn and, where R can be had, glmnet, which it
# installs under build/oracles.
#
#   tools/oracles.sh            objectives of the problems that rls2_bench_oracle writes; exits with
#                               1 where ours is worse by more than its gap and 1e-6
#   tools/oracles.sh speed ...  processor time beside them and skglm, by tools/bench-loss-peers.py
#                               with these options
set -euo pipefail
cd "$(dirname "$0")/.."
folder=build/oracles
limit=600 # seconds for one installation
mkdir -p "$folder"

install_sklearn() {
    if [ -e "$folder/env/ready" ]; then return; fi
    echo "installing scikit-learn"
    rm -rf "$folder/env"
    if python3 -m venv "$folder/env" >"$folder/env.log" 2>&1 &&
        timeout "$limit" "$folder/env/bin/pip" install -q --disable-pip-version-check \
            scikit-learn >>"$folder/env.log" 2>&1; then
        touch "$folder/env/ready"
    else
        echo "  scikit-learn: not possible, see $folder/env.log" >&2
        exit 1
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

install_skglm() {
    if "$folder/env/bin/python" -c 'import skglm' 2>/dev/null; then return; fi
    echo "installing skglm"
    timeout "$limit" "$folder/env/bin/pip" install -q --disable-pip-version-check skglm \
        >"$folder/skglm.log" 2>&1 || echo "  skglm: not possible, see $folder/skglm.log"
}

install_sklearn
install_glmnet
if [ "${1:-}" = speed ]; then
    shift
    install_skglm
    mkdir -p build/loss-peers
    OPENBLAS_NUM_THREADS=1 build/rls2_bench_loss_peers build/loss-peers >build/loss-peers/ours.txt
    exec "$folder/env/bin/python" tools/bench-loss-peers.py build/loss-peers "$@"
fi
build/rls2_bench_oracle "$folder/problems.json"
exec "$folder/env/bin/python" tools/oracles.py "$folder/problems.json"
