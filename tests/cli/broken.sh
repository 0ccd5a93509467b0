#!/usr/bin/env bash
# Every broken input of tests/broken/make.sh ends with its exit code and a sentence that says what
# is wrong: never by a signal, never with a result (but for verify, whose verdict is the result).
set -euo pipefail

command=$1
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
bash "$here/../broken/make.sh" "$command" data "$folder"
cd "$folder"

count=0 wrong=0
while IFS=$'\x1f' read -r -a case; do
    count=$((count + 1))
    expected=${case[0]} text=${case[1]} arguments=("${case[@]:2}")
    status=0
    timeout 120 "$command" "${arguments[@]}" >stdout 2>stderr </dev/null || status=$?
    said=$(cat stderr)
    if [ "${arguments[0]}" = verify ]; then said+=$(cat stdout); : >stdout; fi
    if [ "$status" -ne "$expected" ] || [ -z "$said" ] || [[ $said != *"$text"* ]] ||
        [ -s stdout ]; then
        wrong=$((wrong + 1))
        echo "rls2 ${arguments[*]}"
        echo "  exit $status (expected $expected), message should contain '$text':"
        printf '%s\n' "$said" | sed 's/^/  | /'
        if [ -s stdout ]; then echo "  and printed a result"; fi
    fi
done <cases
echo "$count broken inputs, $wrong answered wrongly"
[ "$count" -ge 150 ] && [ "$wrong" -eq 0 ]
