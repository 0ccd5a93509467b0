#!/usr/bin/env bash
# Stacks through train, show, predict, verify and their JSON.
set -euo pipefail
rls2=$1
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT

fail() { echo "FAILED: $*"; exit 1; }

says() { # TEXT FILE
    grep -qF -- "$1" "$2" || fail "'$1' is not in $2: $(cat "$2")"
}

"$rls2" train data/servo.csv -t rise_time --stack --folds 5 -o "$tmp/m" >"$tmp/train" 2>"$tmp/err"
says 'stack         ' "$tmp/train"
says ' x the sparse part + ' "$tmp/train"
says '; the sparse part alone 0.' "$tmp/train"
"$rls2" show "$tmp/m" >"$tmp/show"
says ' x the sparse part + ' "$tmp/show"
says 'selected by the sparse part, by weight' "$tmp/show"
"$rls2" show "$tmp/m" --json >"$tmp/show.json"
"$rls2" train data/servo.csv -t rise_time --stack --folds 5 -o "$tmp/n" --json >"$tmp/train.json" \
    2>/dev/null
cmp "$tmp/m" "$tmp/n"
"$rls2" predict "$tmp/m" data/servo.csv --contributions >"$tmp/csv" 2>"$tmp/err"
"$rls2" predict "$tmp/m" data/servo.csv --contributions --json >"$tmp/predict.json" 2>/dev/null
"$rls2" verify "$tmp/m" data/servo.csv >"$tmp/verify"
says 'the certificate holds' "$tmp/verify"
python3 - "$tmp" <<'PYTHON'
import csv, json, sys
tmp = sys.argv[1]
for row in csv.DictReader(open(tmp + "/csv")):
    numbers = {name: float(cell) for name, cell in row.items()}
    told = numbers.pop("prediction")
    assert abs(sum(numbers.values()) - told) < 1e-9 * max(1, abs(told)), row
    assert any(name.startswith("stack: ") for name in numbers), row
for row in json.load(open(tmp + "/predict.json"))["predictions"]:
    assert abs(sum(row["contributions"].values()) - row["prediction"]) < 1e-9, row
for name in ("show", "train"):
    stack = json.load(open(f"{tmp}/{name}.json"))["stack"]
    assert stack["members"] and stack["sparse_part"]["score"] > 0.1, stack
    for member in stack["members"]:
        assert member["weights"][0] > 0 and member["lambda"] > 0, stack
PYTHON

# Members look at inputs that the sparse part does not: what train says of its rows, predict says.
"$rls2" train data/sonar.csv -t class --folds 2 -o "$tmp/s" >"$tmp/train" 2>/dev/null
"$rls2" predict "$tmp/s" data/sonar.csv >"$tmp/csv" 2>"$tmp/err"
share=$(sed -n 's/^training rows *\([0-9.]*\) accuracy.*/\1/p' "$tmp/train")
says "accuracy $share on" "$tmp/err"

if "$rls2" predict "$tmp/m" data/servo.csv --std >/dev/null 2>"$tmp/err"; then
    fail "--std of a stack"
fi
says 'a stack has no variances' "$tmp/err"
if "$rls2" train data/servo.csv -t rise_time --stack --lambda 1 -o "$tmp/o" >/dev/null \
    2>"$tmp/err"; then
    fail "--stack with --lambda"
fi
says '--stack needs left-out rows' "$tmp/err"
