#!/usr/bin/env bash
# Work that must not grow, counted and not timed: factorisations, kernels priced, instructions of
# making the basis and of the path, each against its line of bounds.txt.
#
#   run.sh PROGRAM             compares; fails where a count is above its bound
#   run.sh PROGRAM --measure   prints bounds.txt anew: the counts of today and an allowance of 5 %
#
# Instructions are counted by callgrind. OpenBLAS is told to use its AVX2 kernels, so that the count
# depends on the code alone; without AVX2 or without valgrind only the other counts are compared,
# and the test says so.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
program=$1 mode=${2:-}
bounds=tests/guard/bounds.txt
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
export OPENBLAS_NUM_THREADS=1 OMP_NUM_THREADS=1

can_count_instructions() {
    command -v valgrind >/dev/null && grep -qsw avx2 /proc/cpuinfo && grep -qsw fma /proc/cpuinfo
}

# One run for both: callgrind writes what it counted so far before the path is fitted, and the rest
# at the end.
instructions() { # CASE
    rm -f "$tmp"/out*
    OPENBLAS_CORETYPE=Haswell valgrind --tool=callgrind --callgrind-out-file="$tmp/out" \
        --collect-atstart=no \
        --toggle-collect=rls2_basis_create --toggle-collect=rls2_path_fit --dump-before=fit_path \
        "$program" "$1" >"$tmp/log" 2>&1 || { cat "$tmp/log" >&2; return 1; }
    echo "$1 basis-instructions $(sed -n 's/^totals: //p' "$tmp/out.1")"
    echo "$1 path-instructions $(sed -n 's/^totals: //p' "$tmp/out")"
}

# Lines "CASE MEASURE COUNT".
counts() {
    local case
    for case in paper narrow linear; do
        if can_count_instructions; then
            OPENBLAS_CORETYPE=Haswell "$program" "$case" | sed "s/^/$case /"
            instructions "$case"
        else
            "$program" "$case" | sed "s/^/$case /"
        fi
    done
}

counts >"$tmp/counts"
made_with=$("$program" --made-with)
if [ "$mode" = --measure ]; then
    printf '%s' "# Bounds of tests/guard/run.sh, made by 'run.sh PROGRAM --measure'. "
    echo "Raise one only with a reason."
    echo "# made with $made_with"
    awk '{ print $1, $2, int($3 * 1.05 + 1) }' "$tmp/counts"
    exit
fi
can_count_instructions ||
    echo "no valgrind, or a processor without AVX2: instructions are not counted"
allowance=1
if ! grep -qxF "# made with $made_with" "$bounds"; then
    allowance=1.3
    echo "made with $made_with, the bounds were not: a count may be $allowance times its bound"
fi
awk -v allowance="$allowance" 'NR == FNR { if ($1 != "#") bound[$1 " " $2] = $3; next }
    {
        key = $1 " " $2
        printf "%-28s %14d  bound %14d\n", key, $3, bound[key]
        if ($3 !~ /^[0-9]+$/ || !(key in bound) || $3 > allowance * bound[key]) {
            print "FAILED: " key; bad = 1
        } else if ($3 < 0.85 * bound[key] - 1)
            print "  less than the bound by more than 15 %: it can be lowered"
        seen++
    }
    END { exit bad || !seen }' "$bounds" "$tmp/counts"
