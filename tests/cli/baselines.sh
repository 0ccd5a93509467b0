#!/usr/bin/env bash
# What cv and train print for comparison, and that --no-baselines leaves it out.
set -euo pipefail
rls2=$1
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
data=(data/prostate.csv -t lpsa --drop train --standardize -k 'linear@each; rbf(0.1)@all' \
    --folds 4 -q)

fail() { echo "FAILED: $*"; cat "$tmp/out"; exit 1; }

names=("uniform average" "alignment average" "best aligned kernel" "ridge on the inputs")
for command in cv train; do
    "$rls2" "$command" "${data[@]}" >"$tmp/out"
    grep -q '^For comparison, on the same splits:$' "$tmp/out" || fail "$command: no heading"
    for name in "${names[@]}"; do
        grep -Eq "^$name +0\.[0-9]+ +0\.[0-9]+ +[0-9]" "$tmp/out" ||
            fail "$command: no line '$name'"
    done
    "$rls2" "$command" "${data[@]}" --no-baselines >"$tmp/out"
    ! grep -q "For comparison" "$tmp/out" || fail "$command --no-baselines compares"
    "$rls2" "$command" "${data[@]}" --json >"$tmp/out"
    grep -q '"baselines"' "$tmp/out" || fail "$command --json: no baselines"
    for key in uniform alignment single ridge; do
        grep -q "\"$key\": {" "$tmp/out" || fail "$command --json: no '$key'"
    done
    "$rls2" "$command" "${data[@]}" --json --no-baselines >"$tmp/out"
    ! grep -q '"baselines"' "$tmp/out" || fail "$command --json --no-baselines compares"
done

# Classes that are one distribution, and what no input at all would do.
"$rls2" cv data/auto-mpg.csv -t origin --task classification --drop car_name --standardize \
    -k 'linear; rbf(0.1)@all' --loss logistic --outputs shared --folds 3 --lambda-count 3 -q \
    >"$tmp/out"
for name in "${names[@]}" constant; do
    grep -Eq "^$name +0\.[0-9]+ +0?\.?[0-9]" "$tmp/out" || fail "multinomial: no line '$name'"
done
grep -Eq '^constant .* -$' "$tmp/out" || fail "the constant has a lambda"
"$rls2" cv "${data[@]}" --loss 'quantile(0.9)' --lambda-count 3 --json >"$tmp/out"
grep -q '"constant": {' "$tmp/out" || fail "quantile: no constant"
"$rls2" cv "${data[@]}" --lambda-count 3 --json >"$tmp/out"
! grep -q '"constant"' "$tmp/out" || fail "the square loss has R2 for that"

# Without cross-validation there is nothing to compare on.
"$rls2" train "${data[@]}" --lambda 0.1 >"$tmp/out"
! grep -q "For comparison" "$tmp/out" || fail "train --lambda compares"
