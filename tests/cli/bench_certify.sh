#!/usr/bin/env bash
# rls2_bench_certify, which certifies the kernel weights of other programs: of rls2's own weights it
# finds rls2's own objective and gap.
set -euo pipefail
# shellcheck source=tests/support/script.sh
. tests/support/script.sh
certify=$(dirname "$rls2")/rls2_bench_certify
[ -x "$certify" ] || { echo "skipped: there is no $certify (RLS2_BENCH is off)"; exit 77; }
export LC_ALL=C

# Of the one point of a path as JSON: the value of a key, and the weights as NAME TAB WEIGHT.
value() { sed -n "s/.*\"$1\": \([-+0-9.e]*\).*/\1/p" "$tmp/$2" | head -n 1; } # KEY FILE
weights() { sed -n '/"selected"/,/\]/p' "$tmp/point" | tr -d '\n' |
    grep -o '"kernel": "[^"]*",[^"]*"weight": [-+0-9.e]*' |
    sed 's/"kernel": "\([^"]*\)",[^"]*"weight": /\1\t/' >"$tmp/weights"; }
close() { # A B: within 1e-9 of the larger of 1 and B
    awk -v a="$1" -v b="$2" \
        'BEGIN { d = a - b; s = b < 0 ? -b : b; if (s < 1) s = 1
                 exit !(d <= 1e-9 * s && -d <= 1e-9 * s) }'
}

agrees() { # DATA TARGET TASK SPEC LAMBDA DROP...
    local data=$1 target=$2 task=$3 spec=$4 lambda=$5 drops=()
    shift 5
    for column in "$@"; do drops+=(--drop "$column"); done
    "$rls2" path "$data" -t "$target" --task "$task" -k "$spec" --lambda "$lambda" "${drops[@]}" \
        --standardize --gap-tol 1e-3 --json -q >"$tmp/point"
    weights
    "$certify" "$data" "$target" "$task" "$spec" "$lambda" "$@" <"$tmp/weights" >"$tmp/certificate"
    close "$(value objective certificate)" "$(value objective point)" ||
        fail "$data: objective $(cat "$tmp/certificate") $(cat "$tmp/point")"
    close "$(value gap certificate)" "$(value gap point)" ||
        fail "$data: gap $(cat "$tmp/certificate") $(cat "$tmp/point")"
}

agrees data/prostate.csv lpsa regression linear 0.05 train
agrees data/auto-mpg.csv mpg regression paper 0.02 car_name
agrees data/sonar.csv class classification 'poly(1..3)@all; rbf(1e-3:1e3:10)@all' 0.01

# Weights are divided by their sum; a single kernel is worse, and the gap says so.
awk -F '\t' '{ printf "%s\t%.17g\n", $1, 3 * $2 }' "$tmp/weights" >"$tmp/threefold"
certificate=$(cat "$tmp/certificate")
sonar=("$certify" data/sonar.csv class classification 'poly(1..3)@all; rbf(1e-3:1e3:10)@all' 0.01)
"${sonar[@]}" <"$tmp/threefold" >"$tmp/certificate"
close "$(value gap certificate)" "$(echo "$certificate" | sed 's/.*"gap": \([^,]*\),.*/\1/')" ||
    fail "three times the weights: $(cat "$tmp/certificate"), not $certificate"
printf 'rbf(0.001)@all\t1\n' | "${sonar[@]}" >"$tmp/certificate"
awk -v gap="$(value gap certificate)" 'BEGIN { exit !(gap > 0.1) }' ||
    fail "one kernel: $(cat "$tmp/certificate")"

rejects() { # TEXT, lines of weights on the standard input
    if "${sonar[@]}" >"$tmp/out" 2>&1; then fail "weights are taken that should not be: $1"; fi
    grep -qF -- "$1" "$tmp/out" || fail "not '$1' but $(cat "$tmp/out")"
}
printf 'rbf(7)@all\t1\n' | rejects 'no kernel of the dictionary is called rbf(7)@all'
printf 'poly(1)@all\t-1\n' | rejects 'not a positive number'
printf 'poly(1)@all 1\n' | rejects 'not NAME TAB WEIGHT'
rejects 'no weights were given' </dev/null
