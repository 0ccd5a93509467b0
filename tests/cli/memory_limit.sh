#!/usr/bin/env bash
# Under any limit of address space (ulimit -v) the command ends, and by itself: with its result,
# or saying that there is too little memory. OpenBLAS waits for memory for ever, in threads of its
# own before main and in every caller after.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
source tests/support/script.sh
seconds=60 # only a command that never ends takes so long

(ulimit -v 4000000 && "$rls2" --version) >"$tmp/printed" 2>&1 || true
if grep -q Sanitizer "$tmp/printed"; then
    echo "skipped: sanitizers take more address space than any limit here allows"
    exit 77
fi

limited() { # MEGABYTES PROGRAM ARGUMENTS...
    local kilobytes=$(($1 * 1024))
    shift
    (ulimit -v "$kilobytes" && exec "$@")
}

# The dynamic linker has words of its own for libraries that do not fit.
too_little='out of memory|[Cc]annot allocate|failed to map segment|cannot create shared object'
too_little+='|cannot apply additional'

# Ends with 0 or, where it says why, with another status of its own. Prints the status.
judge() { # MEGABYTES STATUS WHAT
    # a library that is set up before main, and crashes where it cannot be
    if grep -q 'Error in GnuTLS initialization' "$tmp/printed"; then return 0; fi
    [ "$2" -ne 137 ] || fail "$3 under $1 MB never ends"
    [ "$2" -lt 128 ] || fail "$3 under $1 MB ended by signal $(($2 - 128)): $(cat "$tmp/printed")"
    [ "$2" -eq 0 ] || grep -qE "$too_little" "$tmp/printed" ||
        fail "$3 under $1 MB ended with $2 and does not speak of memory: $(cat "$tmp/printed")"
}

try() { # MEGABYTES ARGUMENTS...
    local code=0 size=$1
    shift
    limited "$size" timeout -s KILL "$seconds" "$rls2" "$@" >"$tmp/printed" 2>&1 || code=$?
    judge "$size" "$code" "rls2 $*"
    if [ "$code" -eq 0 ]; then worked[$1]="${worked[$1]:-} $size"; fi
}

# The page is stopped as soon as it has said where it is.
try_page() { # MEGABYTES
    local code=0 line='' server
    mkfifo "$tmp/pipe.$1"
    (ulimit -v $(($1 * 1024)) && exec "$rls2" gui --no-browser --folder "$tmp/page.$1") \
        >"$tmp/pipe.$1" 2>"$tmp/printed" &
    server=$!
    { read -r -t "$seconds" line || true; } <"$tmp/pipe.$1"
    if [ -n "$line" ]; then
        pages+=" $1"
        kill -TERM "$server"
    fi
    timeout "$seconds" tail -s 0.05 --pid="$server" -f /dev/null || kill -KILL "$server"
    wait "$server" || code=$?
    judge "$1" "$code" "rls2 gui"
}

declare -A worked=()
pages=''
model=$tmp/model.rls2
fit=(data/prostate.csv --target lpsa --kernels 'linear@each; rbf(1)@all' --lambdas 1e-2:1:3)
"$rls2" train "${fit[@]}" --lambda 0.1 -o "$model" >/dev/null 2>&1
has_page=yes
if [[ $("$rls2" gui --no-browser --port 70000 2>&1 || true) == *'no page'* ]]; then has_page=no; fi

for size in 40 52 56 60 70 100 150 190 200 240 330 450 600; do
    for about in --version --help; do try "$size" "$about"; done
    try "$size" show "$model"
    try "$size" predict "$model" data/prostate.csv
    try "$size" train "${fit[@]}" -o "$tmp/again.rls2"
    try "$size" cv "${fit[@]}" --folds 3
    if [ "$has_page" = yes ]; then try_page "$size"; fi
done

# Bounds are those of a machine of few processors, with room to spare: libraries alone take about
# 55 MB.
for what in --version show predict; do
    [[ ${worked[$what]:-} == *' 100 '* ]] ||
        fail "$what needs no BLAS and does not work within 100 MB:${worked[$what]:- never}"
done
for what in train cv; do
    [[ ${worked[$what]:-} == *' 330 '* ]] ||
        fail "$what does not work within 330 MB, on one thread:${worked[$what]:- never}"
done

[ "$has_page" = no ] || [[ $pages == *' 330 '* ]] ||
    fail "the page does not start within 330 MB:${pages:- never}"

# An environment that has no place for a setting, and one that has another setting already.
for environment in '' OPENBLAS_NUM_THREADS=64; do
    code=0
    # shellcheck disable=SC2086 # nothing, or one word
    limited 300 env -i $environment timeout -s KILL "$seconds" "$rls2" --version \
        >"$tmp/printed" 2>&1 || code=$?
    [ "$code" -eq 0 ] || fail "--version with the environment '$environment': $(cat "$tmp/printed")"
done
first() { read -r size _ <<<"$1"; echo "${size:-nothing}"; }
echo "ok: show from $(first "${worked[show]}") MB, train from $(first "${worked[train]}")," \
    "cv from $(first "${worked[cv]}"), the page from $(first "$pages")"
