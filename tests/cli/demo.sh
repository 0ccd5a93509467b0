#!/usr/bin/env bash
# rls2 demo from the outside: output, picture, exit codes, messages.
set -euo pipefail
rls2=$1
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT

fail() { echo "FAILED: $*"; exit 1; }

expect_code() { # CODE TEXT-ON-STDERR ARGUMENTS...
    local wanted=$1 text=$2 code=0
    shift 2
    "$rls2" "$@" >"$tmp/out" 2>"$tmp/err" || code=$?
    [ "$code" -eq "$wanted" ] || fail "rls2 $* ended with $code, not $wanted: $(cat "$tmp/err")"
    [ -z "$text" ] || grep -qF -- "$text" "$tmp/err" ||
        fail "rls2 $* did not say '$text': $(cat "$tmp/err")"
}

"$rls2" demo -o "$tmp/picture.svg" >"$tmp/out"
grep -q '^11 of 11 lines agree to every printed digit' "$tmp/out" ||
    fail "the table differs: $(cat "$tmp/out")"
grep -qE '^ *relative gap +(below 1e-12|[0-9.]+e-(0[7-9]|1[01])) +certified$' "$tmp/out" ||
    fail "no certificate"
for line in 'intercept *2.452 *2.452' 'lcavol *0.544 *0.544' 'lweight *0.207 *0.207' \
    'lbph *0.104 *0.104' \
    'svi *0.170 *0.170' 'pgg45 *0.064 *0.064' 'test error *0.454 *0.454' \
    'std error *0.152 *0.152'; do
    grep -qE "^ *$line\$" "$tmp/out" || fail "no line '$line'"
done
[ "$(grep -c '<polyline' "$tmp/picture.svg")" -eq 8 ] || fail "the picture does not have 8 lines"
[ "$(tail -n 1 "$tmp/picture.svg")" = "</svg>" ] || fail "the picture is not whole"
cmp -s "$tmp/picture.svg" docs/prostate.svg ||
    echo "note: docs/prostate.svg differs from what demo draws here"

# data that changed must be noticed, not passed over
sed '2s/^-0.579818495/3.579818495/' data/prostate.csv >"$tmp/prostate.csv"
expect_code 1 '' demo --data "$tmp"
grep -q 'differs$' "$tmp/out" || fail "a changed value went unnoticed"

sed '3s/,T$/,X/' data/prostate.csv >"$tmp/prostate.csv"
expect_code 1 "must hold T or F" demo --data "$tmp"

expect_code 1 'prostate.csv' demo --data "$tmp/nowhere"
expect_code 1 "$tmp/nowhere/picture.svg" demo -o "$tmp/nowhere/picture.svg"
[ ! -e "$tmp/nowhere" ] || fail "a folder appeared"
expect_code 2 "unknown option '--frob'" demo --frob
expect_code 2 'needs a value' demo -o
expect_code 2 "no command 'dmeo'" dmeo
expect_code 2 "no command 'dmeo'" help dmeo
expect_code 2 'usage: rls2 COMMAND'
expect_code 0 '' help demo
expect_code 0 '' demo --help
expect_code 0 '' --version
grep -qE '^rls2 [0-9]+\.[0-9]+\.[0-9]+$' "$tmp/out" || fail "no version: $(cat "$tmp/out")"
echo "ok"
