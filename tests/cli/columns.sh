#!/usr/bin/env bash
# Columns that nobody means to learn from: left out, said, and kept where asked for.
set -euo pipefail

# shellcheck source=tests/support/script.sh
source "$(dirname "$0")/../support/script.sh"

awk 'BEGIN { print "id,age,wage,unit,logwage,years"
    for (i = 1; i <= 60; i++) {
        age = 20 + (i * 7) % 41; wage = 40 + 3 * age + 9 * sin(i * i)
        printf "%d,%d,%.4f,EUR,%.6f,%d\n", 1000 + i, age, wage, log(wage), age } }' >"$tmp/wage.csv"

"$rls2" train "$tmp/wage.csv" -t wage -o "$tmp/model" >"$tmp/out" 2>"$tmp/err" ||
    fail "train: $(cat "$tmp/err")"
for line in \
    "column 'id' only names the rows: left out (--columns all keeps it)" \
    "column 'unit' has the same value in every row: left out (--columns all keeps it)" \
    "column 'logwage' gives the target away: left out (--columns all keeps it)" \
    "column 'years' says the same as 'age': left out (--columns all keeps it)"; do
    grep -qF "$line" "$tmp/err" || fail "not said: $line; but: $(cat "$tmp/err")"
done
grep -q 'inputs: 1 numeric; 4 left out' "$tmp/err" || fail "inputs: $(cat "$tmp/err")"

# The model has no use for them, and new rows need not have them.
printf 'age\n30\n50\n' >"$tmp/new.csv"
[ "$("$rls2" predict "$tmp/model" "$tmp/new.csv" -q | wc -l)" -eq 3 ] || fail "predict"

# All of them are inputs where that is asked for, or one that is named.
prints 'inputs: 4 numeric, 1 text' kernels "$tmp/wage.csv" -t wage --columns all -k linear
"$rls2" kernels "$tmp/wage.csv" -t wage --columns all -k linear 2>&1 | cat >"$tmp/all"
! grep -q 'left out' "$tmp/all" || fail "--columns all leaves out: $(cat "$tmp/all")"
prints 'linear@logwage' kernels "$tmp/wage.csv" -t wage -k 'linear@age,logwage'
refuses "'most' is not one of auto, all" kernels "$tmp/wage.csv" -t wage --columns most

# A single input is what there is to learn from, even where it tells the target exactly.
awk 'BEGIN { OFS = ","; print "x,y"
    for (i = 0; i < 40; i++) print i * i, 1000 + 20 * (i * i - 50) }' >"$tmp/line.csv"
prints 'inputs: 1 numeric$' kernels "$tmp/line.csv" -t y

# What each column is taken for, in the list and in JSON.
"$rls2" kernels "$tmp/wage.csv" -t wage -q --top 1 >"$tmp/list"
for line in '  age      numbers' '  wage     target: numbers' \
    '  id       left out: only names the rows' "  years    left out: says the same as 'age'"; do
    grep -qxF "$line" "$tmp/list" || fail "no line '$line': $(cat "$tmp/list")"
done
printf 'y,f,c,d\n1,3,u,\n2,4,v,1\n3,3,u,2\n4,3,v,4\n5,4,u,3\n' >"$tmp/small.csv"
"$rls2" kernels "$tmp/small.csv" -t c --categorical f -q --json >"$tmp/json"
python3 - "$tmp/json" <<'CHECK' || fail "columns: $(cat "$tmp/json")"
import json, sys
columns = json.load(open(sys.argv[1]))["columns"]
found = [(c["name"], c["role"], c["kind"], c["values"], c["missing"]) for c in columns]
assert found == [("y", "input", "numbers", 5, 0), ("f", "input", "categories", 2, 0),
                 ("c", "target", "categories", 2, 0), ("d", "input", "numbers", 4, 1)], found
CHECK

# Columns that give the target away together are said: they may be causes, and stay.
awk 'BEGIN { print "casual,regular,all"
    for (i = 0; i < 40; i++) {
        a = (i * 17) % 23; b = (i * 5) % 41
        print a "," b "," a + b } }' >"$tmp/sum.csv"
exact="left-out rows are predicted almost exactly: are columns parts of 'all', or made of it?"
"$rls2" train "$tmp/sum.csv" -t all -o "$tmp/model" >"$tmp/out" 2>"$tmp/err" || fail "a sum"
grep -qF "$exact" "$tmp/err" || fail "not said of a sum: $(cat "$tmp/err")"
"$rls2" train "$tmp/sum.csv" -t all --drop casual -o "$tmp/model" >"$tmp/out" 2>"$tmp/err" ||
    fail "a part of a sum"
! grep -qF 'almost exactly' "$tmp/err" || fail "said of a part: $(cat "$tmp/err")"
