#!/usr/bin/env bash
# The library shows the functions that its headers declare, all of them and nothing else; the
# command shows nothing.
set -euo pipefail
if [ "$#" -ne 2 ]; then echo "usage: ${0##*/} COMMAND LIBRARY" >&2; exit 2; fi
check=$(dirname "${BASH_SOURCE[0]}")/../../tools/check-binaries.sh
mapfile -t declared < <("$check" declared "$(dirname "$check")/../include/rls2")
[ "${#declared[@]}" -gt 100 ] ||
    { echo "only ${#declared[@]} functions were found in the headers"; exit 1; }
"$check" exports "$2" "${declared[@]}"
"$check" exports "$1"
echo "${#declared[@]} functions"
