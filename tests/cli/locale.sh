#!/usr/bin/env bash
# Numbers are written and read with a point whatever the language of the user.
set -euo pipefail
rls2=$1
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT

fail() { echo "FAILED: $*"; exit 1; }

# A language with a decimal comma: installed, or compiled for this test.
language=de_DE.UTF-8
if ! locale -a 2>/dev/null | grep -qix 'de_DE\.utf-\?8'; then
    { command -v localedef && localedef -i de_DE -f UTF-8 "$tmp/$language"; } >/dev/null 2>&1 || true
    [ -d "$tmp/$language" ] || { echo "skipped: there is no $language"; exit 77; }
    export LOCPATH=$tmp
fi
[ "$(LC_ALL=$language printf '%.1f' 0,5 2>/dev/null)" = 0,5 ] || { echo "skipped: $language has no decimal comma"; exit 77; }

run() { # FOLDER: every command, its results and remarks
    mkdir "$1"
    (
        set -e
        "$rls2" train data/servo.csv -t rise_time --lambda 0.015 -o "$1/model"
        "$rls2" train data/heart.csv -t class --lambda 1.5e-1 --standardize --gap-tol 1e-5 -o "$1/heart.model"
        "$rls2" path data/prostate.csv -t lpsa --drop train --standardize --lambdas 0.5,0.25 -k 'rbf(0.125:0.5:3)@each'
        "$rls2" path data/prostate.csv -t lpsa --drop train --standardize --lambdas 0.01:1.5:3 --json -o "$1/path.json"
        "$rls2" predict "$1/model" data/servo.csv --std --contributions
        "$rls2" predict "$1/heart.model" data/heart.csv --json
        "$rls2" verify "$1/model" data/servo.csv
        "$rls2" verify "$1/heart.model" data/heart.csv --json
        "$rls2" show "$1/model"
        "$rls2" show "$1/heart.model" --json
        "$rls2" kernels data/servo.csv -t rise_time -k 'rbf(0.5|1.5)'
        "$rls2" plot "$1/path.json" -o "$1/path.svg"
        "$rls2" plot "$1/model"
        "$rls2" demo
    ) >"$1/out" 2>"$1/err" || fail "$1: $(cat "$1/err")"
    # seconds differ from run to run, the folders' names too
    sed -i "s|$1|FOLDER|g; /\"seconds\"/d" "$1/out" "$1/err" "$1/path.json"
}
LC_ALL=C run "$tmp/C"
LC_ALL=$language run "$tmp/de"
for file in model heart.model path.json path.svg out err; do
    cmp "$tmp/C/$file" "$tmp/de/$file" || { diff "$tmp/C/$file" "$tmp/de/$file" | head -5; fail "$file depends on the language"; }
done
code=0
LC_ALL=$language "$rls2" train data/servo.csv -t rise_time --lambda 0,5 2>"$tmp/err" || code=$?
[ "$code" -eq 2 ] || fail "a decimal comma was taken"
echo "ok"
