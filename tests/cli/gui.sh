#!/usr/bin/env bash
# rls2 gui from the outside: what it says where it cannot serve. Where it can, gui/tests look at the
# rest.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
source tests/support/script.sh

# options are checked in either build
refuses 'extra' gui extra
refuses '--port' gui --port x

code=0
"$rls2" gui --no-browser --port 70000 --folder "$tmp/there" >"$tmp/out" 2>"$tmp/err" || code=$?
[ ! -s "$tmp/out" ] || fail "it printed an address: $(cat "$tmp/out")"
[ ! -e "$tmp/there" ] || fail "it made its folder all the same"
if grep -q 'no page' "$tmp/err"; then
    [ "$code" -eq 1 ] || fail "without a page it ended with $code"
    grep -q "'make gui'" "$tmp/err" || fail "it does not say how to get the page: $(cat "$tmp/err")"
else
    [ "$code" -eq 2 ] || fail "--port 70000 ended with $code"
    grep -q -- '--port' "$tmp/err" || fail "it does not name the option: $(cat "$tmp/err")"
fi
echo "ok"
