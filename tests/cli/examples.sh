#!/usr/bin/env bash
# Every example that the help prints runs as printed, in the order of the commands, in one folder
# with data/.
set -euo pipefail
rls2=$(cd "$(dirname "$1")" && pwd)/$(basename "$1")
root=$(pwd)
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT

fail() { echo "FAILED: $*"; exit 1; }

# the command under its name, the data, and what the examples take for granted
mkdir "$tmp/bin" "$tmp/here"
ln -s "$rls2" "$tmp/bin/rls2"
PATH=$tmp/bin:$PATH
cd "$tmp/here"
ln -s "$root/data" data
head -n 20 data/housing.csv | gzip >new.csv.gz

# Lines that begin with '$', and those that continue them.
examples() { # PAGE
    rls2 help "$1" | awk '
        /^ *\$ / { if (line != "") print line; sub(/^ *\$ /, ""); line = $0; more = 0 }
        more { sub(/^ +/, ""); line = line $0; more = 0 }
        line != "" { if (sub(/\\$/, "", line)) more = 1; else { print line; line = "" } }'
}

count=0
for page in train path predict show verify kernels plot demo reproduce dictionary files losses \
    measures tall exit-codes; do
    examples "$page" >"$tmp/lines"
    case $page in
    dictionary | files | losses | measures | tall | exit-codes) ;;
    *) [ -s "$tmp/lines" ] || fail "no example in the help of $page" ;;
    esac
    while IFS= read -r line; do
        case $line in 'rls2 plot '*.json*) command -v gnuplot >/dev/null || continue ;; esac
        count=$((count + 1))
        code=0
        bash -o pipefail -c "$line" >"$tmp/out" 2>"$tmp/err" </dev/null || code=$?
        # a reader that stops early may end rls2 by the signal of the closed pipe
        case $code:$line in
            0:* | 141:*'| head'*) ;;
            *) fail "help $page: '$line' ended with $code: $(cat "$tmp/err")" ;;
        esac
        ! grep -q '^rls2' "$tmp/err" || fail "help $page: '$line' complained: $(cat "$tmp/err")"
    done <"$tmp/lines"
done
[ "$count" -ge 16 ] || fail "only $count examples were found"

# what they promise is there
for file in housing.model prostate.model pima.model housing.json prices.csv new-prices.csv \
    housing-model.json path.json \
    prostate.svg; do
    [ -s "$file" ] || fail "no example has made $file"
done
! command -v gnuplot >/dev/null || [ -s scores.svg ] || fail "no example has made scores.svg"
[ "$(wc -l <prices.csv)" -eq 507 ] && [ "$(wc -l <new-prices.csv)" -eq 20 ] ||
    fail "predictions are missing"
echo "ok, $count examples"
