#!/usr/bin/env bash
# More than two classes, and several targets: train, path, cv.
set -euo pipefail

# shellcheck source=tests/support/script.sh
source "$(dirname "$0")/../support/script.sh"

# ---- three classes: where a car comes from ----
origin=(data/auto-mpg.csv -t origin --drop car_name --standardize)
prints 'only 3 different values: if they are classes, --task classification' path "${origin[@]}" \
    -k linear
three=("${origin[@]}" --task classification -k 'linear; rbf(0.1)@all')
prints "3 classes, '1' (245 rows), '2' (68 rows), '3' (79 rows): classification, each class" train \
    "${three[@]}" --lambda 0.01
for line in '^kernels .* in all:$' '^ *1  *[0-9]' '^ *3  *[0-9]' \
    '^relative gap .* at most, certified$' 'for always predicting the largest class'; do
    grep -q "$line" "$tmp/printed" || fail "train does not print '$line': $(cat "$tmp/printed")"
done
"$rls2" cv "${three[@]}" --folds 5 --confusion -q >"$tmp/text"
grep -q 'Measure: accuracy' "$tmp/text" || fail "not the accuracy: $(cat "$tmp/text")"
[ "$(awk '/^[123] / { sum += $2 + $3 + $4 } END { print sum }' "$tmp/text")" = 392 ] ||
    fail "confusion: $(cat "$tmp/text")"
awk '/^[123] / { right += $($1 + 1) } END { exit !(right / 392 > 0.7) }' "$tmp/text" ||
    fail "confusion: $(cat "$tmp/text")"
for measure in balanced-accuracy auc errors; do
    prints "Measure: $measure" cv "${three[@]}" --folds 3 --measure $measure -q
done
refuses 'is for regression' cv "${three[@]}" --measure rmse
"$rls2" cv "${three[@]}" --folds 4 --json --threads 1 -q >"$tmp/one"
"$rls2" cv "${three[@]}" --folds 4 --json --threads 2 -q >"$tmp/two"
cmp -s "$tmp/one" "$tmp/two" || fail "two threads give another answer"

# the path: three answers at each lambda, and each is that of the class against the others
"$rls2" path "${three[@]}" --lambdas 0.01:1:3 --json -q >"$tmp/path"
[ "$(grep -c '"name": "2"' "$tmp/path")" -eq 3 ] || fail "the path: $(head -n 60 "$tmp/path")"
grep -q '"kernels":' "$tmp/path" || fail "the path does not count kernels"
awk -F, -v OFS=, \
    'NR == 1 { for (i = 1; i <= NF; i++) if ($i == "origin") at = i }
     NR > 1 { $at = $at == 2 ? "b" : "a" } 1' \
    data/auto-mpg.csv >"$tmp/against.csv"
"$rls2" path "$tmp/against.csv" -t origin --drop car_name --standardize -k 'linear; rbf(0.1)@all' \
    --lambdas 0.01:1:3 --json -q \
    >"$tmp/against"
objective() { sed -n 's/^ *"objective": \([-0-9.e+]*\),$/\1/p' "$1"; }
grep -A1 '"name": "2"' "$tmp/path" | sed -n 's/.*"objective": \([-0-9.e+]*\),$/\1/p' >"$tmp/a"
objective "$tmp/against" >"$tmp/b"
paste "$tmp/a" "$tmp/b" |
    awk '{ d = $1 - $2; if (d < 0) d = -d; if (d > 2e-6 * $2) exit 1 } END { exit NR != 3 }' ||
    fail "class 2 against the others: $(paste "$tmp/a" "$tmp/b")"

# chosen, saved, verified, and the labels come back as they were written
awk -F, -v OFS=, 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == "origin") at = i }
    NR > 1 { $at = $at == 1 ? "America" : $at == 2 ? "\"Europe, West\"" : "Japan=Nippon" } 1' \
    data/auto-mpg.csv >"$tmp/named.csv"
named=("$tmp/named.csv" -t origin --drop car_name --standardize -k linear)
"$rls2" train "${named[@]}" --folds 5 --rule 1se -o "$tmp/cars.model" >"$tmp/text" 2>&1 ||
    fail "train: $(cat "$tmp/text")"
grep -q 'Europe, West' "$tmp/text" || fail "train: $(cat "$tmp/text")"
"$rls2" verify "$tmp/cars.model" "$tmp/named.csv" -q >/dev/null || fail "cars.model is not verified"
"$rls2" predict "$tmp/cars.model" "$tmp/named.csv" -q >"$tmp/predicted" || fail "predict"
grep -q '^"Europe, West",' "$tmp/predicted" ||
    fail "the label is not as it was written: $(head -n 3 "$tmp/predicted")"
for criterion in gcv cp loo; do
    prints "^$criterion .*the least along the path" train "${named[@]}" --select $criterion -q
done

# a point of a path is printed as itself, not as the first of the path: kernels and df of each class
lines() { awk '/^ +(America|Europe, West|Japan=Nippon) / { print $(NF - 2), $(NF - 1) }' "$1"; }
"$rls2" train "${named[@]}" --lambda 0.01 -q >"$tmp/alone"
"$rls2" train "${named[@]}" --lambda 0.01 --lambdas 10,1,0.01 -q >"$tmp/along"
[ "$(lines "$tmp/along" | wc -l)" -eq 3 ] || fail "no line for each class: $(cat "$tmp/along")"
[ "$(lines "$tmp/alone")" = "$(lines "$tmp/along")" ] ||
    fail "other classes: $(cat "$tmp/alone" "$tmp/along")"

# fisher scaling is that of each class
prints 'certified' train "${named[@]}" --scaling fisher-sqrt --lambda 0.1 -q
refuses 'needs classes' train data/housing.csv -t MEDV --scaling fisher --lambda 1

# a class of one row, and names that are not classes
{ head -n 40 data/auto-mpg.csv; tail -n 40 data/auto-mpg.csv; } >"$tmp/rare.csv"
awk -F, -v OFS=, \
    'NR == 1 { for (i = 1; i <= NF; i++) if ($i == "origin") at = i } NR == 7 { $at = "9" } 1' \
    "$tmp/rare.csv" >"$tmp/rarer.csv"
prints "class '9' has a single row" train "$tmp/rarer.csv" -t origin --drop car_name \
    --task classification -k linear --folds 4
refuses 'too many to be classes' train data/auto-mpg.csv -t car_name \
    --task classification -k linear --lambda 1

# ---- two targets ----
two=(data/cpu.csv -t PRP -t ERP --drop model --drop vendor --standardize -k 'linear; rbf(0.1)@all')
prints "2 targets, 'PRP', 'ERP': numbers: regression" train "${two[@]}" --lambda 0.01 \
    -o "$tmp/cpu.model"
grep -q '^training rows .* r2$' "$tmp/printed" || fail "not r2: $(cat "$tmp/printed")"
"$rls2" verify "$tmp/cpu.model" data/cpu.csv -q >/dev/null || fail "cpu.model is not verified"
"$rls2" path "${two[@]}" --lambda 0.01 --json -q | grep -A1 '"name": "ERP"' |
    sed -n 's/.*"objective": \([-0-9.e+]*\),$/\1/p' >"$tmp/a"
"$rls2" path data/cpu.csv -t ERP --drop PRP --drop model --drop vendor \
    --standardize -k 'linear; rbf(0.1)@all' --lambda 0.01 --json -q \
    >"$tmp/alone"
objective "$tmp/alone" >"$tmp/b"
paste "$tmp/a" "$tmp/b" |
    awk '{ d = $1 - $2; if (d < 0) d = -d; exit !($2 > 0 && d <= 2e-6 * $2) }' ||
    fail "ERP alone: $(paste "$tmp/a" "$tmp/b")"
prints 'Measure: r2' cv "${two[@]}" --folds 4 -q
refuses 'ERP' train data/cpu.csv -t ERP -t ERP --lambda 1 --drop model --drop vendor
refuses 'vendor' train data/cpu.csv -t ERP -t vendor --lambda 1 --drop model
refuses '--task classification takes one target, and there are 2' train "${two[@]}" --lambda 1 \
    --task classification
refuses 'one by one: -t PRP -t ERP' train data/cpu.csv -t PRP,ERP --lambda 1
refuses 'the columns are vendor' train data/cpu.csv -t PRP,nothing --lambda 1
grep -q -- --no-header "$tmp/printed" || fail "no hint: $(cat "$tmp/printed")"

# a file whose y has several columns: those that are not asked for are no inputs
mat=tests/data/mat/h5py-matrix-y.mat
prints "2 targets, 'y1', 'y2'" path $mat -k linear --lambda 1
prints 'the other columns of y are targets too, and no inputs' path $mat -t y1 -k linear --lambda 1
grep -q 'inputs: 2 numeric; 1 left out' "$tmp/printed" ||
    fail "y2 is an input: $(cat "$tmp/printed")"
prints 'inputs: 1 numeric' path $mat -t y1 -t y2 --drop x1 -k linear --lambda 1
! grep -q 'targets too' "$tmp/printed" || fail "nothing was left out: $(cat "$tmp/printed")"
refuses "columns of y are called 'y1', 'y2'" path $mat -t y --lambda 1
refuses 'the columns are x1, x2, y1, y2' path $mat -t z --lambda 1
! grep -q -- --no-header "$tmp/printed" ||
    fail "a hint on lines of a file that has none: $(cat "$tmp/printed")"

# ---- what is said of the data ----
head -n 16 data/auto-mpg.csv | cut -d, -f1,4,5 >"$tmp/few.csv"
awk -F, -v OFS=, 'NR == 1 { print $0, "code", "half" } NR > 1 { print $0, NR % 3, NR % 3 / 2 }' \
    "$tmp/few.csv" >"$tmp/codes.csv"
prints 'only 3 different values: if they are classes' path "$tmp/codes.csv" -t code -k linear \
    --lambda 1
prints 'numbers: regression' path "$tmp/codes.csv" -t half -k linear --lambda 1
! grep -q 'different values' "$tmp/printed" || fail "halves are no classes: $(cat "$tmp/printed")"
awk 'NR <= 9' "$tmp/codes.csv" >"$tmp/fewer.csv"
prints 'numbers: regression' path "$tmp/fewer.csv" -t code -k linear --lambda 1
! grep -q 'different values' "$tmp/printed" || fail "8 rows of 3 values: $(cat "$tmp/printed")"

# ---- the intercept: where all kernels are linear nothing else tells that one class is larger ----
intercepts() { sed -n 's/^ *"intercept": \([-0-9.e+]*\),$/\1/p' "$tmp/printed"; }
prints intercept path data/pima.csv -t diabetes --task classification --standardize -k linear \
    --lambda 0.1 --json -q
intercepts | awk '{ d = $1 + (500 - 268) / 768; exit !(d < 1e-12 && d > -1e-12) }' ||
    fail "linear: $(intercepts)"
for other in '-k linear --intercept none' '-k linear --class-weights balanced' '-k rbf(0.1)@all' \
    '-k linear;rbf(0.1)@all'; do
    prints intercept path data/pima.csv -t diabetes --task classification --standardize $other \
        --lambda 0.1 --json -q
    [ "$(intercepts)" = 0 ] || fail "$other: $(intercepts)"
done
# and cross-validation is of the same model
"$rls2" cv "${origin[@]}" --task classification -k linear --folds 5 --no-baselines --json -q \
    >"$tmp/auto"
"$rls2" cv "${origin[@]}" --task classification -k linear --folds 5 --no-baselines \
    --intercept mean --json -q >"$tmp/mean"
cmp -s "$tmp/auto" "$tmp/mean" || fail "cv does not take the mean for linear kernels"
"$rls2" cv "${origin[@]}" --task classification -k linear --folds 5 --no-baselines \
    --intercept none --json -q >"$tmp/none"
! cmp -s "$tmp/auto" "$tmp/none" || fail "cv takes no intercept for linear kernels"

# ---- labels of many bytes ----
awk -F, -v OFS=, 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == "origin") at = i }
    NR > 1 { $at = $at == 1 ? "América" : $at == 2 ? "Österreich" : "Japan" } 1' \
    data/auto-mpg.csv >"$tmp/accents.csv"
"$rls2" train "$tmp/accents.csv" -t origin --drop car_name --standardize -k linear --lambda 0.1 -q \
    >"$tmp/text"
for label in América Österreich Japan; do grep "^ *$label " "$tmp/text"; done |
    sed 's/é/x/g; s/Ö/x/g' | awk '{ print length }' | sort -u >"$tmp/widths"
[ "$(wc -l <"$tmp/widths")" -eq 1 ] || fail "lines of different widths: $(cat "$tmp/text")"
echo "ok"
