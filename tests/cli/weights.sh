#!/usr/bin/env bash
# --row-weights and --class-weights are rows repeated; --validation rows choose lambda.
set -euo pipefail

# shellcheck source=tests/support/script.sh
source "$(dirname "$0")/../support/script.sh"
value() { sed -n "s/^ *\"$1\": \([-0-9.e+]*\),\{0,1\}\$/\1/p" "$2"; }
alike() { # A B TOLERANCE: numbers, line by line
    paste "$1" "$2" |
        awk -v tol="$3" '{ d = $1 - $2; if (d < 0) d = -d; s = $2 < 0 ? -$2 : $2
            if (NF != 2 || d > tol * (s + 1e-12)) exit 1 }
        END { exit NR == 0 }'
}

# ---- rows that stand for several ----
awk -F, -v OFS=, 'NR == 1 { print $0, "copies" } NR > 1 { print $0, NR % 4 }' data/prostate.csv \
    >"$tmp/weighted.csv"
awk -F, -v OFS=, 'NR == 1 { print; next } { for (i = 0; i < NR % 4; i++) print }' \
    data/prostate.csv >"$tmp/repeated.csv"
how=(-t lpsa --drop train --standardize -k 'linear; rbf(0.1)@all; poly(2)@each'
    --lambdas 0.01:1:5 --gap-tol 1e-10)
"$rls2" path "$tmp/weighted.csv" --row-weights copies "${how[@]}" --json >"$tmp/a.json" 2>"$tmp/err"
"$rls2" path "$tmp/repeated.csv" "${how[@]}" --json -q >"$tmp/b.json"
grep -q "row weights: column 'copies'" "$tmp/err" || fail \
    "the weights are not told: $(cat "$tmp/err")"
grep -q '24 rows of weight 0 left out; 73 remain' "$tmp/err" || fail \
    "rows left out are not told: $(cat "$tmp/err")"
"$rls2" path "$tmp/weighted.csv" --weights copies "${how[@]}" --json -q >"$tmp/former.json"
diff <(grep -v seconds "$tmp/a.json") <(grep -v seconds "$tmp/former.json") >/dev/null ||
    fail "the former name of --row-weights means something else"
for key in objective df intercept rmse; do
    value $key "$tmp/a.json" >"$tmp/a"
    value $key "$tmp/b.json" >"$tmp/b"
    alike "$tmp/a" "$tmp/b" 1e-6 ||
        fail "$key of weighted and of repeated rows: $(paste "$tmp/a" "$tmp/b")"
done

# what is left out, and why
sed '3s/^[^,]*//' "$tmp/weighted.csv" >"$tmp/holes.csv"
for said in '24 rows of weight 0 left out; 73 remain' \
    '1 of 73 rows has an empty cell .*: left out; 72 remain'; do
    prints "$said" path "$tmp/holes.csv" --row-weights copies "${how[@]:0:7}" --lambda 1
done
sed '3s/^[^,]*//' data/prostate.csv >"$tmp/hole.csv"
prints '1 of 97 rows has an empty cell .*: left out; 96 remain' path "$tmp/hole.csv" \
    "${how[@]:0:7}" --lambda 1
test=(-t lpsa --standardize -k linear --lambda 1)
prints 'test: 26 rows; 4 more of weight 0 left out' path "$tmp/weighted.csv" --row-weights copies \
    "${test[@]}" --test-rows train=F
prints 'test: 97 rows, each counted once: there is no column .copies. of weights' path \
    "$tmp/weighted.csv" --row-weights copies \
    "${test[@]}" --drop train --test data/prostate.csv

# shares are no counts of rows
awk -F, -v OFS=, 'NR == 1 { print $0, "share" } NR > 1 { print $0, NR < 66 ? 1 / 64 : 0 }' \
    data/prostate.csv >"$tmp/shares.csv"
refuses 'the weights sum to 1: a weight says how many rows' path "$tmp/shares.csv" --row-weights \
    share "${test[@]}" --drop train
prints 'count as 1 row; multiply them by 64 to let a row count once on average' path \
    "$tmp/shares.csv" --row-weights share \
    -t lpsa -k linear --lambda 1 --drop train

# the model remembers, predicts and is verified
"$rls2" train "$tmp/weighted.csv" --row-weights copies "${how[@]:0:7}" --lambda 0.1 -q -o \
    "$tmp/w.model" >/dev/null
"$rls2" train "$tmp/repeated.csv" "${how[@]:0:7}" --lambda 0.1 -q -o "$tmp/r.model" >/dev/null
"$rls2" verify "$tmp/w.model" "$tmp/weighted.csv" -q >/dev/null || fail "w.model is not verified"
for extra in '' --std; do
    "$rls2" predict "$tmp/w.model" data/prostate.csv -q $extra | tail -n +2 | tr , '\n' >"$tmp/a"
    "$rls2" predict "$tmp/r.model" data/prostate.csv -q $extra | tail -n +2 | tr , '\n' >"$tmp/b"
    alike "$tmp/a" "$tmp/b" 1e-3 ||
        fail "predictions $extra, weighted and repeated: $(paste "$tmp/a" "$tmp/b" | head -n 4)"
done
awk -F, -v OFS=, 'NR == 9 { $NF = 7 } 1' "$tmp/weighted.csv" >"$tmp/changed.csv"
refuses 'NOT hold' verify "$tmp/w.model" "$tmp/changed.csv"

# folds that keep the copies of a row together
awk -F, -v OFS=, 'NR == 1 { print $0, "copies", "part" } NR > 1 { print $0, NR % 4, "p" NR % 5 }' \
    data/prostate.csv >"$tmp/weighted.csv"
awk -F, -v OFS=, \
    'NR == 1 { print $0, "part"; next } { for (i = 0; i < NR % 4; i++) print $0, "p" NR % 5 }' \
        data/prostate.csv >"$tmp/repeated.csv"
"$rls2" cv "$tmp/weighted.csv" --row-weights copies "${how[@]}" --fold-column part --json -q \
    >"$tmp/a.json"
"$rls2" cv "$tmp/repeated.csv" "${how[@]}" --fold-column part --json -q >"$tmp/b.json"
value cvm "$tmp/a.json" >"$tmp/a" # of the baselines
value cvm "$tmp/b.json" >"$tmp/b"
[ -s "$tmp/a" ] || fail "no baselines"
alike "$tmp/a" "$tmp/b" 1e-4 || fail "baselines: $(paste "$tmp/a" "$tmp/b")"
sed -n '/"cvm": \[/,/\]/p' "$tmp/a.json" | tr -d ' ,' | grep '^[0-9]' >"$tmp/a"
sed -n '/"cvm": \[/,/\]/p' "$tmp/b.json" | tr -d ' ,' | grep '^[0-9]' >"$tmp/b"
alike "$tmp/a" "$tmp/b" 1e-4 || fail "cvm: $(paste "$tmp/a" "$tmp/b")"

# ---- classes that count more ----
heart=(data/heart.csv -t class --standardize -k linear)
prints "class '2': each row counts 3 times" train "${heart[@]}" --class-weights 2=3 --lambda 0.1
awk -F, -v OFS=, '{ print } NR > 1 && $NF == 2 { print; print }' data/heart.csv >"$tmp/thrice.csv"
"$rls2" path "${heart[@]/--standardize/--features=none}" --class-weights 2=3 --lambda 0.1 \
    --gap-tol 1e-10 --json -q >"$tmp/a.json"
"$rls2" path "$tmp/thrice.csv" -t class --features=none -k linear --lambda 0.1 --gap-tol 1e-10 \
    --json -q >"$tmp/b.json"
value objective "$tmp/a.json" >"$tmp/a"
value objective "$tmp/b.json" >"$tmp/b"
alike "$tmp/a" "$tmp/b" 1e-8 || fail "class weights: $(paste "$tmp/a" "$tmp/b")"
prints 'each row counts' train "${heart[@]}" --class-weights balanced --folds 4 \
    -o "$tmp/heart.model"
"$rls2" verify "$tmp/heart.model" data/heart.csv -q >/dev/null || fail "heart.model is not verified"
grep -q "class '1': each row counts" "$tmp/printed" ||
    fail "class 1 is not told: $(cat "$tmp/printed")"
prints "class '1': each row counts once" train "${heart[@]}" --class-weights 2=3 --lambda 0.1
for word in Balanced balance BALANCED; do
    refuses "^rls2 train: --class-weights: '$word' is not .*; did you mean 'balanced'?" train \
        "${heart[@]}" --class-weights $word --lambda 1 -q
done
refuses "^rls2 train: --class-weights: no class '3'" train "${heart[@]}" --class-weights 3=2 \
    --lambda 1 -q
! grep -q "balanced" "$tmp/printed" || fail "3=2 is not balanced: $(cat "$tmp/printed")"
refuses "did you mean\|no class" train "${heart[@]}" --class-weights 3=2 --lambda 1
refuses 'class' train data/housing.csv -t MEDV -k linear --class-weights balanced --lambda 1
refuses 'column' train "${heart[@]}" --row-weights nothing --lambda 1
awk -F, -v OFS=, 'NR == 1 { print $0, "w" } NR > 1 { print $0, NR == 5 ? -1 : 1 }' data/heart.csv \
    >"$tmp/negative.csv"
refuses ':5: .*-1' train "$tmp/negative.csv" -t class -k linear --row-weights w --lambda 1

# ---- lambda chosen on rows kept aside ----
awk -F, -v OFS=, 'NR == 1 { print $0, "use" } NR > 1 { print $0, NR % 3 ? "learn" : "choose" }' \
    data/prostate.csv >"$tmp/use.csv"
how=(-t lpsa --drop train --standardize -k linear)
prints 'validation: 32 rows' cv "$tmp/use.csv" "${how[@]}" --validation-rows use=choose
grep -q 'Measure: rmse, validation rows' "$tmp/printed" || fail "cv: $(cat "$tmp/printed")"
"$rls2" train "$tmp/use.csv" "${how[@]}" --validation-rows use=choose --json -q -o "$tmp/v.model" \
    >"$tmp/a.json"
awk -F, 'NR == 1 || $NF == "learn"' "$tmp/use.csv" >"$tmp/learn.csv"
awk -F, 'NR == 1 || $NF == "choose"' "$tmp/use.csv" >"$tmp/choose.csv"
"$rls2" train "$tmp/learn.csv" "${how[@]}" --drop use --validation "$tmp/choose.csv" --json -q \
    >"$tmp/b.json"
for key in n lambda objective cvm; do
    value $key "$tmp/a.json" >"$tmp/a"
    value $key "$tmp/b.json" >"$tmp/b"
    alike "$tmp/a" "$tmp/b" 1e-12 || fail "$key by file and by rows: $(paste "$tmp/a" "$tmp/b")"
done
# the score is that of the path on those rows
lambda=$(value lambda "$tmp/a.json" | head -n 1)
"$rls2" path "$tmp/learn.csv" "${how[@]}" --drop use --test "$tmp/choose.csv" --lambda "$lambda" \
    --json -q |
    sed -n '/"test"/,/}/p' >"$tmp/test"
value rmse "$tmp/test" >"$tmp/a"
value cvm "$tmp/b.json" | head -n 1 >"$tmp/b"
alike "$tmp/a" "$tmp/b" 1e-6 || fail "score on the validation rows: $(paste "$tmp/a" "$tmp/b")"
"$rls2" verify "$tmp/v.model" "$tmp/use.csv" --validation-rows use=choose -q >/dev/null || fail \
    "v.model is not verified"
refuses '--transductive-features' train "$tmp/use.csv" "${how[@]}" --row-weights age --test-rows \
    use=choose --transductive --lambda 1
refuses 'exclude each other' train "$tmp/use.csv" "${how[@]}" --validation "$tmp/choose.csv" \
    --validation-rows use=choose
refuses 'takes the place' train "$tmp/use.csv" "${how[@]}" --validation-rows use=choose --splits 3
refuses 'none of' train "$tmp/use.csv" "${how[@]}" --validation-rows use=nothing
refuses 'no column' train "$tmp/use.csv" "${how[@]}" --validation-rows nothing=1
prints '^validation .* (the best of the path)' train "$tmp/use.csv" "${how[@]}" \
    --validation-rows use=choose
! grep -q 'no standard error' "$tmp/printed" || fail "nobody asked for one: $(cat "$tmp/printed")"
prints 'one split has no standard error: the best lambda is taken' train "$tmp/use.csv" \
    "${how[@]}" --validation-rows use=choose --rule 1se
prints 'validation rows are left out: lambda is given' train "$tmp/use.csv" "${how[@]}" \
    --validation-rows use=choose --lambda 1
prints 'validation rows are left out: lambda is given' train "$tmp/learn.csv" "${how[@]}" --drop \
    use --validation "$tmp/choose.csv" --lambda 1
refuses '--select gcv are two ways' train "$tmp/use.csv" "${how[@]}" --validation-rows use=choose \
    --select gcv
# a class that only they have
awk -F, -v OFS=, 'NR > 1 { $NF = NR == 6 || NR == 9 ? "third" : $NF == 1 ? "first" : "second" } 1' \
    data/heart.csv |
    awk -F, -v OFS=, \
        'NR == 1 { print $0, "use" } NR > 1 { print $0, NR % 3 ? "learn" : "choose" }' \
        >"$tmp/third.csv"
refuses "third.csv:6: column 'class': the class 'third' of a validation row" cv "$tmp/third.csv" \
    -t class -k linear --validation-rows use=choose
awk -F, 'NR == 1 || $NF == "learn"' "$tmp/third.csv" >"$tmp/without.csv"
awk -F, 'NR == 1 || $NF == "choose"' "$tmp/third.csv" >"$tmp/with.csv"
refuses "with.csv:3: column 'class': the class 'third'" train "$tmp/without.csv" -t class \
    --drop use -k linear --validation "$tmp/with.csv"
cut -d, -f1-4 "$tmp/choose.csv" >"$tmp/narrow.csv"
refuses 'narrow.csv' train "$tmp/learn.csv" "${how[@]}" --drop use --validation "$tmp/narrow.csv"

# ---- precomputed kernels ----
awk -F, 'NR > 1 { n++; x[n] = $1 } END { for (i = 1; i <= n; i++) { line = ""
    for (k = 1; k <= n; k++)
        line = line (k > 1 ? "," : "") sprintf("%.17g", exp(-(x[i] - x[k]) ^ 2))
    print line } }' \
    "$tmp/use.csv" >"$tmp/gauss.csv"
given=("$tmp/use.csv" --given "g=$tmp/gauss.csv" --validation-rows use=choose)
"$rls2" train "${given[@]}" -t lpsa --drop train -k 'given(g); linear' -q -o "$tmp/g.model" \
    >/dev/null || fail "validation rows of a matrix"
"$rls2" verify "$tmp/g.model" "${given[@]}" -q >/dev/null || fail "g.model is not verified"
# a mean of the target that is zero but for rounding
"$rls2" train data/heart.csv -t class --standardize -k linear --intercept mean \
    --class-weights balanced --lambda 0.1 -q -o "$tmp/zero.model" >/dev/null
"$rls2" verify "$tmp/zero.model" data/heart.csv -q >/dev/null ||
    fail "an intercept near zero is not verified"
"$rls2" cv data/prostate.csv -t lpsa --drop train -k 'rbf(0.01)@all' --lambdas 0.01:1:5 --folds 4 \
    --no-baselines --json -q >"$tmp/a.json"
awk -F, 'NR > 1 { n++; for (j = 1; j <= 8; j++) x[n, j] = $j }
    END { for (i = 1; i <= n; i++) { line = ""
        for (k = 1; k <= n; k++) { d = 0; for (j = 1; j <= 8; j++) d += (x[i, j] - x[k, j]) ^ 2
            line = line (k > 1 ? "," : "") sprintf("%.17g", exp(-0.01 * d)) } print line } }' \
    data/prostate.csv >"$tmp/k.csv"
sed -n 1p data/prostate.csv >"$tmp/head"
"$rls2" cv data/prostate.csv -t lpsa --drop train --given "k=$tmp/k.csv" -k 'given(k)' \
    --lambdas 0.01:1:5 --folds 4 --no-baselines --json -q \
    >"$tmp/b.json"
for file in a b; do
    sed -n '/"cvm": \[/,/\]/p' "$tmp/$file.json" | tr -d ' ,' | grep '^[0-9]' >"$tmp/$file"
done
alike "$tmp/a" "$tmp/b" 1e-6 || fail "a matrix given: $(paste "$tmp/a" "$tmp/b")"
prints "paper, the default, two with learned widths, and the matrix 'k'" path data/prostate.csv \
    -t lpsa --drop train --drop svi --given "k=$tmp/k.csv" --lambda 1
prints "one on the two-valued column, two with learned widths, and the matrices 'k', 'other'" \
    path data/prostate.csv -t lpsa --drop train --given "k=$tmp/k.csv" \
    --given "other=$tmp/k.csv" --lambda 1

# ---- weights that no product has room for, where rows are counted ----
awk 'BEGIN {
    print "x,w,y"
    for (i = 0; i < 300; i++) printf "%d,%s,%d\n", i % 17, i == 41 ? "1e-150" : 2, i % 7
}' >"$tmp/tiny.csv"
refuses 'tiny.csv:43: the weight 1e-150 is not between 1e-100 and 1e+100' \
    train "$tmp/tiny.csv" -t y --row-weights w --tall
refuses "tiny.csv:43: column 'w': the weight 1e-150 is not between 1e-100 and 1e+100" \
    stats "$tmp/tiny.csv" -t y --row-weights w -o "$tmp/x"
echo "ok"
