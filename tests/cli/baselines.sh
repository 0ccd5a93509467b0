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

# Without cross-validation there is nothing to compare on.
"$rls2" train "${data[@]}" --lambda 0.1 >"$tmp/out"
! grep -q "For comparison" "$tmp/out" || fail "train --lambda compares"
