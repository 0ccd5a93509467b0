#!/usr/bin/env bash
# rls2 plot from the outside: kinds, formats, messages, and files that mean harm. Without gnuplot
# the drawings are left out.
set -euo pipefail
rls2=$1
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
export LC_ALL=C.UTF-8
unset RLS2_GNUPLOT

fail() { echo "FAILED: $*"; exit 1; }

expect_code() { # CODE TEXT-ON-STDERR ARGUMENTS...
    local wanted=$1 text=$2 code=0
    shift 2
    "$rls2" "$@" >"$tmp/out" 2>"$tmp/err" </dev/null || code=$?
    [ "$code" -eq "$wanted" ] || fail "rls2 $* ended with $code, not $wanted: $(cat "$tmp/err")"
    [ -z "$text" ] || grep -qF -- "$text" "$tmp/err" ||
        fail "rls2 $* did not say '$text': $(cat "$tmp/err")"
}

shows() { grep -qF -- "$1" "$tmp/out" || fail "no '$1' in: $(cat "$tmp/out")"; } # TEXT

# A point of a path: LAMBDA DF SELECTED MORE
point() { printf '{"lambda":%s,"df":%s,"selected":[%s]%s}' "$1" "$2" "$3" "${4:-}"; }
kernel() { printf '{"kernel":"%s","weight":%s}' "$1" "$2"; } # NAME WEIGHT
scores() { printf ',"train":{"rmse":%s},"test":{"rmse":%s}' "$1" "$2"; } # TRAIN TEST

cat >"$tmp/path.json" <<END
{"n":9,"m":4,"task":"regression","solver":"newton","seconds":0.1,"factorizations":7,"other":[1],
"path":[
$(point 10 0.5 "$(kernel 'rbf(0.1)@rm' 1)" "$(scores 3 3.5)"),
$(point 1 1.5 "$(kernel 'rbf(0.1)@rm' 0.7),$(kernel 'poly(2)@all' 0.3)" "$(scores 2 2.25)"),
$(point 0.1 2.75 \
    "$(kernel 'rbf(0.1)@rm' 0.5),$(kernel 'poly(2)@all' 0.3),$(kernel 'poly(3)@dis' 0.2)" \
    "$(scores 1 2.5)")]}
END
cat >"$tmp/linear.json" <<END
{"path":[
$(point 10 0.5 "$(kernel 'linear@a' 1)" ',"coefficients":{"a":0.5,"b":0},"train":{"accuracy":0.5}'),
$(point 1 null "$(kernel 'linear@a' 0.5),$(kernel 'linear@b' 0.5)" \
    ',"coefficients":{"a":1.5,"b":-2},"train":{"accuracy":0.75}')]}
END
names=('a'\''b"; system("touch '"$tmp"'/owned")' '`touch '"$tmp"'/owned`' \
    "'); !touch $tmp/owned #" $'two\nlines' END_OF_DATA
    '{/=40 x}_y^z %d %s %n' '<b>&amp;]]>' '\' 'größe' "$(printf 'long%.0s' {1..60})")
{
    printf '{"path":['
    for lambda in 2 1; do
        [ $lambda = 2 ] || printf ,
        selected=
        for name in "${names[@]}"; do
            escaped=${name//\\/\\\\}
            escaped=${escaped//\"/\\\"}
            escaped=${escaped//$'\n'/\\n}
            selected+="${selected:+,}$(kernel "$escaped" 0.1)"
        done
        point $lambda "$((3 - lambda))" "$selected"
    done
    printf ']}'
} >"$tmp/hostile.json"

# ---- the command line ----
expect_code 2 '.svg, .png, .pdf or .txt' plot "$tmp/path.json" -o "$tmp/picture.gif"
expect_code 2 '.svg, .png, .pdf or .txt' plot "$tmp/path.json" -o "$tmp/svg"
expect_code 2 'is a path, of which there are profile, scores and selection' plot "$tmp/path.json" \
    --kind features
expect_code 2 "'pie' is not one of" plot "$tmp/path.json" --kind pie
expect_code 1 "$tmp/nowhere.json: No such file" plot "$tmp/nowhere.json"
expect_code 1 '' plot "$tmp"

# ---- files that are not results ----
broken() { # TEXT-ON-STDERR CONTENT
    printf '%s' "$2" >"$tmp/broken.json"
    expect_code 1 "$1" plot "$tmp/broken.json" --json
    grep -qF "$tmp/broken.json" "$tmp/err" ||
        fail "the message does not name the file: $(cat "$tmp/err")"
    [ ! -s "$tmp/out" ] || fail "something was printed: $(cat "$tmp/out")"
}
k=$(kernel k 1)
broken 'neither a result' ''
broken 'neither a result' 'lambda,df'
broken 'neither a result' '[1,2]'
broken ':1:1: not JSON' '{'
broken ':3:' $'{"path":\n[\n{"lambda":1,,}]}'
broken 'not JSON' "$(head -c 400 "$tmp/path.json")"
broken 'not JSON' "{\"path\":[$(point 1e999 1 "$k")]}"
broken 'not JSON' "{\"path\":[$(point 1 1 "$k")]} more"
broken "'path' is missing" '{"n":1}'
broken "'path' must be a list" '{"path":{}}'
broken "'path' is empty" '{"path":[]}'
broken 'path[0] must be an object' '{"path":[1]}'
broken "path[1]: 'lambda' is missing" "{\"path\":[$(point 1 1 "$k"),{\"selected\":[]}]}"
broken "path[0]: 'lambda' must be a number" "{\"path\":[$(point '"1"' 1 "$k")]}"
broken "path[0]: 'lambda' must be positive" "{\"path\":[$(point 0 1 "$k")]}"
broken "path[0]: 'lambda' must be positive" "{\"path\":[$(point 1e-200 1 "$k")]}"
broken "path[0]: 'lambda' must be a number" "{\"path\":[$(point 1e200 1 "$k")]}"
broken "path[0]: 'selected' needs a number" "{\"path\":[$(point 1 1 "$(kernel k 1e200)")]}"
broken "path[0]: 'df' must be a number" "{\"path\":[$(point 1 '[]' "$k")]}"
broken "path[0]: 'selected' is missing" '{"path":[{"lambda":1}]}'
broken "path[0]: 'selected' must be a list" '{"path":[{"lambda":1,"selected":{}}]}'
broken "path[0]: 'selected' needs a text 'kernel'" \
    "{\"path\":[$(point 1 1 '{"kernel":1,"weight":1}')]}"
broken "path[0]: 'selected' needs a number 'weight'" "{\"path\":[$(point 1 1 '{"kernel":"k"}')]}"
broken "path[0]: 'selected' needs a text 'kernel'" "{\"path\":[$(point 1 1 3)]}"
broken "path[0]: 'coefficients' must be an object" \
    "{\"path\":[$(point 1 1 "$k" ',"coefficients":[1]')]}"
broken "path[0]: 'coefficients' must hold numbers" \
    "{\"path\":[$(point 1 1 "$k" ',"coefficients":{"a":true}')]}"
broken "path[0]: 'test' must be an object" "{\"path\":[$(point 1 1 "$k" ',"test":1')]}"
broken "path[0]: 'test' must hold a measure, such as 'rmse' or 'accuracy'" \
    "{\"path\":[$(point 1 1 "$k" ',"test":{"speed":1}')]}"
broken "path[0]: 'test' has another score" \
    "{\"path\":[$(point 1 1 "$k" ',"train":{"rmse":1},"test":{"accuracy":1}')]}"
broken 'no kernel is selected' "{\"path\":[$(point 1 1 '')]}"
expect_code 1 'no score' plot "$tmp/hostile.json" --kind scores --json
# of several outputs
several() { # NAMES COUNT ENTRIES MORE
    printf '{"outputs":%s,"path":[{"lambda":1,"df":1,"kernels":%s,"outputs":%s%s}]}' \
        "$1" "$2" "$3" "${4:-}"
}
output() { printf '{"name":"%s","df":1,"selected":[%s]}' "$1" "$2"; } # NAME SELECTED
both="[$(output x "$k"),$(output y "$k")]" names='["x","y"]'
broken "'outputs' must be a list" "$(several '"x"' 1 "$both")"
broken "'outputs' must be a list" "$(several '{"x":1}' 1 "$both")"
broken "'outputs' must hold texts" "$(several '["x",1]' 1 "$both")"
broken "'outputs' is empty" "$(several '[]' 1 "$both")"
broken "path[0]: 'outputs' is missing" "{\"outputs\":$names,\"path\":[$(point 1 1 "$k")]}"
broken "path[0]: 'outputs' must be a list" "$(several "$names" 1 '{}')"
broken "path[0]: 'outputs' needs a text 'name'" "$(several "$names" 1 '[1]')"
broken "path[0]: 'outputs' needs a text 'name'" "$(several "$names" 1 '[{"name":null}]')"
broken "path[0]: 'outputs' has no entry" "$(several "$names" 1 "[$(output y "$k")]")"
broken "path[0]: 'selected' is missing" "$(several "$names" 1 '[{"name":"x"}]')"
broken "path[0]: 'selected' must be a list" "$(several "$names" 1 '[{"name":"x","selected":1}]')"
broken "path[0]: 'df' must be a number" \
    "$(several "$names" 1 '[{"name":"x","selected":[],"df":"1"}]')"
broken "path[0]: 'coefficients' must hold numbers" \
    "$(several "$names" 1 '[{"name":"x","selected":[],"coefficients":{"a":"1"}}]')"
broken "path[0]: 'kernels' must be a number" "$(several "$names" '"1"' "$both")"
broken "path[0]: 'kernels' is missing" "$(several "$names" null "$both")"
broken "path[0]: 'kernels' must not be negative" "$(several "$names" -1 "$both")"
broken "path[0]: 'test' must hold a measure, such as 'rmse' or 'accuracy'" \
    "$(several "$names" 1 "$both" ',"test":{"speed":1}')"
several "$names" 1 "$both" ',"train":{"r2":0.5}' >"$tmp/several.json"
expect_code 0 "of 2 outputs: 'x'; --of NAME draws another" plot "$tmp/several.json" --json
quiet() { # ARGUMENTS: nothing is said
    expect_code 0 '' plot "$@" --json
    [ ! -s "$tmp/err" ] || fail "plot $* said: $(cat "$tmp/err")"
}
quiet "$tmp/several.json" --of x
quiet "$tmp/several.json" --kind scores
quiet "$tmp/several.json" -q
sed 's/^{/{"task":"classification",/; s/"train"/"test"/; s/r2/accuracy/' "$tmp/several.json" \
    >"$tmp/classes.json"
expect_code 0 "of 2 classes: 'x'; --of NAME draws another" plot "$tmp/classes.json" --kind selection
shows 'best test accuracy of all classes 0.5 at lambda 1'
expect_code 0 '' plot "$tmp/several.json" --json
shows '"of": "x"'
shows '"title": "several: x"'
expect_code 0 '' plot "$tmp/several.json" --json --of y --title mine
shows '"of": "y"'
shows '"title": "mine"'
expect_code 2 "--of 'z': $tmp/several.json is a path of 'x', 'y'" plot "$tmp/several.json" --of z
expect_code 2 "is a path of one output" plot "$tmp/path.json" --of z
expect_code 2 'scores are of all classes and targets together' plot "$tmp/several.json" \
    --kind scores --of x
expect_code 0 '' plot "$tmp/several.json" --kind scores --json
shows '"kind": "scores"'
printf '\7\0\0\0\0\0\0\0{broken' >"$tmp/broken.model"
expect_code 1 'rls2 plot: ' plot "$tmp/broken.model"
expect_code 2 'a model, of which there are kernels, features, effects, dependence, calibration' \
    plot "$tmp/broken.model" \
    --kind profile

# ---- the data as JSON ----
expect_code 0 '' plot "$tmp/path.json" --json
shows '"kind": "profile"'
shows '"name": "df"'
shows '"name": "poly(2)@all"'
expect_code 0 '' plot "$tmp/path.json" --json --kind scores
shows '"name": "lambda"'
shows '"best": 1'
"$rls2" plot - --json --kind selection <"$tmp/path.json" >"$tmp/out" ||
    fail "not from the standard input"
shows '"kind": "selection"'
expect_code 0 '' plot "$tmp/linear.json" --json
shows '"name": "b"'
expect_code 0 'no degrees of freedom' plot "$tmp/linear.json" --json --against df
expect_code 0 '' plot "$tmp/hostile.json" --json
shows "$(printf 'long%.0s' {1..60})"
expect_code 0 '' plot "$tmp/path.json" --json -o "$tmp/data.json"
[ -s "$tmp/data.json" ] || fail "no data.json"

# ---- characters that need no gnuplot ----
export RLS2_GNUPLOT=/nonexistent
expect_code 0 '' plot "$tmp/path.json" --kind selection
grep -qE '^selected +123$' "$tmp/out" || fail "no counts: $(cat "$tmp/out")"
grep -qE '^poly\(2\)@all +##$' "$tmp/out" || fail "no row of poly(2)@all: $(cat "$tmp/out")"
shows 'best test rmse 2.25 at lambda 1'
expect_code 0 '' plot "$tmp/hostile.json" --kind selection --width 50

# ---- no gnuplot ----
where='(Debian, Ubuntu: apt-get install gnuplot-nox)'
expect_code 1 "rls2 plot: gnuplot is not installed; it draws the pictures $where" \
    plot "$tmp/path.json" -o "$tmp/none.svg"
expect_code 1 'gnuplot is not installed' plot "$tmp/path.json"
[ ! -s "$tmp/out" ] || fail "something was printed without gnuplot"
# ---- a gnuplot that fails, and one that never ends ----
printf '#!/bin/sh\necho half\necho "something is wrong" >&2\nexit 3\n' >"$tmp/failing"
printf '#!/bin/sh\necho $$ >"%s/pid"\nexec sleep 1000\n' "$tmp" >"$tmp/endless"
chmod +x "$tmp/failing" "$tmp/endless"
export RLS2_GNUPLOT=$tmp/failing
echo old >"$tmp/none.png"
expect_code 1 'something is wrong' plot "$tmp/path.json" -o "$tmp/none.png"
[ "$(cat "$tmp/none.png")" = old ] || fail "a failed drawing replaced the file"
expect_code 1 'gnuplot failed (exit code 3)' plot "$tmp/path.json"
[ ! -s "$tmp/out" ] || fail "half a picture was printed"
printf '#!/bin/sh\necho "<svg>"\n' >"$tmp/failing"
expect_code 1 'unfinished' plot "$tmp/path.json" -o "$tmp/none.svg"
RLS2_GNUPLOT=$tmp/endless "$rls2" plot "$tmp/path.json" -o "$tmp/none.pdf" 2>"$tmp/err" &
plot=$!
for _ in $(seq 500); do
    [ -s "$tmp/pid" ] && break
    sleep 0.02
done
kill -TERM $plot
code=0
wait $plot || code=$?
[ "$code" -eq 130 ] || fail "stopped with $code, not 130: $(cat "$tmp/err")"
! kill -0 "$(cat "$tmp/pid")" 2>/dev/null || fail "gnuplot is still running"
[ -z "$(find "$tmp" \( -name 'none.*' -o -name '.none.*' \) ! -name none.png)" ] ||
    fail "left behind: $(ls "$tmp")"
unset RLS2_GNUPLOT

if ! command -v gnuplot >/dev/null; then
    echo "ok (gnuplot is not here: nothing was drawn)"
    exit 0
fi

# ---- drawings ----
well_formed() { # FILE
    if command -v xmllint >/dev/null; then
        xmllint --noout "$1" || fail "$1 is not well-formed"
    elif command -v python3 >/dev/null; then
        python3 -c 'import sys, xml.dom.minidom; xml.dom.minidom.parse(sys.argv[1])' "$1" ||
            fail "$1 is not well-formed"
    fi
    grep -q '</svg>' "$1" || fail "$1 is not whole"
}

starts_with() { # FILE BYTES
    [ "$(head -c ${#2} "$1" | tr '\211' x)" = "$2" ] || fail "$1 does not start with $2"
}

for kind in profile scores selection; do
    for against in df lambda; do
        for ending in svg png pdf txt; do
            expect_code 0 '' plot "$tmp/path.json" --kind $kind --against $against \
                -o "$tmp/p.$ending"
            [ ! -s "$tmp/out" ] && [ ! -s "$tmp/err" ] ||
                fail "$kind $ending said something: $(cat "$tmp/out" "$tmp/err")"
        done
        well_formed "$tmp/p.svg"
        starts_with "$tmp/p.png" xPNG
        starts_with "$tmp/p.pdf" %PDF
        grep -q 'best test rmse 2.25 at lambda 1' "$tmp/p.svg" ||
            fail "the best point of $kind is not marked"
        [ "$kind" = scores ] || grep -qF '>poly(3)@dis<' "$tmp/p.svg" ||
            fail "no poly(3)@dis in $kind"
        grep -qF "$([ "$kind" = scores ] && echo train || echo 'poly(3)@dis')" "$tmp/p.txt" ||
            fail "no name in $kind, .txt"
    done
done
expect_code 0 '' plot "$tmp/path.json"
shows 'degrees of freedom'
! grep -q $'\033' "$tmp/out" || fail "colours in a file"
expect_code 0 '' plot "$tmp/linear.json" -o "$tmp/l.svg" --title "It's 100% {a_b}"
well_formed "$tmp/l.svg"
grep -qF ">It's 100% {a_b}<" "$tmp/l.svg" || fail "the title is another"
grep -q coefficient "$tmp/l.svg" || fail "no coefficients"
for kind in profile scores selection; do
    expect_code 0 '' plot "$tmp/several.json" --kind $kind -o "$tmp/s.svg"
    well_formed "$tmp/s.svg"
    grep -qF ">several$([ $kind = scores ] || echo ': x')<" "$tmp/s.svg" ||
        fail "the title of $kind does not name the output"
done
sed 's/"x"/"`touch owned` {\/=40 x}"/g' "$tmp/several.json" >"$tmp/odd.json"
expect_code 0 '' plot "$tmp/odd.json" -o "$tmp/s.svg"
well_formed "$tmp/s.svg"
expect_code 0 '' plot "$tmp/path.json" --top 1 -o "$tmp/l.svg"
! grep -qF 'poly(3)@dis' "$tmp/l.svg" || fail "--top 1 names more"
expect_code 1 "$tmp/nowhere/p.svg" plot "$tmp/path.json" -o "$tmp/nowhere/p.svg"
expect_code 0 '' plot "$tmp/path.json" -o "$tmp/it's a \"name\" \`touch owned\`.svg"
well_formed "$tmp/it's a \"name\" \`touch owned\`.svg"

for size in 1 100 300 2000; do
    expect_code 0 '' plot "$tmp/path.json" --width $size --height $size -o "$tmp/p.svg"
    well_formed "$tmp/p.svg"
done

# in a terminal the best point is told above the drawing, where no curve runs over it
expect_code 0 '' plot "$tmp/path.json" --kind scores
[ "$(sed -n 2p "$tmp/out")" = 'root mean squared error; best test rmse 2.25 at lambda 1' ] ||
    fail "line 2: $(sed -n 2p "$tmp/out")"
expect_code 0 '' plot "$tmp/classes.json" --kind scores --title ''
[ "$(sed -n 1p "$tmp/out")" = 'accuracy; best test accuracy 0.5 at lambda 1' ] ||
    fail "line 1: $(sed -n 1p "$tmp/out")"

# names of wide letters fit beside the lines; what is too long for them ends in dots
right_of() { # FILE NAME: where the text begins
    grep -B 3 -F ">$2" "$1" | sed -n 's/.*translate(\([0-9.]*\),.*/\1/p' | tail -n 1
}
sed 's/poly(3)@dis/MWMWMWMWMW/' "$tmp/path.json" >"$tmp/wide.json"
expect_code 0 '' plot "$tmp/wide.json" -o "$tmp/w.svg"
start=$(right_of "$tmp/w.svg" MWMWMWMWMW)
awk -v at="${start:-0}" 'BEGIN { exit !(at > 400 && at + 10 * 12 <= 800) }' ||
    fail "MWMWMWMWMW begins at '$start' of 800"
sed "s/poly(3)@dis/$(printf 'MW%.0s' {1..20})/" "$tmp/path.json" >"$tmp/wide.json"
expect_code 0 '' plot "$tmp/wide.json" -o "$tmp/w.svg"
grep -q '>MWMW[MW]*…<' "$tmp/w.svg" ||
    fail "a name of 40 wide letters is not cut: $(grep MWMW "$tmp/w.svg")"

# cross-validation: both choices are named, and what the axis is of
curve() {
    printf '{"lambda":[1,0.5,0.1],"cvm":[0.1,0.5,0.6],"cvsd":[0.1,0.1,0.2],"nzero":[1,2,3],'
    printf '"lambda.min":0.1,"lambda.1se":0.5,"measure":"r2"%s}' "$1"
}
for more in ',"targets":["a","b"]|R2, mean over the targets' ',"targets":["a"]|R2' \
    '|R2 (of several targets their mean)'; do
    curve "${more%%|*}" >"$tmp/curve.json"
    expect_code 0 '' plot "$tmp/curve.json" -o "$tmp/c.svg"
    well_formed "$tmp/c.svg"
    grep -qF ">${more##*|}<" "$tmp/c.svg" || fail "the axis is not called '${more##*|}'"
    grep -qF '>lambda.1se<' "$tmp/c.svg" || fail "lambda.1se is not named"
done

# a model, once there is a command that makes one
if "$rls2" train data/prostate.csv --target lpsa --drop train --standardize --kernels linear \
    --lambda 0.09 \
    -o "$tmp/m.model" >"$tmp/out" 2>"$tmp/err"; then
    for kind in kernels features; do
        for ending in svg png pdf txt; do
            expect_code 0 '' plot "$tmp/m.model" --kind $kind -o "$tmp/m.$ending"
        done
        well_formed "$tmp/m.svg"
        grep -q 'lcavol<' "$tmp/m.svg" || fail "no lcavol in $kind"
        grep -q 'lcavol .*#' "$tmp/m.txt" || fail "no bar of lcavol in $kind: $(cat "$tmp/m.txt")"
        grep -qE '>[0-9]+\.[0-9]%<' "$tmp/m.svg" || fail "shares without % in $kind"
        ! grep -qE '>[0-9]+\.[0-9]{2,}%<' "$tmp/m.svg" || fail "shares of several lengths in $kind"
        # the sum of the others has a number and no bar, and does not set the scale
        expect_code 0 '' plot "$tmp/m.model" --kind $kind --top 2
        awk '/others\)/ { others = !/#/ && /[0-9]%/ } /lcavol/ { full = length($NF) }
            END { exit !(others && full >= 20) }' "$tmp/out" ||
            fail "others in $kind: $(cat "$tmp/out")"
    done
else
    grep -q 'not there yet' "$tmp/err" || fail "rls2 train: $(cat "$tmp/err")"
fi

# effects of numbers, categories and dates, in the units of the table, on one scale
awk 'BEGIN { srand(5); print "up,day,kind,y"
    for (i = 0; i < 90; i++) {
        u = 100 + 900 * rand(); d = int(28 * rand()) + 1; k = substr("abc", i % 3 + 1, 1)
        day = "2024-0" (i % 9 + 1) "-" (d < 10 ? "0" : "") d
        print u "," day "," k "," u / 100 - 2 * (i % 3) + i % 9 / 2 } }' \
    >"$tmp/effects.csv"
"$rls2" train "$tmp/effects.csv" -t y --lambda 1e-3 -k 'linear@up,kind,day; rbf(0.1)@all' -q \
    -o "$tmp/e.model" >/dev/null
for ending in svg png pdf txt; do
    expect_code 0 '' plot "$tmp/e.model" --kind effects -o "$tmp/e.$ending"
done
well_formed "$tmp/e.svg"
label='effect on y (%: share of the variance of the fit on training rows; band: 8 of 10 rows)'
for text in up kind day a c 500 "$label"; do
    grep -qF ">$text<" "$tmp/e.svg" || fail "no '$text' in the effects"
done
grep -qE '^  a +1\.[0-9]+ +\|##' "$tmp/e.txt" || fail "kind a has no bar: $(cat "$tmp/e.txt")"
grep -qE '^  c +-[12]\.[0-9]+ +#+\|$' "$tmp/e.txt" || fail "kind c has no bar to the left"
grep -qE '^  2024-01-[0-9][0-9] ' "$tmp/e.txt" || fail "no date: $(cat "$tmp/e.txt")"
expect_code 0 '' plot "$tmp/e.model" --kind effects --json
python3 - "$tmp/out" <<'END' || fail "effects as JSON: $(cat "$tmp/out")"
import json, sys
shown = json.load(open(sys.argv[1]))
effects = {one["input"]: one for one in shown["effects"]}
up = effects["up"]["points"]
assert effects["up"]["direction"] == "up" and 100 <= up[0]["value"] < up[-1]["value"] <= 1000
slope = (up[-1]["effect"] - up[0]["effect"]) / (up[-1]["value"] - up[0]["value"])
assert abs(slope - 0.01) < 0.001, slope
levels = {one["level"]: one["effect"] for one in effects["kind"]["points"]}
assert abs(levels["a"] - levels["b"] - 2) < 0.3 and abs(levels["b"] - levels["c"] - 2) < 0.3, levels
assert effects["day"]["points"][0]["date"].startswith("2024-01"), effects["day"]
END
expect_code 0 '' plot "$tmp/e.model" --kind effects --top 1 --json
[ "$(grep -c '"input"' "$tmp/out")" -eq 1 ] || fail "--top 1 has more than one input"

# two inputs together: lines over one of them, at values of the other; categories with long names
# that begin alike can be told apart
awk 'BEGIN { srand(5); print "a,b,kind,z,y"
    for (i = 0; i < 200; i++) {
        a = 2 * rand() - 1; b = 2 * rand() - 1; z = rand()
        y = 4 * a * b + i % 10 + (i % 10 > 4) * 3 * sin(3 * b) + 0.05 * z
        print a "," b ",category_of_rows_" i % 10 "_end," z "," y } }' \
    >"$tmp/pairs.csv"
"$rls2" train "$tmp/pairs.csv" -t y --lambda 1e-5 \
    -k 'poly(2)@a+b; linear@kind; rbf(1)@b+kind; linear@z' -q -o "$tmp/pairs.model" >/dev/null
for ending in svg txt; do
    expect_code 0 '' plot "$tmp/pairs.model" --kind effects -o "$tmp/pairs.$ending"
done
well_formed "$tmp/pairs.svg"
for text in 'a+b' 'b:' 'b+kind' 'kind:' '3_end' '7_end'; do
    grep -qF ">$text<" "$tmp/pairs.svg" || fail "no '$text' in the effects of two inputs"
done
! grep -q '>z<' "$tmp/pairs.svg" || fail "an input without a share is drawn"
grep -qE '^a\+b together \([0-9.]+%\)$' "$tmp/pairs.txt" || fail "no a+b: $(cat "$tmp/pairs.txt")"
grep -qE '^  a, at b = -0\.[0-9]+$' "$tmp/pairs.txt" || fail "a at no b: $(cat "$tmp/pairs.txt")"
expect_code 0 '' plot "$tmp/pairs.model" --kind effects --json
python3 - "$tmp/out" <<'END' || fail "effects of two inputs as JSON: $(cat "$tmp/out")"
import json, sys
effects = {one["input"]: one for one in json.load(open(sys.argv[1]))["effects"]}
assert "z" not in effects, effects.keys()
pair = effects["a+b"]
assert pair["along"] == "a" and pair["other"] == "b" and len(pair["lines"]) == 3, pair
for line in pair["lines"]: # y = 4ab: at each b a line of slope 4b
    first, last = line["points"][0], line["points"][-1]
    slope = (last["effect"] - first["effect"]) / (last["value"] - first["value"])
    assert abs(slope - 4 * float(line["at"])) < 0.3, (slope, line["at"])
assert effects["b+kind"]["lines"][0]["at"].startswith("category"), effects["b+kind"]
END
expect_code 0 '' plot "$tmp/pairs.model" --kind effects --top 0 --json
grep -q '"input": "z"' "$tmp/out" || fail "--top 0 lacks an input"

# one point, points alike, the largest and the smallest numbers
extreme() { # CONTENT
    printf '{"path":[%s]}' "$1" >"$tmp/extreme.json"
    for kind in profile scores selection; do
        for against in df lambda; do
            for ending in svg txt; do
                expect_code 0 '' plot "$tmp/extreme.json" --kind $kind --against $against \
                    -o "$tmp/e.$ending"
            done
            well_formed "$tmp/e.svg"
        done
    done
}
one=$(point 1 1 "$k" "$(scores 1 1)")
extreme "$one"
extreme "$one,$one,$one"
extreme "$(point 1e100 0 "$(kernel k 1e100)" "$(scores 0 0)"),$(point 1e-100 1e100 \
    "$(kernel k -1e100)" "$(scores 1e100 1e-100)")"
extreme "$(point 1e-100 -1e100 "$(kernel k 0)" "$(scores -1e100 1e100)"),$(point 1e-99 1e-300 "$k" \
    "$(scores 1e-300 2e-300)")"

# names that look like commands, markup or the end of the data
for kind in profile selection; do
    for ending in svg png pdf txt; do
        expect_code 0 '' plot "$tmp/hostile.json" --kind $kind --top 0 -o "$tmp/h.$ending"
    done
    well_formed "$tmp/h.svg"
    for text in '>END_OF_DATA<' '>two\nlines<' '>{/=40 x}_y^z %d %s %n<' '>größe<' '>\<'; do
        grep -qF -- "$text" "$tmp/h.svg" || fail "no $text in $kind"
    done
done
[ -z "$(find . "$tmp" -maxdepth 1 -name owned)" ] || fail "a name was executed"
echo "ok"
