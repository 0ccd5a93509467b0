#!/usr/bin/env bash
# RLS2_BLAS, the BLAS of the wheel: what is wrong is said in a sentence when CMake is run, and
# src/la computes and sets threads with the prefixed names of scipy-openblas32. The whole library is
# compiled for it by 'make wheel' alone. Exit status 77: the package is not there.
set -euo pipefail
cmake=$1 compiler=$2 python=$3 # of the environment that tools/python.sh makes
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
fail() { echo "$*"; exit 1; }
[ -x "$python" ] || { echo "skipped: no $python (tools/python.sh env)"; exit 77; }

# ---- what is wrong -------------------------------------------------------------------------------

expect() { # SENTENCE CMAKE-ARGUMENT ...
    local sentence=$1
    shift
    rm -rf "$work/build"
    if PYTHONPATH="$work/fake" "$cmake" -B "$work/build" -DCMAKE_C_COMPILER="$compiler" \
        -DPython_EXECUTABLE="$python" "$@" . >"$work/log" 2>&1; then
        fail "CMake is content with $*"
    fi
    tr -s ' \n' ' ' <"$work/log" | grep -qF "$sentence" ||
        { cat "$work/log"; fail "CMake does not say: $sentence"; }
}

fake_package() { # VERSION [CODE]
    rm -rf "$work/fake"
    mkdir -p "$work/fake/scipy_openblas32-$1.dist-info"
    cd "$work/fake"
    cat >scipy_openblas32.py <<PACKAGE
${2:-}
__version__ = "$1"
def get_include_dir(): return "include"
def get_lib_dir(): return "lib"
PACKAGE
    printf 'Metadata-Version: 2.1\nName: scipy-openblas32\nVersion: %s\n' "$1" \
        >"scipy_openblas32-$1.dist-info/METADATA"
    echo "scipy_openblas32-$1.dist-info/LICENSE.txt,," >"scipy_openblas32-$1.dist-info/RECORD"
    cd "$OLDPWD"
}

expect "RLS2_BLAS is 'atlas'; it may be system or scipy-openblas32" -DRLS2_BLAS=atlas
fake_package 9.9 'raise ModuleNotFoundError("it is not here")'
expect "needs the package scipy-openblas32 0.3.30 or later" -DRLS2_BLAS=scipy-openblas32
expect "which says: ModuleNotFoundError: it is not here" -DRLS2_BLAS=scipy-openblas32
fake_package 0.3.29.265
expect "scipy-openblas32 0.3.29.265 of" -DRLS2_BLAS=scipy-openblas32

# ---- src/la with it ------------------------------------------------------------------------------

folders=$("$python" -c '
import scipy_openblas32 as package
print(package.get_include_dir(), package.get_lib_dir(), sep="\n")' 2>/dev/null) ||
    { echo "skipped: no scipy-openblas32 in $python (tools/python.sh env)"; exit 77; }
{ read -r headers; read -r libraries; } <<<"$folders"

compile=("$compiler" -std=c17 -D_GNU_SOURCE -O1 -fopenmp -include src/la/blas_names.h
    -Iinclude -Isrc -Itests -I"$headers")
for source in src/la/*.c src/base/*.c; do
    "${compile[@]}" -c "$source" -o "$work/$(basename "$source").o"
done
for test in test_la_threads test_processor; do
    "${compile[@]}" "tests/unit/$test.c" "$work"/*.o "$libraries/libscipy_openblas.so" \
        "-Wl,-rpath,$libraries" -lcmocka -lm -o "$work/$test"
    "$work/$test"
done
plain=$(nm -u "$work"/*.o | grep -E ' (cblas|LAPACKE|openblas|gotoblas|blas_memory)_' || true)
[ -z "$plain" ] || fail "without the prefix: $plain"
