#!/usr/bin/env bash
# Learned widths through train, cv, show, predict, verify, plot and kernels.
set -euo pipefail
rls2=$1
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT

fail() { echo "FAILED: $*"; exit 1; }

says() { # TEXT FILE
    grep -qF -- "$1" "$2" || fail "'$1' is not in $2: $(cat "$2")"
}

learned='rbf(1e-2:1e1:4)@all; linear; rbf(learn*0.25|learn|learn*4)@all; matern(2.5,learn)@all'

# the same bits whatever the number of threads, also of a stack
for threads in 1 2; do
    "$rls2" train data/servo.csv -t rise_time -k "$learned" --stack --folds 5 --threads $threads \
        -o "$tmp/m$threads" >"$tmp/train" 2>"$tmp/err"
done
cmp "$tmp/m1" "$tmp/m2"
says 'learn' "$tmp/train"

"$rls2" show "$tmp/m1" >"$tmp/show"
says 'relevance     by learned widths: pgain ' "$tmp/show"
"$rls2" show "$tmp/m1" --json >"$tmp/show.json"
"$rls2" predict "$tmp/m1" data/servo.csv --contributions >"$tmp/csv" 2>"$tmp/err"
"$rls2" verify "$tmp/m1" data/servo.csv >"$tmp/verify"
says 'the certificate holds' "$tmp/verify"
python3 - "$tmp" <<'PYTHON'
import csv, json, sys
tmp = sys.argv[1]
for row in csv.DictReader(open(tmp + "/csv")):
    numbers = {name: float(cell) for name, cell in row.items()}
    told = numbers.pop("prediction")
    assert abs(sum(numbers.values()) - told) < 1e-9 * max(1, abs(told)), row
relevance = json.load(open(tmp + "/show.json"))["relevance"]
assert list(relevance)[0] == "pgain" and set(relevance) == {"motor", "screw", "pgain", "vgain"}
assert abs(sum(relevance.values()) - 1) < 1e-9, relevance
PYTHON
"$rls2" plot "$tmp/m1" --kind effects >"$tmp/plot"
says 'pgain (' "$tmp/plot"

# several classes, deviations, rows of other units
"$rls2" train data/ionosphere.csv -t class -k "$learned" --folds 4 -o "$tmp/c" >"$tmp/train" \
    2>"$tmp/err"
"$rls2" predict "$tmp/c" data/ionosphere.csv >"$tmp/csv" 2>/dev/null
"$rls2" verify "$tmp/c" data/ionosphere.csv >"$tmp/verify"
says 'the certificate holds' "$tmp/verify"

# better on left-out rows, where columns matter differently
score() { # KERNELS
    "$rls2" cv data/servo.csv -t rise_time -k "$1" --folds 5 --json 2>/dev/null |
        python3 -c 'import json, sys; print(min(json.load(sys.stdin)["cvm"]))'
}
python3 - "$(score 'paper')" "$(score "paper; $learned")" <<'PYTHON'
import sys
plain, learned = map(float, sys.argv[1:])
assert learned < 0.8 * plain, (plain, learned)
PYTHON

# what they do not go together with
if "$rls2" train data/servo.csv -t rise_time -k "$learned" --method tall -o "$tmp/t" >/dev/null \
    2>"$tmp/err"; then
    fail "--method tall"
fi
says 'does not go together with widths that are learned' "$tmp/err"
if "$rls2" stats data/servo.csv -t rise_time -k 'rbf(learn)@all' -o "$tmp/s" >/dev/null \
    2>"$tmp/err"; then
    fail "statistics"
fi
says 'widths are learned from rows, and these are counted' "$tmp/err"
if "$rls2" kernels data/servo.csv -t rise_time -k 'rbf(learn)@each' >/dev/null 2>"$tmp/err"; then
    fail "widths of single columns"
fi
says "'each' takes them one by one" "$tmp/err"
"$rls2" kernels data/servo.csv -t rise_time -k "$learned" >"$tmp/kernels" 2>/dev/null
says 'rbf(learn*0.25)@all' "$tmp/kernels"
