#!/usr/bin/env bash
# What inputs do to the whole prediction, alone and together: show, plot --kind dependence, and
# their JSON.
set -euo pipefail
. tests/support/script.sh

# a and b act together, c alone, and d does nothing
awk 'BEGIN { srand(3); print "a,b,c,d,y"
    for (i = 0; i < 120; i++) {
        a = 2 * rand() - 1; b = 2 * rand() - 1; c = 2 * rand() - 1
        print a "," b "," c "," rand() "," 4 * a * b + c } }' >"$tmp/t.csv"
"$rls2" train "$tmp/t.csv" -t y --lambda 1e-4 -k 'rbf(0.1)@all; linear@c' -q -o "$tmp/m" >/dev/null

prints '^what inputs do to predictions, by share of their variance over 120 training rows$' \
    show "$tmp/m"
grep -qE '^ +[0-9.]+%   a and b$' "$tmp/printed" || fail "no a and b: $(cat "$tmp/printed")"
[ "$(sed -n '/two together/{n;p}' "$tmp/printed" | grep -c ' a and b$')" -eq 1 ] ||
    fail "a and b are not first: $(cat "$tmp/printed")"
grep -q 'what inputs do only together$' "$tmp/printed" || fail "no rest: $(cat "$tmp/printed")"

prints '"explanation": {' show "$tmp/m" --json
cp "$tmp/printed" "$tmp/show.json"
"$rls2" plot "$tmp/m" --kind dependence --top 3 --json >"$tmp/plot.json"
python3 - "$tmp" <<'END' || fail "JSON"
import json, sys
told = json.load(open(sys.argv[1] + "/show.json"))["explanation"]
inputs = {one["input"]: one for one in told["inputs"]}
assert set(inputs) == {"a", "b", "c", "d"} and told["rows"] == 120, told
assert abs(inputs["c"]["share"] - inputs["c"]["alone"]) < 0.1 and inputs["c"]["interaction"] < 0.05
assert inputs["a"]["interaction"] > 0.5 and inputs["b"]["interaction"] > 0.5
assert inputs["d"]["share"] < 0.02 and inputs["d"]["interaction"] < 0.02
first = told["pairs"][0]
assert (first["first"], first["second"]) == ("a", "b") and first["share"] > 0.5, first
assert told["interacting"] == told["compared"] == 4 and len(told["pairs"]) == 6
shown = json.load(open(sys.argv[1] + "/plot.json"))
names = [one["input"] for one in shown["effects"]]
assert shown["kind"] == "dependence" and sorted(names[:3]) == ["a", "b", "c"], names
assert names[3] == "a and b" and len(shown["effects"][3]["lines"]) == 3, names
a = next(one for one in shown["effects"] if one["input"] == "a")["points"]
# rows differ in what a does: up where b is, else down
assert a[0]["lower"] < -1 < a[0]["effect"] < 1 < a[0]["upper"], a[0]
END

# kernels of one input have nothing to break down, and no band
"$rls2" train "$tmp/t.csv" -t y --lambda 1e-4 -k 'rbf(1)@each' -q -o "$tmp/n" >/dev/null
"$rls2" show "$tmp/n" >"$tmp/out"
! grep -q 'what inputs do' "$tmp/out" || fail "an additive model has it: $(cat "$tmp/out")"
"$rls2" plot "$tmp/n" --kind dependence --json >"$tmp/out"
! grep -q '"lower"' "$tmp/out" || fail "an additive model has a band"
prints '"pairs": \[\]' show "$tmp/n" --json

# of a stack all of it is that of the stack
"$rls2" train data/servo.csv -t rise_time --stack --folds 5 -q -o "$tmp/s" >/dev/null
prints '^what inputs do to predictions of the stack, by share of their variance over 167 ' \
    show "$tmp/s"
prints '^motor and pgain together (' plot "$tmp/s" --kind dependence

# several classes: each has its own
"$rls2" train data/servo.csv -t motor -k 'rbf(0.1)@all' --lambda 1e-2 -q -o "$tmp/k" >/dev/null
! "$rls2" show "$tmp/k" | grep -q 'what inputs do' || fail "all classes at once"
prints '^what inputs do to predictions' show "$tmp/k" --of B
prints 'effect on the score of B' plot "$tmp/k" --kind dependence --of B

# a model without its rows says why not
"$rls2" train data/servo.csv -t rise_time --method tall -k 'rbf(1)@each' --lambda 1e-2 -q \
    -o "$tmp/c" >/dev/null
refuses 'it does not keep the 167 rows' plot "$tmp/c" --kind dependence
prints 'kernels' show "$tmp/c"
! grep -q 'what inputs do' "$tmp/printed" || fail "a compact model has it"
echo PASSED
