#!/usr/bin/env bash
# Nothing that lies in the current folder is loaded, under whatever name: people work where others
# put their data.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/../support/script.sh"
command -v ldd >/dev/null || { echo "skipped: there is no ldd"; exit 77; }

count=0
while read -r name _; do
    echo "not a library" >"$tmp/${name##*/}"
    count=$((count + 1))
done < <(ldd "$rls2" | grep -F '=>')
[ "$count" -gt 3 ] || fail "the command is said to need $count libraries only: $(ldd "$rls2")"

cd "$tmp"
prints 'rls2 [0-9]' --version
echo "ok: $count names tried"
