#!/usr/bin/env bash
# Linear RLS2 beside glmnet on the same sequence of solutions: 500 rows, 100,000 columns, dense and
# sparse. Tables on standard output, JSON in build/bench/linear/SHAPE/results.json. ROUNDS (3):
# repetitions, of which the fastest counts.
set -euo pipefail
cd "$(dirname "$0")/.."
folder=build/bench/linear
rounds=${ROUNDS:-3}
columns=${COLUMNS_OF_DATA:-100000}
# From glmnet's default to where its certified gap comes near that of rls2's default; the last ones
# take minutes.
thresholds=${THRESHOLDS:-1e-7 1e-11 1e-15}

if ! Rscript -e 'library(glmnet)' >/dev/null 2>&1; then
    as_root=()
    if [ "$(id -u)" -ne 0 ]; then as_root=(sudo -n); fi
    echo "installing glmnet"
    mkdir -p "$folder"
    "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -qq install -y \
        --no-install-recommends \
        r-base-core r-cran-glmnet r-cran-matrix >"$folder/glmnet.log" 2>&1 || {
        echo "glmnet is not there and could not be installed: see $folder/glmnet.log" >&2
        exit 1
    }
fi

export OPENBLAS_NUM_THREADS=1 OMP_NUM_THREADS=1
Rscript -e 'cat("glmnet", format(packageVersion("glmnet")), "with", R.version.string, "\n")'
for shape in ${SHAPES:-dense sparse}; do
    mkdir -p "$folder/$shape"
    rm -f "$folder/$shape"/*.time "$folder/$shape"/*.coefficients # of an earlier run
    build/rls2_bench_linear path "$folder/$shape" "$shape" 1 "$columns" 500 "$rounds"
    # shellcheck disable=SC2086 # a list
    mapfile -t methods < <(Rscript bench/peers/glmnet_path.R "$folder/$shape" "$rounds" $thresholds)
    echo
    echo "$shape, 500 rows, $columns columns, 100 values of lambda; load of the machine: $(cut \
        -d ' ' -f 1-3 /proc/loadavg)"
    build/rls2_bench_linear compare "$folder/$shape" "${methods[@]}"
    echo
done
