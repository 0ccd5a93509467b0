#!/usr/bin/env bash
# Losses other than the square one through every command: what is said of them, and the numbers,
# computed once more from the predictions alone.
set -euo pipefail
rls2=$1
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT

fail() { echo "FAILED: $*"; exit 1; }

says() { # TEXT FILE
    grep -qF -- "$1" "$2" || fail "'$1' is not in $2: $(cat "$2")"
}

refused() { # CODE TEXT ARGUMENTS...
    local wanted=$1 text=$2 code=0
    shift 2
    "$rls2" "$@" >"$tmp/out" 2>"$tmp/err" </dev/null || code=$?
    [ "$code" -eq "$wanted" ] || fail "rls2 $* ended with $code, not $wanted: $(cat "$tmp/err")"
    says "$text" "$tmp/err"
    [ ! -s "$tmp/out" ] || fail "rls2 $* printed $(head -n 1 "$tmp/out")"
}

near() { # A B: equal to six digits
    awk -v a="$1" -v b="$2" 'BEGIN { d = a - b; exit !(d * d <= 1e-12 * (a * a + b * b) / 2) }' ||
        fail "$1 is not $2 ($3)"
}

column() { # FILE EXPRESSIONS: of the JSON, which is d
    python3 -c "import json, sys; d = json.load(open('$1')); print($2)"
}

# ---- two classes with probabilities ----
heart="data/heart.csv -t class -k linear --lambda 0.01"
# shellcheck disable=SC2086
"$rls2" train $heart --loss logistic -o "$tmp/h.model" >"$tmp/train" 2>"$tmp/err"
says 'loss          logistic, intercept free' "$tmp/train"
says ' log-loss, ' "$tmp/train"
says ' accuracy for always predicting the larger class' "$tmp/train"
# shellcheck disable=SC2086
"$rls2" train $heart --probability -o "$tmp/same.model" -q >/dev/null
cmp "$tmp/h.model" "$tmp/same.model" || fail "--probability is not --loss logistic"

"$rls2" predict "$tmp/h.model" data/heart.csv --probability --keep class >"$tmp/p.csv" 2>"$tmp/err"
[ "$(head -n 1 "$tmp/p.csv")" = class,prediction,score,probability_1,probability_2 ] ||
    fail "the header is $(head -n 1 "$tmp/p.csv")"
# probabilities are those of the odds, sum to 1, and say the class; log-loss, Brier and accuracy
awk -F, 'NR > 1 {
    p = 1 / (1 + exp(-$3)); sum = $4 + $5
    if ($4 <= 0 || $4 >= 1 || $5 <= 0 || $5 >= 1) { print "not in (0, 1): " $0; bad = 1 }
    if ((sum - 1)^2 > 1e-24 || (p - $5)^2 > 1e-24) { print "wrong: " $0; bad = 1 }
    if ($2 != ($5 >= 0.5 ? 2 : 1)) { print "the other class: " $0; bad = 1 }
    q = $1 == 2 ? $5 : $4; loss -= log(q); brier += ($5 - ($1 == 2))^2; right += $1 == $2; n++
    } END { printf "%.9g %.9g %.9g\n", loss / n, brier / n, right / n; exit bad }' "$tmp/p.csv" \
    >"$tmp/own" || fail "probabilities: $(cat "$tmp/own")"
auc=$(awk -F, 'NR > 1 { s[NR] = $3; y[NR] = $1 == 2 } END {
    for (i in s) for (j in s) if (y[i] && !y[j]) {
        all++; w += s[i] > s[j] ? 1 : s[i] == s[j] ? 0.5 : 0 }
    printf "%.9g", w / all }' "$tmp/p.csv")
read -r loss brier right <"$tmp/own"
told=$(sed 's/,//g' "$tmp/err")
set -- $told
[ "$1 $3 $5 $7" = 'log-loss brier auc accuracy' ] || fail "what is told: $told"
near "$2" "$(printf '%.6g' "$loss")" log-loss
near "$4" "$(printf '%.6g' "$brier")" brier
near "$6" "$(printf '%.6g' "$auc")" auc
near "$8" "$(printf '%.6g' "$right")" accuracy
# train says the same of these rows, and so does show, to whom nobody gave them
says "training rows $2 log-loss, $8 accuracy" "$tmp/train"
"$rls2" show "$tmp/h.model" >"$tmp/show"
says "fit           log-loss $(printf '%.4g' "$loss"), accuracy $(printf '%.4g' "$right")" \
    "$tmp/show"
says 'loss          logistic, intercept free' "$tmp/show"
! grep -qE 'R2|explain' "$tmp/show" || fail "show tells of a square loss: $(cat "$tmp/show")"
"$rls2" verify "$tmp/h.model" data/heart.csv >"$tmp/verify"
says 'loss                  logistic, intercept free' "$tmp/verify"
says 'the certificate holds' "$tmp/verify"

# JSON has the same
"$rls2" predict "$tmp/h.model" data/heart.csv --probability --json -q >"$tmp/p.json"
near "$(column "$tmp/p.json" "d['score']['log-loss']")" "$loss" 'score of the JSON'
near "$(column "$tmp/p.json" "d['score']['auc']")" "$auc" 'area of the JSON'
near "$(column "$tmp/p.json" "d['predictions'][7]['probabilities']['2']")" \
    "$(awk -F, 'NR == 9 { print $5 }' "$tmp/p.csv")" 'probability of the JSON'
[ "$(column "$tmp/p.json" "d['loss']")" = logistic ] || fail "JSON of predict without loss"
"$rls2" show "$tmp/h.model" --json >"$tmp/show.json"
near "$(column "$tmp/show.json" "d['train']['log-loss']")" "$loss" 'show --json'
[ "$(column "$tmp/show.json" "d['loss'], d['intercept_rule'], 'r2' in d['train']")" = \
    'logistic free False' ] || fail "show --json: $(cat "$tmp/show.json")"

# a row without a prediction has as many cells; a label that is none of the classes is told
awk -F, -v OFS=, 'NR == 3 { $13 = "" } NR == 5 { $14 = 9 } { print }' data/heart.csv \
    >"$tmp/gaps.csv"
"$rls2" predict "$tmp/h.model" "$tmp/gaps.csv" --probability --missing drop >"$tmp/g.csv" \
    2>"$tmp/err"
[ "$(sed -n 3p "$tmp/g.csv")" = NA,NA,NA,NA ] || fail "a row without: $(sed -n 3p "$tmp/g.csv")"
says 'counted as wrong by accuracy, and not at all by the other measures' "$tmp/err"

# ---- what models of other losses say to --probability and --std ----
# shellcheck disable=SC2086
for loss in square hinge squared-hinge; do
    "$rls2" train $heart --loss "$loss" -o "$tmp/$loss.model" -q >"$tmp/train"
    "$rls2" verify "$tmp/$loss.model" data/heart.csv -q >/dev/null || fail "$loss: not verified"
    refused 2 "--probability: the model was learned with $loss loss, which gives scores, not \
probabilities; train it with --loss logistic" predict "$tmp/$loss.model" data/heart.csv \
        --probability
    "$rls2" predict "$tmp/$loss.model" data/heart.csv --keep class >"$tmp/p.csv" 2>"$tmp/err"
    right=$(awk -F, 'NR > 1 { n++; r += $1 == $2 } END { printf "%.6g", r / n }' "$tmp/p.csv")
    says "accuracy $right on the 270 rows" "$tmp/err"
    says "training rows $right accuracy" "$tmp/train"
    "$rls2" show "$tmp/$loss.model" >"$tmp/show"
    says "fit           accuracy $(printf '%.4g' "$right") on the training rows" "$tmp/show"
done
refused 1 'the model has no variances: these are of the square loss with a constant intercept, '`
    `'and it was learned with hinge' predict "$tmp/hinge.model" data/heart.csv --std

# ---- more than two classes ----
"$rls2" train data/auto-mpg.csv -t origin --task classification --drop car_name -k linear \
    --lambda 0.001 --loss logistic -o "$tmp/o.model" -q >"$tmp/train"
"$rls2" predict "$tmp/o.model" data/auto-mpg.csv --probability --keep origin >"$tmp/p.csv" \
    2>"$tmp/err"
awk -F, 'NR > 1 {
    if (($6 + $7 + $8 - 1)^2 > 1e-24) { print "do not sum to 1: " $0; bad = 1 }
    for (k = 6; k <= 8; k++) if ($k <= 0 || $k >= 1) { print "not in (0, 1): " $0; bad = 1 }
    a = 1 / (1 + exp(-$3)); b = 1 / (1 + exp(-$4)); c = 1 / (1 + exp(-$5))
    if (($7 - b / (a + b + c))^2 > 1e-20) { print "not normalised: " $0; bad = 1 }
    loss -= log($(5 + $1)); n++ } END { printf "%.6g\n", loss / n; exit bad }' "$tmp/p.csv" \
    >"$tmp/own" || fail "three classes: $(cat "$tmp/own")"
says "log-loss $(cat "$tmp/own"), brier " "$tmp/err"
"$rls2" verify "$tmp/o.model" data/auto-mpg.csv -q >/dev/null || fail "three classes: not verified"

# ---- counts ----
# what is shown comes from c, what is predicted from the kernels: they agree to the root of the gap
"$rls2" train data/pima.csv -t pregnant -k linear --loss poisson --lambda 0.1 --gap-tol 1e-10 \
    -o "$tmp/c.model" >"$tmp/train" 2>/dev/null
says 'loss          poisson, intercept free' "$tmp/train"
"$rls2" predict "$tmp/c.model" data/pima.csv --keep pregnant --contributions >"$tmp/p.csv" \
    2>"$tmp/err"
awk -F, 'NR > 1 {
    log_rate = 0; for (k = 3; k <= NF; k++) log_rate += $k
    if (($2 - exp(log_rate))^2 > 1e-18 * $2 * $2) { print "not exp: " $0; bad = 1 }
    d += 2 * (($1 > 0 ? $1 * log($1 / $2) : 0) - $1 + $2); s += ($1 - $2)^2; n++
    } END { printf "deviance %.6g, rmse %.6g\n", d / n, sqrt(s / n); exit bad }' "$tmp/p.csv" \
    >"$tmp/own" || fail "rates: $(head -n 3 "$tmp/own")"
says "$(cat "$tmp/own") on the 768 rows whose 'pregnant' is known" "$tmp/err"
says "training rows $(awk '{ print $2 " deviance, " $4 " rmse" }' <(tr -d , <"$tmp/own"))" \
    "$tmp/train"
"$rls2" show "$tmp/c.model" >"$tmp/show"
says "fit           deviance $(awk '{ printf "%.4g", $2 }' "$tmp/own")" "$tmp/show"
"$rls2" verify "$tmp/c.model" data/pima.csv -q >/dev/null || fail "counts: not verified"
refused 2 '--probability: the model predicts numbers' predict "$tmp/c.model" data/pima.csv \
    --probability

# ---- quantiles, and losses that forgive ----
for loss in 'quantile(0.9)' absolute 'huber(2)' 'epsilon(1)'; do
    "$rls2" train data/prostate.csv -t lpsa --drop train -k linear --lambda 0.05 --loss "$loss" \
        -o "$tmp/r.model" >"$tmp/train" 2>/dev/null
    says "loss          $loss, intercept free" "$tmp/train"
    "$rls2" predict "$tmp/r.model" data/prostate.csv --keep lpsa >"$tmp/p.csv" 2>"$tmp/err"
    awk -F, 'NR > 1 { e = $1 - $2; p += e > 0 ? 0.9 * e : -0.1 * e; a += e > 0 ? e : -e
        s += e * e; n++; under += e <= 0 }
        END { printf "%.6g %.6g %.6g %.3g\n", p / n, a / n, sqrt(s / n), under / n }' \
        "$tmp/p.csv" >"$tmp/own"
    read -r pinball mae rmse under <"$tmp/own"
    case $loss in
    quantile*)
        says "pinball $pinball on the 97 rows" "$tmp/err"
        awk -v u="$under" 'BEGIN { exit !(u > 0.85 && u < 0.95) }' || fail "$under are below"
        says 'df            -' "$tmp/train"
        ;;
    *) says "mae $mae, rmse $rmse on the 97 rows" "$tmp/err" ;;
    esac
    "$rls2" verify "$tmp/r.model" data/prostate.csv -q >/dev/null || fail "$loss: not verified"
    "$rls2" show "$tmp/r.model" >/dev/null
done

# ---- intercepts ----
for rule in mean none; do
    # shellcheck disable=SC2086
    "$rls2" train $heart --loss logistic --intercept $rule -o "$tmp/i.model" -q >"$tmp/train"
    "$rls2" verify "$tmp/i.model" data/heart.csv --json >"$tmp/v.json" || fail "intercept $rule"
    [ "$(column "$tmp/v.json" "d['intercept_rule'], d['loss'], d['holds']")" = \
        "$rule logistic True" ] || fail "intercept $rule: $(cat "$tmp/v.json")"
done
says 'loss          logistic, no intercept' "$tmp/train"
# shellcheck disable=SC2086
"$rls2" train $heart --intercept free -o "$tmp/i.model" -q >"$tmp/train"
says 'loss          square, intercept free' "$tmp/train"
"$rls2" verify "$tmp/i.model" data/heart.csv -q >/dev/null || fail "square with a free intercept"

# ---- paths and curves ----
# shellcheck disable=SC2086
"$rls2" path data/heart.csv -t class -k linear --loss logistic --lambdas 1e-3:1:4 --json -q \
    >"$tmp/path.json"
[ "$(column "$tmp/path.json" "d['loss'], sorted(d['path'][0]['train'])")" = \
    "logistic ['accuracy', 'log-loss']" ] || fail "path --json: $(head -n 30 "$tmp/path.json")"
[ "$(column "$tmp/path.json" "len({p['intercept'] for p in d['path']})")" = 4 ] ||
    fail "a free intercept is the same at all points"
"$rls2" path data/heart.csv -t class -k linear --loss logistic --lambdas 1e-3:1:4 -q >"$tmp/path"
says 'train log-loss  train accuracy' "$tmp/path"
says 'loss: logistic, intercept free' "$tmp/path"
"$rls2" plot "$tmp/path.json" --kind scores --json >"$tmp/scores.json"
near "$(column "$tmp/scores.json" "d['series'][0]['values'][-1]")" \
    "$(column "$tmp/path.json" "d['path'][-1]['train']['log-loss']")" 'scores along the path'
"$rls2" cv data/heart.csv -t class -k linear --loss logistic --lambdas 1e-3:1:4 -q >"$tmp/cv"
says 'Loss: logistic, intercept free' "$tmp/cv"
"$rls2" cv data/heart.csv -t class -k linear --loss logistic --lambdas 1e-3:1:4 -q --json \
    >"$tmp/cv.json"
# the mean over ten folds of 27 rows is that over all rows
near "$(column "$tmp/cv.json" "sum(__import__('math').log(1 + __import__('math').exp(
    -f if k else f)) for f, k in zip(d['left_out']['scores'][0], d['left_out']['class'])) / 270")" \
    "$(column "$tmp/cv.json" "d['cvm'][d['index']['min'] - 1]")" 'log-loss of left-out rows'
near "$(column "$tmp/cv.json" "min(a + b for a, b in zip(*d['left_out']['probabilities']))")" 1 \
    'probabilities of left-out rows'

# ---- slips ----
refused 2 "--loss: no loss is called 'logistc' (did you mean 'logistic'?)" \
    train data/heart.csv -t class --loss logistc
refused 2 'the loss quantile needs a number between 0 and 1, as in quantile(0.9)' \
    train data/housing.csv -t MEDV --loss quantile
refused 2 'the loss quantile needs a number between 0 and 1, not 2' \
    train data/housing.csv -t MEDV --loss 'quantile(2)'
refused 2 '--loss poisson is for numbers, and the target is a class' \
    train data/heart.csv -t class --loss poisson
refused 2 '--loss logistic is for classes, and the target is a number' \
    train data/housing.csv -t MEDV --loss logistic
printf 'a,y\n1,2\n2,-1\n3,4\n4,5\n' >"$tmp/negative.csv"
refused 1 'negative.csv:3: the target is -1; counts, as --loss poisson takes them, are not '`
    `'negative' train "$tmp/negative.csv" -t y --loss poisson
refused 2 '--measure log-loss needs --loss logistic, and it is hinge' \
    cv data/heart.csv -t class --loss hinge --measure log-loss
refused 2 '--select gcv is not defined for --loss hinge' \
    train data/heart.csv -t class --loss hinge --select gcv

# ---- several quantiles, and classes that share weights ----
"$rls2" train data/prostate.csv -t lpsa --drop train -k linear --lambda 0.05 -o "$tmp/q.model" \
    --loss 'quantile(0.1,0.5,0.9)' >"$tmp/train" 2>/dev/null
says 'loss          quantile(0.1,0.5,0.9), intercept free' "$tmp/train"
"$rls2" predict "$tmp/q.model" data/prostate.csv --keep lpsa >"$tmp/p.csv" 2>"$tmp/err"
awk -F, 'function pin(a, e) { return e > 0 ? a * e : (a - 1) * e }
    NR > 1 { if ($2 > $3 || $3 > $4) { print "crossing: " $0; bad = 1 }
    s += pin(0.1, $1 - $2) + pin(0.5, $1 - $3) + pin(0.9, $1 - $4); n++ }
    END { printf "pinball %.6g\n", s / n / 3; exit bad }' "$tmp/p.csv" >"$tmp/own" ||
    fail "quantiles: $(cat "$tmp/own")"
says "$(cat "$tmp/own") on the 97 rows" "$tmp/err"
says "training rows $(cut -d' ' -f2 "$tmp/own") pinball" "$tmp/train"

"$rls2" train data/auto-mpg.csv -t origin --task classification --drop car_name -k linear \
    --lambda 0.01 --loss logistic --outputs shared -o "$tmp/m.model" >"$tmp/train" 2>"$tmp/err"
says 'loss          multinomial, intercept free, shared kernel weights' "$tmp/train"
says 'classification, all classes together' "$tmp/err"
"$rls2" predict "$tmp/m.model" data/auto-mpg.csv --probability >"$tmp/p.csv" 2>/dev/null
awk -F, 'NR > 1 { a = exp($2); b = exp($3); c = exp($4)
    if (($6 - b / (a + b + c))^2 > 1e-20) { print "not exp over their sum: " $0; bad = 1 }
    } END { exit bad }' "$tmp/p.csv" >"$tmp/own" || fail "multinomial: $(head -n 3 "$tmp/own")"
