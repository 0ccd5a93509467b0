#!/usr/bin/env bash
# Selections over splits and stability selection through train, cv, show and their JSON.
set -euo pipefail
rls2=$1
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT

fail() { echo "FAILED: $*"; exit 1; }

says() { # TEXT FILE
    grep -qF -- "$1" "$2" || fail "'$1' is not in $2: $(cat "$2")"
}

settings=(data/prostate.csv -t lpsa --drop train -k linear --stability 20 --folds 5)
"$rls2" train "${settings[@]}" --threads 1 -o "$tmp/m" >"$tmp/train" 2>"$tmp/err"
says 'stable        ' "$tmp/train"
says 'selected in at least 30 of 40 halves' "$tmp/train"
says 'expected among them by mistake: at most 1 for any data' "$tmp/train"
"$rls2" train "${settings[@]}" --threads 3 -o "$tmp/n" --json >"$tmp/train.json" 2>/dev/null
cmp "$tmp/m" "$tmp/n" || fail "threads change what is selected"
"$rls2" show "$tmp/m" >"$tmp/show"
says 'in splits   kernel' "$tmp/show"
says ' of 5   linear@lcavol' "$tmp/show"
says 'lcavol (1 kernel, in 5 of 5 splits)' "$tmp/show"
says 'halves of 48 rows' "$tmp/show"
says 'each half selects at most 2 of 8 inputs' "$tmp/show"
"$rls2" show "$tmp/m" --json >"$tmp/show.json"
"$rls2" cv "${settings[@]}" --json >"$tmp/cv.json" 2>/dev/null
"$rls2" cv "${settings[@]}" >"$tmp/cv" 2>/dev/null
says 'selected in at least 30 of 40 halves' "$tmp/cv"
python3 - "$tmp" <<'PYTHON'
import json, sys
tmp = sys.argv[1]
told = [json.load(open(f"{tmp}/{name}.json")) for name in ("show", "train", "cv")]
about = told[0]["stability"]
assert all(one["stability"] == about for one in told)
assert about["halves"] == 40 and about["limit"] == 2 and about["inputs_in_all"] == 8
assert about["errors"] == 1 and 0 < about["likely_errors"] < 1
assert about["stable"] == [i["input"] for i in about["inputs"] if i["selected_in"] >= 30]
assert sum(i["selected_in"] for i in about["inputs"]) == round(40 * about["mean"])
kernels = {k["kernel"]: k["selected_in"] for k in about["kernels"]}
assert kernels == {"linear@" + i["input"]: i["selected_in"] for i in about["inputs"]}
assert all(0 <= k["selected_in"] <= 5 for k in told[0]["selected"])
listed = {k["kernel"] for k in told[0]["selected"]}
assert not listed & {k["kernel"] for k in told[0]["selected_by_splits"]}
PYTHON

# a lambda that is given leaves no rows out, but halves can be had
"$rls2" train data/prostate.csv -t lpsa --drop train -k linear --lambda 0.1 --stability 20 \
    -o "$tmp/given" >"$tmp/train" 2>/dev/null
says 'selected in at least 30 of 40 halves' "$tmp/train"
"$rls2" show "$tmp/given" >"$tmp/given.txt"
grep -q 'in splits' "$tmp/given.txt" && fail "splits that there were not"
cmp -s <(sed -n '/^stability/,/^$/p' "$tmp/show") <(sed -n '/^stability/,/^$/p' "$tmp/given.txt") ||
    fail "halves depend on how lambda is chosen"

refused() { # TEXT OPTION...
    local text=$1
    shift
    if "$rls2" train data/prostate.csv -t lpsa --drop train "$@" >"$tmp/out" 2>&1; then
        fail "accepted: $*"
    fi
    says "$text" "$tmp/out"
}
refused 'no kernel looks at one to three of' -k 'rbf(1)@all' --stability 5
refused '--stability needs the rows themselves' -k linear --method tall --stability 5
refused '--stability-errors' --stability 5 --stability-errors 0
refused '--stability' --stability -3
