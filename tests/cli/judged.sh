#!/usr/bin/env bash
# Pictures of how good classes are: calibration, ROC curve, precision and recall, of left-out rows
# and of a table; the numbers computed once more, and what is refused.
set -euo pipefail
rls2=$1
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT

fail() { echo "FAILED: $*"; exit 1; }

says() { # TEXT FILE
    grep -qF -- "$1" "$2" || fail "'$1' is not in: $(cat "$2")"
}

refused() { # CODE TEXT ARGUMENTS...
    local wanted=$1 text=$2 code=0
    shift 2
    "$rls2" "$@" >"$tmp/out" 2>"$tmp/err" </dev/null || code=$?
    [ "$code" -eq "$wanted" ] || fail "rls2 $* ended with $code, not $wanted: $(cat "$tmp/err")"
    says "$text" "$tmp/err"
    [ ! -s "$tmp/out" ] || fail "rls2 $* printed $(head -n 1 "$tmp/out")"
}

heart="data/heart.csv -t class -k linear"
cars="data/auto-mpg.csv -t origin --task classification --drop car_name -k linear"
# shellcheck disable=SC2086
"$rls2" cv $heart --loss logistic --lambdas 1e-3:1:4 --json -q -o "$tmp/heart.json"
# shellcheck disable=SC2086
"$rls2" cv $cars --loss logistic --lambdas 1e-3:1:4 --json -q -o "$tmp/cars.json"
# shellcheck disable=SC2086
"$rls2" cv $heart --lambdas 1e-3:1:4 --json -q -o "$tmp/square.json"

# ---- the numbers ----
cat >"$tmp/check.py" <<'PYTHON'
import json, sys

folder = sys.argv[1]


def load(name):
    return json.load(open(f"{folder}/{name}.json"))


def near(a, b, what):
    assert abs(a - b) <= 1e-9 * max(1, abs(b)), (what, a, b)


def area(scores, truth):
    pairs = [(a > b) + (a == b) / 2 for a, t in zip(scores, truth) if t
             for b, u in zip(scores, truth) if not u]
    return sum(pairs) / len(pairs)


def average_precision(scores, truth):
    value, before = 0.0, 0.0
    for level in sorted(set(scores), reverse=True):
        above = [t for a, t in zip(scores, truth) if a >= level]
        recall, precision = sum(above) / sum(truth), sum(above) / len(above)
        value, before = value + (recall - before) * precision, recall
    return value


def check_bins(curve, p, truth):
    near(curve["brier"], sum((a - t) ** 2 for a, t in zip(p, truth)) / len(p), "brier")
    order = sorted(zip(p, truth))
    assert sum(curve["rows"]) == len(p) and len(curve["rows"]) == 10, curve["rows"]
    assert max(curve["rows"]) - min(curve["rows"]) <= 1, curve["rows"]
    for x, y, rows in zip(curve["x"], curve["y"], curve["rows"]):
        part, order = order[:int(rows)], order[int(rows):]
        near(x, sum(a for a, _ in part) / rows, "mean probability")
        near(y, sum(t for _, t in part) / rows, "share")


for name, classes in ("heart", [1]), ("cars", [0, 1, 2]):
    left_out = load(name)["left_out"]
    for kind in "roc", "precision-recall", "calibration":
        picture = load(f"{name}-{kind}")
        assert picture["kind"] == kind and picture["rows"] == len(left_out["class"])
        assert [c["class"] for c in picture["curves"]] == [left_out["classes"][k] for k in classes]
        for k, curve in zip(classes, picture["curves"]):
            truth = [int(c == k) for c in left_out["class"]]
            scores = left_out["scores"][k if len(classes) > 1 else 0]
            if kind == "roc":
                near(curve["auc"], area(scores, truth), "auc")
                assert curve["x"][0] == curve["y"][0] == 0 and curve["x"][-1] == curve["y"][-1] == 1
            elif kind == "precision-recall":
                near(curve["average_precision"], average_precision(scores, truth), "precision")
                near(curve["y"][-1], sum(truth) / len(truth), "precision of all rows")
            else:
                check_bins(curve, left_out["probabilities"][k], truth)

# of the other class of two everything is turned round
first, second = load("first")["curves"][0], load("heart-roc")["curves"][0]
assert first["class"] == "1"
near(first["auc"], second["auc"], "auc of the other class")
PYTHON
for kind in roc precision-recall calibration; do
    for name in heart cars; do
        "$rls2" plot "$tmp/$name.json" --kind $kind --json >"$tmp/$name-$kind.json"
    done
done
"$rls2" plot "$tmp/heart.json" --kind roc --of 1 --json >"$tmp/first.json"
python3 "$tmp/check.py" "$tmp" || fail "the curves are not those of the predictions"

# ---- of a table ----
# shellcheck disable=SC2086
"$rls2" train $heart --loss logistic --lambda 0.01 -q -o "$tmp/heart.model" >/dev/null
"$rls2" predict "$tmp/heart.model" data/heart.csv >/dev/null 2>"$tmp/told"
"$rls2" plot "$tmp/heart.model" data/heart.csv --kind roc --json >"$tmp/table.json"
auc=$(python3 -c "import json
print('%.6g' % json.load(open('$tmp/table.json'))['curves'][0]['auc'])")
says "auc $auc," "$tmp/told"
"$rls2" plot "$tmp/heart.model" data/heart.csv >"$tmp/text"
says "class '2': Brier score" "$tmp/text"
says 'bars: share observed; |: probability predicted' "$tmp/text"

# ---- drawings ----
if command -v gnuplot >/dev/null; then
    for kind in roc precision-recall calibration; do
        "$rls2" plot "$tmp/cars.json" --kind $kind -o "$tmp/$kind.svg"
        says '</svg>' "$tmp/$kind.svg"
    done
    "$rls2" plot "$tmp/heart.json" --kind roc >"$tmp/text"
    says "class '2': AUC" "$tmp/text"
fi

# ---- refusals ----
refused 2 "--kind calibration: $tmp/square.json has scores, not probabilities; --loss logistic" \
    plot "$tmp/square.json" --kind calibration
"$rls2" plot "$tmp/square.json" --kind roc --json >/dev/null || fail "no ROC curve of scores"
refused 2 "--of '7': the classes are '1', '2', '3'" plot "$tmp/cars.json" --kind roc --of 7
refused 2 "--kind roc: which rows?" plot "$tmp/heart.model" --kind roc
refused 2 "--kind kernels: 'data/heart.csv' is one argument too many" \
    plot "$tmp/heart.model" data/heart.csv --kind kernels
refused 2 'is not a model' plot "$tmp/heart.json" data/heart.csv
refused 1 "no row whose 'class' is one of the classes of the model" \
    plot "$tmp/heart.model" <(cut -d, -f1-13 data/heart.csv)
head -n 1 data/heart.csv >"$tmp/one.csv"
grep ',1$' data/heart.csv >>"$tmp/one.csv"
refused 1 "no curve of class '2': there must be rows of it, and others" \
    plot "$tmp/heart.model" "$tmp/one.csv" --kind roc
"$rls2" train data/housing.csv -t MEDV -k linear --lambda 0.1 -q -o "$tmp/h.model" >/dev/null
refused 2 'the model predicts numbers; such pictures are of classes' \
    plot "$tmp/h.model" data/housing.csv --kind roc
"$rls2" cv data/prostate.csv -t lpsa --drop train -k linear --lambdas 0.1:1:2 --json -q \
    -o "$tmp/p.json"
refused 1 "no predictions of left-out rows ('left_out')" plot "$tmp/p.json" --kind roc

broken() { # TEXT PYTHON: the JSON of the cross-validation, changed
    python3 -c "
import json
d = json.load(open('$tmp/heart.json')); x = d['left_out']
$2
json.dump(d, open('$tmp/broken.json', 'w'))"
    refused 1 "left_out: $1" plot "$tmp/broken.json" --kind calibration
}
broken "'class' must hold numbers of classes" "x['class'][3] = 2"
broken "'class' must hold numbers of classes" "x['class'][3] = 'a'"
broken "'class' must be a list" "x['class'] = 1"
broken "'classes' must be a list of two labels" "x['classes'] = ['1']"
broken "'classes' must hold texts" "x['classes'] = [1, 2]"
broken "'scores' must have a list for each" "x['scores'] = []"
broken "'scores' must be a list of as many numbers" "x['scores'][0].pop()"
broken "'scores' must hold numbers" "x['scores'][0][0] = None"
broken "'probabilities' must be from 0 to 1" "x['probabilities'][0][0] = 1.5"
broken "'probabilities' must have a list for each" "x['probabilities'].pop()"
broken "'weights' must be positive" "x['weights'] = [0] * 270"
