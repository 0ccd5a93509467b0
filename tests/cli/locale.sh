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
    { command -v localedef && localedef -i de_DE -f UTF-8 "$tmp/$language"; } >/dev/null 2>&1 ||
        true
    [ -d "$tmp/$language" ] || { echo "skipped: there is no $language"; exit 77; }
    export LOCPATH=$tmp
    # glibc never releases what it makes of LOCPATH
    export ASAN_OPTIONS=${ASAN_OPTIONS:+$ASAN_OPTIONS:}detect_leaks=0
fi
[ "$(LC_ALL=$language printf '%.1f' 0,5 2>/dev/null)" = 0,5 ] ||
    { echo "skipped: $language has no decimal comma"; exit 77; }

go() { # ARGUMENTS...
    "$rls2" "$@" >>"$out/out" 2>>"$out/err" || fail "rls2 $*: $(cat "$out/err")"
}

run() { # FOLDER: every command, its results and remarks
    out=$1
    mkdir "$out"
    go train data/servo.csv -t rise_time --lambda 0.015 -o "$out/model"
    go train data/heart.csv -t class --lambda 1.5e-1 --standardize --gap-tol 1e-5 \
        -o "$out/heart.model"
    go path data/prostate.csv -t lpsa --drop train --standardize \
        --lambdas 0.5,0.25 -k 'rbf(0.125:0.5:3)@each'
    go path data/prostate.csv -t lpsa --drop train --standardize --lambdas 0.01:1.5:3 --json \
        -o "$out/path.json"
    go predict "$out/model" data/servo.csv --std --contributions
    go predict "$out/heart.model" data/heart.csv --json
    go verify "$out/model" data/servo.csv
    go verify "$out/heart.model" data/heart.csv --gap-tol 1e-5 --json
    go show "$out/model"
    go show "$out/heart.model" --json
    go kernels data/servo.csv -t rise_time -k 'rbf(0.5|1.5)'
    : >"$out/path.svg"
    ! command -v gnuplot >/dev/null || go plot "$out/path.json" -o "$out/path.svg"
    go plot "$out/model"
    go demo
    # seconds differ from run to run, the folders' names too
    sed -i "s|$out|FOLDER|g; /\"seconds\"/d" "$out/out" "$out/err" "$out/path.json"
}
LC_ALL=C run "$tmp/C"
LC_ALL=$language run "$tmp/de"
for file in model heart.model path.json path.svg out err; do
    cmp "$tmp/C/$file" "$tmp/de/$file" || {
        diff "$tmp/C/$file" "$tmp/de/$file" | head -5
        fail "$file depends on the language"
    }
done
code=0
LC_ALL=$language "$rls2" train data/servo.csv -t rise_time --lambda 0,5 2>"$tmp/err" || code=$?
[ "$code" -eq 2 ] || fail "a decimal comma was taken"
echo "ok"
