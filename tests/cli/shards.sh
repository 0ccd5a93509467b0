#!/usr/bin/env bash
# Shards of a table: profiles and statistics of them add up to those of the whole, to the byte.
set -euo pipefail
# shellcheck source=tests/support/script.sh
. tests/support/script.sh

awk 'BEGIN {
    srand(5); print "a,b,c,day,y"
    for (i = 0; i < 4000; i++) {
        a = rand(); b = rand()
        printf "%s,%.4f,%s,%d.%d.2021,%.4f\n", i % 30 ? sprintf("%.5f", a) : "", b,
            i == 3999 ? "only here" : substr("uvw", 1 + int(3 * rand()), 1), 1 + int(28 * rand()),
            1 + int(12 * rand()), sin(6 * a) + 3 * a * b
    }
}' >"$tmp/table.csv"
head -n 1 "$tmp/table.csv" | tee "$tmp/1.csv" "$tmp/2.csv" "$tmp/3.csv" >"$tmp/4.csv"
awk -v to="$tmp/" 'NR > 1 { print > (to (NR % 7 == 0 ? 1 : NR % 3 ? 2 : 3) ".rows") }' \
    "$tmp/table.csv"
for i in 1 2 3; do sort -r "$tmp/$i.rows" >>"$tmp/$i.csv"; done # the fourth has no rows

# ---- the whole at once ----
"$rls2" stats "$tmp/table.csv" -t y -q -o "$tmp/whole.stats" >"$tmp/said"
"$rls2" stats "$tmp/table.csv" -t y -q --profile -o "$tmp/whole.profile" >"$tmp/said"

# ---- the four commands ----
for i in 1 2 3 4; do
    "$rls2" stats "$tmp/$i.csv" -t y -q --profile -o "$tmp/$i.profile" >"$tmp/said"
done
prints '4000 rows in 4 files' merge "$tmp"/[4213].profile -o "$tmp/all.profile"
cmp "$tmp/whole.profile" "$tmp/all.profile" || fail "another profile"
for i in 1 2 3 4; do
    "$rls2" stats "$tmp/$i.csv" -t y -q --like "$tmp/all.profile" -o "$tmp/$i.stats" >"$tmp/said"
done
prints '4000 rows in 4 files' merge "$tmp"/[3124].stats -o "$tmp/all.stats"
cmp "$tmp/whole.stats" "$tmp/all.stats" || fail "other statistics"

# ---- several files, and statistics of no rows ----
"$rls2" stats "$tmp"/[4321].csv -t y -q -o "$tmp/files.stats" >"$tmp/said"
cmp "$tmp/whole.stats" "$tmp/files.stats" || fail "other statistics of four files"
prints '0 rows, written' stats "$tmp/all.profile" -t y -o "$tmp/none.stats"
"$rls2" stats "$tmp"/[1234].csv -q --like "$tmp/none.stats" -o "$tmp/like.stats" >"$tmp/said"
cmp "$tmp/whole.stats" "$tmp/like.stats" || fail "other statistics like those of no rows"
prints 'learned from\|lambda' train "$tmp/all.stats"

# ---- what the first rows had not ----
printf 'a,b,c,day,y\n0.5,0.5,new,1.1.2021,1\n9.5,0.5,u,1.1.2021,1\n' >"$tmp/new.csv"
"$rls2" stats "$tmp/new.csv" --like "$tmp/whole.stats" -o "$tmp/new.stats" >"$tmp/said" \
    2>"$tmp/notes"
grep -q "column 'a': 1 row beyond the knots" "$tmp/notes" || fail "nothing is said of 9.5"
grep -q "column 'c': 1 row beyond the knots" "$tmp/notes" || fail "nothing is said of 'new'"
prints '"beyond": *1' show "$tmp/new.stats" --json

# ---- several files of a format that is read whole ----
awk -F, 'NR > 1 && $1 != "" { print $5 " 1:" $1 " 2:" $2 }' "$tmp/table.csv" >"$tmp/all.svm"
head -n 1000 "$tmp/all.svm" >"$tmp/first.svm"
tail -n +1001 "$tmp/all.svm" >"$tmp/rest.svm"
"$rls2" stats "$tmp/all.svm" -q -o "$tmp/one.stats" >"$tmp/said"
"$rls2" stats "$tmp/rest.svm" "$tmp/first.svm" -q -o "$tmp/two.stats" >"$tmp/said"
cmp "$tmp/one.stats" "$tmp/two.stats" || fail "other statistics of files that are read whole"

# ---- tables in memory, one below the other ----
prints '4000 rows' kernels "$tmp"/[123].csv -t y
prints '"rows": *4000' show "$tmp/all.profile" --json
prints 'profile of    4000 rows' show "$tmp/all.profile"

# ---- what does not go together ----
refuses 'has no rows' train "$tmp/all.profile" -t y
refuses 'no rows have been counted' train "$tmp/none.stats"
refuses "'rls2 merge' adds several up" train "$tmp/1.stats" "$tmp/2.stats"
refuses 'exclude each other' stats "$tmp/1.csv" --profile --like "$tmp/all.profile" -o "$tmp/x"
refuses 'made with other targets' stats "$tmp/1.csv" -t b --like "$tmp/all.profile" -o "$tmp/x"
refuses 'this is a profile of rls2, not a file of statistics' \
    merge "$tmp/1.stats" "$tmp/1.profile" -o "$tmp/x"
refuses 'this is a file of statistics of rls2, not a profile' \
    merge "$tmp/1.profile" "$tmp/1.stats" -o "$tmp/x"
printf 'a,b,c,d,y\n1,2,u,1.1.2021,3\n' >"$tmp/other.csv"
"$rls2" stats "$tmp/other.csv" -t y -q --profile -o "$tmp/other.profile" >"$tmp/said"
refuses "column 4 is 'd', not 'day'" merge "$tmp/all.profile" "$tmp/other.profile"
refuses "column 4 is 'd', not 'day'" stats "$tmp/1.csv" "$tmp/other.csv" -t y -o "$tmp/x"
[ ! -e "$tmp/x" ] || fail "a file was written after all"
