#!/usr/bin/env bash
# Tables as R, pandas, spreadsheets and databases write them go from file to model and back without
# an option; what was found is told.
set -euo pipefail
rls2=$1
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT

fail() { echo "FAILED: $*"; exit 1; }

# Learns y = 100 x + z and predicts the same rows; TEXTs are among what training says.
learns() { # FILE TARGET TEXT...
    local file=$1 target=$2
    shift 2
    "$rls2" train "$tmp/$file" -t "$target" -k linear --lambda 1e-9 -o "$tmp/model" \
        >"$tmp/out" 2>"$tmp/err" || fail "$file: $(cat "$tmp/err")"
    for text in "$@"; do
        grep -qF -- "$text" "$tmp/err" || fail "$file: '$text' was not said, but: $(cat "$tmp/err")"
    done
    "$rls2" predict "$tmp/model" "$tmp/$file" >"$tmp/predicted" 2>"$tmp/err" ||
        fail "$file: $(cat "$tmp/err")"
    paste -d' ' <(tail -n +2 "$tmp/predicted") "$tmp/y" |
        awk 'NF != 2 || ($1 - $2) ^ 2 > 1e-6 { exit 1 }' ||
        fail "$file: predictions differ: $(paste -d' ' "$tmp/predicted" "$tmp/y" | head -n 5)"
}

# 40 rows: number, x, z, y.
awk 'BEGIN { for (i = 1; i <= 40; i++) {
    x = (i * 7 % 23) / 4; z = 1000 + (i * 11 % 31) * 50; print i, x, z, 100 * x + z } }' \
    >"$tmp/rows"
cut -d' ' -f4 "$tmp/rows" >"$tmp/y"

# ---- who writes them ----
{ echo '"","x","z","y"'; awk '{ printf "\"%s\",%s,%s,%s\n", $1, $2, $3, $4 }' "$tmp/rows"; } \
    >"$tmp/r.csv"
learns r.csv y 'the first column has no name: it is taken for row names'
! grep -q '%  row' "$tmp/out" || fail "row names are an input: $(cat "$tmp/out")"

{ echo ',x,z,y'; awk '{ printf "%d,%s,%s,%s\n", $1 - 1, $2, $3, $4 }' "$tmp/rows"; } \
    >"$tmp/pandas.csv"
learns pandas.csv y 'row names'

{ echo '"x" "z" "y"'; awk '{ printf "\"%s\" %s %s %s\n", $1, $2, $3, $4 }' "$tmp/rows"; } \
    >"$tmp/write.table"
learns write.table y 'row names'

comma() { sed 's/\./,/g'; }
{ printf 'x;Größe;y\n'; awk '{ printf "%s;%s;%s\n", $2, $3, $4 }' "$tmp/rows" | comma; } \
    >"$tmp/excel.csv"
learns excel.csv y "is read as"
iconv -f UTF-8 -t WINDOWS-1252 "$tmp/excel.csv" >"$tmp/1252.csv"
learns 1252.csv y 'Windows-1252' "is read as"
{ printf '\xff\xfe'; tr ';' '\t' <"$tmp/excel.csv" | iconv -f UTF-8 -t UTF-16LE; } >"$tmp/16.txt"
learns 16.txt y "is read as"
{ printf '\xef\xbb\xbf'; cat "$tmp/excel.csv"; } >"$tmp/mark.csv"
learns mark.csv y "is read as"

awk '{ printf "%s,%s,%s\n", $2, $3, $4 }' "$tmp/rows" >"$tmp/bare.csv"
learns bare.csv x3 'the first line holds data, not names'
{ echo 'x|z|y'; awk '{ printf "%s|%s|%s\n", $2, $3, $4 }' "$tmp/rows"; } >"$tmp/bars.txt"
learns bars.txt y

# ---- how numbers are written ----
{ echo 'x,z,y'; awk '{ z = $3; sub(/...$/, ",&", z); printf "%s,\"$%s\",%s\n", $2, z, $4 }' \
    "$tmp/rows"; } >"$tmp/thousands.csv"
learns thousands.csv y "column 'z': '\$1,550' is read as 1550"
{ echo 'x,z,y'; awk '{ printf "%s %%,%s,%s\n", $2, $3, $4 }' "$tmp/rows"; } >"$tmp/percent.csv"
learns percent.csv y "column 'x': '1.75 %' is read as 1.75"

# ---- what is missing ----
{ echo 'x,z,y'; awk '{ w = NR == 3 ? "NA" : NR == 5 ? "nan" : NR == 7 ? "null" : NR == 9 ? "?" : $2
    printf "%s,%s,%s\n", w, $3, $4 }' "$tmp/rows"; } >"$tmp/words.csv"
"$rls2" train "$tmp/words.csv" -t y -k linear --lambda 1 -o "$tmp/model" >/dev/null 2>"$tmp/err"
grep -qF 'missing: NA (1 cell), nan (1 cell), null (1 cell), ? (1 cell)' "$tmp/err" ||
    fail "words: $(cat "$tmp/err")"
code=0
"$rls2" train "$tmp/words.csv" -t y --na NA >/dev/null 2>"$tmp/err" || code=$?
[ "$code" -eq 1 ] || fail "a list of words did not replace the usual ones"

# ---- dates: the model reads new rows as the training rows were written ----
{ echo 'day,y'; awk '{ printf "%02d/%02d/2001,%s\n", $1 % 28 + 1, $1 % 12 + 1, $1 % 12 }' \
    "$tmp/rows"; } >"$tmp/dates.csv"
"$rls2" train "$tmp/dates.csv" -t y --lambda 1e-6 -o "$tmp/model" >/dev/null 2>"$tmp/err"
grep -qF "column 'day': dates, day-month-year" "$tmp/err" || fail "dates: $(cat "$tmp/err")"
printf 'day\n02/03/2001\n' >"$tmp/day.csv"
"$rls2" predict "$tmp/model" "$tmp/day.csv" -q >"$tmp/slash"
printf 'day\n2 March 2001\n' >"$tmp/day.csv"
"$rls2" predict "$tmp/model" "$tmp/day.csv" -q >"$tmp/named"
cmp -s "$tmp/slash" "$tmp/named" || fail "02/03/2001 is not the second of March"

# ---- Parquet, through whatever python3 is ----
mkdir "$tmp/bin"
printf 'PAR1....PAR1' >"$tmp/table.parquet"
{ echo '"x","z","y"'; awk '{ printf "%s,%s,%s\n", $2, $3, $4 }' "$tmp/rows"; } >"$tmp/made.csv"
printf '#!/bin/sh\ncat "%s"\n' "$tmp/made.csv" >"$tmp/bin/python3"
chmod +x "$tmp/bin/python3"
PATH=$tmp/bin:$PATH learns table.parquet y
cat >"$tmp/bin/python3" <<"END"
#!/bin/sh
echo "pyarrow is not installed" >&2
exit 1
END
code=0
PATH=$tmp/bin:$PATH "$rls2" train "$tmp/table.parquet" -t y >"$tmp/out" 2>"$tmp/err" || code=$?
[ "$code" -eq 1 ] || fail "a Parquet file that cannot be read gave $code"
grep -qF 'table.parquet: pyarrow is not installed' "$tmp/err" || fail "Parquet: $(cat "$tmp/err")"

echo "raw tables are understood"
