#!/usr/bin/env bash
# Names that command terminals: columns, categories, classes, files and options are told with their
# control characters escaped, on stdout and stderr; CSV and JSON have them exactly.
set -euo pipefail
source "$(dirname "$0")/../support/script.sh"

# ---- what may be printed ----

# No control characters but line breaks, none of C1, none that turn or hide text; whole UTF-8.
clean() { # FILE WHAT
    local bad='[\x00-\x09\x0b-\x1f\x7f]|\xc2[\x80-\x9f]|\xd8\x9c|\xe2\x80[\x8b\x8e\x8f\xa8-\xae]'
    bad+='|\xe2\x81[\xa0-\xaf]|\xef\xbb\xbf'
    if LC_ALL=C grep -qP "$bad" "$1"; then fail "$2 prints a control character: $(cat -v "$1")"; fi
    iconv -f UTF-8 -t UTF-8 "$1" >/dev/null 2>&1 ||
        fail "$2 prints what is no UTF-8: $(cat -v "$1")"
    ! grep -q '^all is well' "$1" ||
        fail "$2 ends its line where a name wants it to: $(cat -v "$1")"
}
tells() { # CODE TEXT ARGUMENTS...: ends so, clean on both streams, and one of them has the text
    local wanted=$1 text=$2 code=0
    shift 2
    "$rls2" "$@" >"$tmp/out" 2>"$tmp/err" || code=$?
    [ $code -eq "$wanted" ] || fail "rls2 ${*@Q} ended with $code: $(cat -v "$tmp/err")"
    clean "$tmp/out" "rls2 ${*@Q}"
    clean "$tmp/err" "rls2 ${*@Q}"
    cat "$tmp/out" "$tmp/err" >"$tmp/both"
    grep -qF -- "$text" "$tmp/both" ||
        fail "rls2 ${*@Q} does not tell '$text': $(cat -v "$tmp/both")"
}

# ---- a table of such names ----

title=$'a\e]0;owned\a' clear=$'b\e[2J' line=$'c\nall is well' return=$'d\rall' back=$'e\b\b' \
    csi=$'f\u009b31m' turn=$'g\u202eh'
shades=$'s\e[8m' y=$'y\e[31m' z=$'z\u2066\n' k=$'k\x7f'
labels=($'one\e[7m' $'two\nall is well' $'three\u009b') colours=($'red\e[0m' $'blue\nall is well')
{
    printf '"%s",' "$title" "$clear" "$line" "$return" "$back" "$csi" "$turn" "$shades" "$y" "$z"
    printf '"%s"\n' "$k"
    for ((r = 1; r <= 30; r++)); do
        sum=$((r % 2 * 9))
        for ((j = 1; j <= 7; j++)); do
            x=$((r * r * r * (2 * j + 3) % (29 + 2 * j))) sum=$((sum + x))
            printf '%d,' "$x"
        done
        printf '"%s",%d,%d,"%s"\n' "${colours[r % 2]}" "$sum" $((r % 7)) "${labels[r % 3]}"
    done
} >"$tmp/bad.csv"
few=(--drop "$z" --drop "$k" -k 'linear@each' --standardize --lambdas 1e-6:1e-3:4)

# ---- one target ----

tells 0 'b\x1b[2J' kernels "$tmp/bad.csv" -t "$y" --drop "$k"
tells 0 'y\x1b[31m' train "$tmp/bad.csv" -t "$y" "${few[@]}" -o "$tmp/"$'m\e[5m.model'
mv "$tmp/"$'m\e[5m.model' "$tmp/m.model"
tells 0 's\x1b[8m=' show "$tmp/m.model" --top 0
tells 0 'c\nall is well' show "$tmp/m.model" --top 0
tells 0 'f\u009b31m' show "$tmp/m.model" --top 0
tells 0 'g\u202eh' show "$tmp/m.model" --top 0
tells 0 'the certificate holds' verify "$tmp/m.model" "$tmp/bad.csv"
tells 0 'lambda' path "$tmp/bad.csv" -t "$y" "${few[@]}"
tells 0 'Lambda' cv "$tmp/bad.csv" -t "$y" "${few[@]}" --folds 3
tells 0 'd\rall' plot "$tmp/m.model"
tells 0 'e\x08\x08' plot "$tmp/m.model" --kind features --top 0
tells 0 'title\x1b[1m' plot "$tmp/m.model" --title $'title\e[1m'

# widths: the bars of all lines begin in the same column, whatever the names are
"$rls2" plot "$tmp/m.model" --kind features --top 0 >"$tmp/out"
places=$(sed -n 's/%.*//p' "$tmp/out" | LC_ALL=C.UTF-8 awk '{ print length($0) }' | sort -u | wc -l)
[ "$places" -eq 1 ] || fail "the columns are not aligned: $(cat "$tmp/out")"

# ---- classes, several targets ----

of_classes=(-t "$k" --drop "$y" --drop "$z" -k 'linear@each' --lambdas 1e-6:1e-3:3)
tells 0 "'two\\nall is well'" train "$tmp/bad.csv" "${of_classes[@]}" -o "$tmp/c.model"
tells 0 'one\x1b[7m' cv "$tmp/bad.csv" "${of_classes[@]}" --folds 3
tells 0 'three\u009b' show "$tmp/c.model"
tells 0 'three\u009b' show "$tmp/c.model" --of $'three\u009b'
tells 0 'three\u009b' verify "$tmp/c.model" "$tmp/bad.csv"
tells 2 "'three\\u009b'" show "$tmp/c.model" --of $'no\e[1m'
tells 0 'k\x7f' predict "$tmp/c.model" "$tmp/bad.csv" -o /dev/null
of_two=(-t "$y" -t "$z" --drop "$k" -k 'linear@each' --lambdas 1e-6:1e-3:3)
tells 0 'z\u2066\n' train "$tmp/bad.csv" "${of_two[@]}" -o "$tmp/t.model"
tells 0 'z\u2066\n' show "$tmp/t.model"
tells 0 'z\u2066\n' verify "$tmp/t.model" "$tmp/bad.csv"
tells 0 'z\u2066\n' predict "$tmp/t.model" "$tmp/bad.csv" -o /dev/null

# ---- pictures, drawn by gnuplot or not ----

"$rls2" path "$tmp/bad.csv" "${of_two[@]}" --json -q >"$tmp/"$'p\e[1m.json'
tells 0 'p\x1b[1m' plot "$tmp/"$'p\e[1m.json' --kind selection
tells 2 "'z\\u2066\\n'" plot "$tmp/"$'p\e[1m.json' --of $'no\e[1m'
if command -v gnuplot >/dev/null; then
    tells 0 'b\x1b[2J' plot "$tmp/"$'p\e[1m.json'
    "$rls2" plot "$tmp/"$'p\e[1m.json' -q --top 0 -o "$tmp/p.svg"
    ! LC_ALL=C grep -qP '[\x00-\x08\x0b-\x1f\x7f]|\xc2[\x80-\x9f]|\xe2\x80[\xa8-\xae]' \
        "$tmp/p.svg" || fail "in a picture"
fi

# ---- errors ----

tells 1 'n\x1bope' train $'n\e'"ope" -t y
tells 2 'the columns are' train "$tmp/bad.csv" -t $'none\e[1m'
tells 2 'z\u2066\n' train "$tmp/bad.csv" -t $'zz\u2066\n'
tells 2 "did you mean" train "$tmp/bad.csv" -t "$y" -k $'linear@"b\e[2K"'
tells 2 'rbf(1)@\x1b[1m' train "$tmp/bad.csv" -t "$y" -k $'rbf(1)@\e[1m'
tells 2 'tr\x1bain' $'tr\e'"ain"
tells 2 '--\x1b[1m' train "$tmp/bad.csv" $'--\e[1m'
tells 2 '\x1b' train "$tmp/bad.csv" -t "$y" --lambdas $'1:\e[1m'
printf 'a,b\n1,2\n' >"$tmp/other.csv"
tells 1 'column' predict "$tmp/m.model" "$tmp/other.csv"
sed 's/red/green/' "$tmp/bad.csv" >"$tmp/green.csv"
tells 1 'green\x1b[0m' predict "$tmp/m.model" "$tmp/green.csv" --strict
printf 'a\x9bb,c\n1,2\n1,2,\x8d\n' >"$tmp/latin.csv"
tells 1 '\u008d' kernels "$tmp/latin.csv"
printf '1 \x1b[2J:3\n' >"$tmp/bad.svm"
tells 1 '\x1b[2J' kernels "$tmp/bad.svm" --format libsvm
printf 'not a model \x1b[2J' >"$tmp/"$'x\e[1m.model'
tells 1 'x\x1b[1m.model' show "$tmp/"$'x\e[1m.model'

# ---- machines get what is there ----

"$rls2" show "$tmp/m.model" --top 0 --json -q >"$tmp/out"
clean "$tmp/out" 'show --json'
grep -qF '"target": "y\u001b[31m"' "$tmp/out" ||
    fail "JSON does not have the name: $(cat "$tmp/out")"
"$rls2" predict "$tmp/c.model" "$tmp/bad.csv" -q >"$tmp/out"
grep -qF $'one\e[7m' "$tmp/out" || fail "predictions in a pipe are not exact"
if command -v script >/dev/null && script -qec true /dev/null >/dev/null 2>&1; then
    script -qec "'$rls2' predict '$tmp/c.model' '$tmp/bad.csv' -q" /dev/null </dev/null |
        tr -d '\r' >"$tmp/out"
    clean "$tmp/out" 'predict in a terminal'
    grep -qF 'one\x1b[7m' "$tmp/out" || fail "predictions in a terminal: $(cat -v "$tmp/out")"
fi
echo ok
