#!/usr/bin/env bash
# Prediction intervals and several quantiles through train, show, predict and their JSON.
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
}

prostate="data/prostate.csv -t lpsa --drop train -k linear"

# ---- one output ----
# shellcheck disable=SC2086
"$rls2" train $prostate --interval 0.9 --folds 5 -o "$tmp/m" >"$tmp/train" 2>"$tmp/err"
says 'intervals     0.9: ± ' "$tmp/train"
says '(left-out rows: 89 of 97 within)' "$tmp/train"
"$rls2" show "$tmp/m" >"$tmp/show"
says '(left-out rows: 89 of 97 within)' "$tmp/show"
"$rls2" predict "$tmp/m" data/prostate.csv --interval >"$tmp/csv" 2>"$tmp/err"
says "intervals of level 0.9 hold 'lpsa' of " "$tmp/err"
[ "$(head -n 1 "$tmp/csv")" = prediction,lower,upper ] || fail "$(head -n 1 "$tmp/csv")"
"$rls2" predict "$tmp/m" data/prostate.csv --interval --json >"$tmp/json" 2>/dev/null
"$rls2" show "$tmp/m" --json >"$tmp/model"
python3 - "$tmp" <<'PYTHON'
import csv, json, sys
tmp = sys.argv[1]
lines = list(csv.DictReader(open(tmp + "/csv")))
truth = [float(row["lpsa"]) for row in csv.DictReader(open("data/prostate.csv"))]
told, model = json.load(open(tmp + "/json")), json.load(open(tmp + "/model"))
width = model["interval"]["correction"]
assert model["interval"]["within"] == 89 and model["interval"]["rows"] == 97
within = 0
for line, said, y in zip(lines, told["predictions"], truth, strict=True):
    f, lower, upper = (float(line[key]) for key in ("prediction", "lower", "upper"))
    assert (f, lower, upper) == (said["prediction"], said["lower"], said["upper"])
    assert abs(upper - f - width) < 1e-12 and abs(f - lower - width) < 1e-12
    within += lower <= y <= upper
assert told["interval"] == {"level": 0.9, "coverage": within / 97, "rows": 97}
PYTHON

# ---- several quantiles ----
# shellcheck disable=SC2086
"$rls2" train $prostate --loss 'quantile(0.05,0.5,0.95)' --lambda 0.1 --interval 0.8 -o "$tmp/q" \
    >"$tmp/train" 2>"$tmp/err"
says 'intervals     0.8: the outer quantiles, ' "$tmp/train"
says '              q0.95 ' "$tmp/train"
"$rls2" show "$tmp/q" >"$tmp/show"
says "target        lpsa: 'q0.05', 'q0.5', 'q0.95', regression" "$tmp/show"
"$rls2" predict "$tmp/q" data/prostate.csv --interval >"$tmp/csv" 2>"$tmp/err"
says 'pinball' "$tmp/err"
python3 - "$tmp/csv" <<'PYTHON'
import csv, sys
lines = list(csv.DictReader(open(sys.argv[1])))
assert list(lines[0]) == ["prediction_q0.05", "prediction_q0.5", "prediction_q0.95", "lower",
                          "upper"]
for line in lines:
    low, middle, high, lower, upper = map(float, line.values())
    assert low <= middle <= high and lower <= upper
    assert abs((low - lower) - (upper - high)) < 1e-9
PYTHON

# ---- drawn: the rows of predict, in the order of the middle quantile, with what was observed ----
"$rls2" plot "$tmp/q" data/prostate.csv --kind interval --json >"$tmp/json"
python3 - "$tmp/csv" "$tmp/json" <<'PYTHON'
import csv, json, sys
said = [list(map(float, line.values())) for line in csv.DictReader(open(sys.argv[1]))]
truth = [float(line["lpsa"]) for line in csv.DictReader(open("data/prostate.csv"))]
drawn = json.load(open(sys.argv[2]))
series = {one["name"]: one["values"] for one in drawn["series"]}
wanted = sorted((row[1], i, truth[i], row[3], row[4]) for i, row in enumerate(said))
for k, name in ((0, "predicted"), (2, "observed"), (3, "lower"), (4, "upper")):
    assert len(series[name]) == len(wanted)
    assert all(abs(a - b[k]) < 1e-9 for a, b in zip(series[name], wanted)), name
within = sum(low <= y <= high for _, _, y, low, high in wanted)
assert f"{within} of {len(wanted)} rows within intervals of " in drawn["title"], drawn["title"]
PYTHON
if command -v gnuplot >/dev/null; then
    "$rls2" plot "$tmp/q" data/prostate.csv -o "$tmp/fan.svg"
    grep -q '</svg>' "$tmp/fan.svg" || fail "the picture is not whole"
fi

# ---- several targets have an interval each ----
"$rls2" train data/prostate.csv -t lpsa -t age --drop train -k linear --lambda 0.1 \
    --interval 0.9 -o "$tmp/two" >/dev/null 2>"$tmp/err"
"$rls2" predict "$tmp/two" data/prostate.csv --interval >"$tmp/csv" 2>"$tmp/err"
[ "$(head -n 1 "$tmp/csv")" = \
    prediction_lpsa,prediction_age,lower_lpsa,upper_lpsa,lower_age,upper_age ] ||
    fail "$(head -n 1 "$tmp/csv")"
says "hold 'age' of " "$tmp/err"

# ---- refused ----
# shellcheck disable=SC2086
"$rls2" train $prostate --lambda 0.1 -o "$tmp/none" >/dev/null 2>&1
refused 2 "--interval: the model has no intervals: 'rls2 train ... --interval 0.9'" \
    predict "$tmp/none" data/prostate.csv --interval
refused 2 "the model has no intervals: 'rls2 train --interval 0.9'" \
    plot "$tmp/none" data/prostate.csv --kind interval
refused 2 'is of one target' plot "$tmp/two" data/prostate.csv --kind interval
refused 2 'which rows?' plot "$tmp/q" --kind interval
refused 2 '--interval is for numbers' train data/heart.csv -t class --interval 0.9
refused 2 '--interval' train data/prostate.csv -t lpsa --interval 1
refused 2 'do not ascend' train data/prostate.csv -t lpsa --loss 'quantile(0.5,0.1)'

# ---- coverage as a score of the curve ----
# shellcheck disable=SC2086
"$rls2" cv $prostate --interval 0.8 --folds 5 --lambdas 0.03,0.3 -q >"$tmp/cv"
says 'Intervals of level 0.8, calibrated on left-out rows of other splits:' "$tmp/cv"
says '       Coverage        SE Mean width        SE' "$tmp/cv"
# shellcheck disable=SC2086
"$rls2" cv $prostate --interval 0.8 --folds 5 --lambdas 0.03,0.3 -q --json >"$tmp/json"
# shellcheck disable=SC2086
"$rls2" cv $prostate -t age --interval 0.8 --folds 5 --lambdas 0.3 -q --json >"$tmp/two"
# shellcheck disable=SC2086
"$rls2" cv $prostate --folds 5 --lambdas 0.3 -q --json >"$tmp/none"
python3 - "$tmp" <<'PYTHON'
import json, sys
one, two, none = (json.load(open(f"{sys.argv[1]}/{name}")) for name in ("json", "two", "none"))
found = one["interval"]
assert found["level"] == 0.8 and len(one["lambda"]) == 2
assert all(len(found[key]) == 2 for key in ("coverage", "coverage_se", "width", "width_se"))
assert all(0.7 < share < 0.9 for share in found["coverage"]) and min(found["width"]) > 1
assert list(two["interval"]["targets"]) == ["lpsa", "age"]
assert two["interval"]["targets"]["lpsa"]["width"] < two["interval"]["targets"]["age"]["width"]
assert "interval" not in none
PYTHON
refused 2 'is for numbers' cv data/heart.csv -t class --interval 0.9
