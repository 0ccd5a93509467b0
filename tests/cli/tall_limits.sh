#!/usr/bin/env bash
# Tables in pieces where something gives out: memory does not grow with the rows (ulimit -v), and
# `stats`, `merge` and `train` that are killed, ended or run out of room at any moment leave the old
# file or a whole new one, and nothing beside it that the next command would not take away.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
source tests/support/script.sh

(ulimit -v 4000000 && "$rls2" --version) >"$tmp/printed" 2>&1 || true
if grep -q Sanitizer "$tmp/printed"; then
    echo "skipped: sanitizers take more address space than any limit here allows"
    exit 77
fi

# ROWS: a text column of few values, numbers of many, a target.
table() {
    awk -v rows="$1" 'BEGIN {
        print "a,b,c,y"
        for (i = 0; i < rows; i++) {
            x = (i * 7919) % 1000003; z = (i * 104729) % 999983
            printf "%.4f,%.3f,%s,%.3f\n", x / 997, z / 101, i % 3 ? "u" : "v", (x - z) / 5e5
        }
    }'
}
# ROWS: an array of bytes, four columns.
array() {
    local header
    header=$(printf "{'descr': '|u1', 'fortran_order': %s, 'shape': (%d, 4), }" "$2" "$1")
    printf '\223NUMPY\1\0\166\0%-117s\n' "$header"
    yes 'some bytes that stand for numbers, as many as are asked for' | head -c $((4 * $1)) || true
}
least() { # ARGUMENTS...: the least of some limits, in MB, under which it works
    local size
    for size in 150 200 250 300 350 400 500; do
        if (ulimit -v $((size * 1024)) && "$rls2" "$@" --threads 1) >"$tmp/printed" 2>&1; then
            echo "$size"
            return
        fi
    done
    echo "none: $(cat "$tmp/printed")"
}

# ---- memory ----

fit=(-t y -k 'spline@each' --lambda 0.1)
table 20000 >"$tmp/small.csv"
table 1000000 >"$tmp/large.csv"
array 5000 False >"$tmp/small.npy"
array 12000000 False >"$tmp/rows.npy"
array 12000000 True >"$tmp/columns.npy"
bound=$(least stats "$tmp/small.csv" "${fit[@]:0:4}" -o "$tmp/small.stats")
[[ $bound != none* ]] || fail "stats of 20,000 rows: $bound"
more=$((bound + 60)) # of buffers and samples; the file alone is 26 MB, as a table three times that
within() { # FILE ARGUMENTS...
    (ulimit -v $((more * 1024)) && "$rls2" "$@" --threads 1) >"$tmp/printed" 2>&1 ||
        fail "$* does not work within $more MB: $(cat "$tmp/printed")"
}
within stats "$tmp/large.csv" "${fit[@]:0:4}" -o "$tmp/large.stats"
within train "$tmp/large.csv" "${fit[@]}" --method tall --memory 20M -o "$tmp/large.rls2"
for order in rows columns; do # 48 MB, as numbers 384
    within stats "$tmp/$order.npy" -t x4 -k 'spline@each' -o "$tmp/$order.stats"
done

# ---- files ----

"$rls2" stats "$tmp/small.csv" "${fit[@]:0:4}" -o "$tmp/b.stats" >/dev/null 2>&1
"$rls2" merge "$tmp/small.stats" "$tmp/b.stats" -o "$tmp/both.stats" >/dev/null 2>&1
"$rls2" train "$tmp/small.csv" "${fit[@]}" --tall -o "$tmp/small.rls2" >/dev/null 2>&1
mkdir "$tmp/out"
# What is to be written, in place of this shell, and a whole one of it.
write() { # WHAT
    case $1 in
    stats) exec "$rls2" stats "$tmp/small.csv" "${fit[@]:0:4}" -o "$tmp/out/stats" ;;
    merge) exec "$rls2" merge "$tmp/small.stats" "$tmp/b.stats" -o "$tmp/out/merge" ;;
    train) exec "$rls2" train "$tmp/small.csv" "${fit[@]}" --tall -o "$tmp/out/train" ;;
    esac
}
declare -A whole=([stats]="$tmp/small.stats" [merge]="$tmp/both.stats" [train]="$tmp/small.rls2")
old="what was there before"
check() { # WHAT HOW: the old file or the new one
    local file=$tmp/out/$1
    [ "$(tr -d '\0' <"$file")" = "$old" ] || cmp -s "$file" "${whole[$1]}" ||
        fail "$1 $2 left a file that is neither the old nor the new one"
}
alone() { # WHAT HOW
    [ "$(ls -A "$tmp/out")" = "$1" ] || fail "$1 $2 left $(ls -A "$tmp/out" | tr '\n' ' ')"
}

for what in stats merge train; do
    for signal in TERM INT KILL; do
        for wait in 0.01 0.05 0.1 0.2 0.3; do
            rm -rf "$tmp/out" && mkdir "$tmp/out"
            printf '%s' "$old" >"$tmp/out/$what"
            write "$what" >/dev/null 2>&1 &
            sleep "$wait"
            kill -s "$signal" $! 2>/dev/null || true
            wait $! 2>/dev/null || true
            check "$what" "after SIG$signal"
            if [ "$signal" = KILL ]; then (write "$what") >/dev/null 2>&1; fi
            alone "$what" "after SIG$signal"
        done
    done
    for blocks in 0 1 8; do # of 1,024 bytes
        rm -rf "$tmp/out" && mkdir "$tmp/out"
        printf '%s' "$old" >"$tmp/out/$what"
        code=0
        (ulimit -f "$blocks" && write "$what") >"$tmp/printed" 2>&1 || code=$?
        [ "$code" -eq 1 ] || cmp -s "$tmp/out/$what" "${whole[$what]}" ||
            fail "$what without room ended with $code"
        check "$what" "without room"
        alone "$what" "without room"
    done
done
echo "ok: stats from $bound MB, and the same with fifty times the rows"
