#!/usr/bin/env bash
# rls2 verify: holds for the rows that were learned from, and for no others.
set -euo pipefail
rls2=$1
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT

fail() { echo "FAILED: $*"; exit 1; }

holds() { # ARGUMENTS...
    "$rls2" verify "$@" >"$tmp/out" 2>"$tmp/err" ||
        fail "verify $* ended with $?: $(cat "$tmp/out" "$tmp/err")"
    [ "$(tail -n 1 "$tmp/out")" = 'the certificate holds' ] || fail "verify $*: $(cat "$tmp/out")"
    "$rls2" verify "$@" --json >"$tmp/json" || fail "verify $* --json ended with $?"
    grep -q '"holds": true' "$tmp/json" || fail "verify $* --json differs"
}

fails() { # TEXT ARGUMENTS...
    local text=$1 code=0
    shift
    "$rls2" verify "$@" >"$tmp/out" 2>"$tmp/err" || code=$?
    [ "$code" -eq 1 ] || fail "verify $* ended with $code: $(cat "$tmp/out" "$tmp/err")"
    grep -qF -- "$text" "$tmp/out" "$tmp/err" ||
        fail "verify $* does not say '$text': $(cat "$tmp/out" "$tmp/err")"
    ! grep -q 'certificate holds' "$tmp/out" || fail "verify $* says both"
    code=0
    "$rls2" verify "$@" --json >"$tmp/json" 2>/dev/null || code=$?
    [ "$code" -eq 1 ] || fail "verify $* --json ended with $code"
    ! grep -q '"holds": true' "$tmp/json" || fail "verify $* --json says that it holds"
}

other='these are not the rows the model was trained on'
count='these are not its training data'
options='--lambda 0.01 -q'

# ---- regression with text inputs ----
data=data/servo.csv model=$tmp/servo.model
# shellcheck disable=SC2086
"$rls2" train $data -t rise_time $options -o "$model" >/dev/null
holds "$model" $data
grep -q 'scalings  *recomputed, agree' "$tmp/out" || fail "$(cat "$tmp/out")"
"$rls2" verify "$model" - <$data >/dev/null || fail "not from the standard input"

# columns in another order, and more of them, are the same rows
awk -F, -v OFS=, '{ print $5, $4, NR, $1, $2, $3 }' $data | sed '1s/,1,/,id,/' >"$tmp/moved.csv"
holds "$model" "$tmp/moved.csv"

sed '30s/,[^,]*$/,1.5/' $data >"$tmp/target.csv"
fails "$other" "$model" "$tmp/target.csv"
awk -F, -v OFS=, 'NR == 40 { $3 = $3 == 6 ? 5 : 6 } { print }' $data >"$tmp/cell.csv"
fails "$other" "$model" "$tmp/cell.csv"
awk -F, -v OFS=, 'NR == 41 { $1 = $1 == "A" ? "B" : "A" } { print }' $data >"$tmp/text.csv"
fails "$other" "$model" "$tmp/text.csv"
{ head -n 1 $data; tail -n +2 $data | tac; } >"$tmp/order.csv"
fails "$other" "$model" "$tmp/order.csv"
head -n 100 $data >"$tmp/short.csv"
fails "$count" "$model" "$tmp/short.csv"
{ cat $data; tail -n 1 $data; } >"$tmp/long.csv"
fails "$count" "$model" "$tmp/long.csv"
cut -d, -f1-4 $data >"$tmp/inputs.csv"
fails "no column 'rise_time'" "$model" "$tmp/inputs.csv"
fails 'motor' "$model" data/prostate.csv
fails 'nowhere.csv' "$model" "$tmp/nowhere.csv"
# the last digit of one cell
sed '2s/0.28125095/0.28125096/' $data >"$tmp/digit.csv"
! cmp -s $data "$tmp/digit.csv" || fail "the digit was not changed"
fails "$other" "$model" "$tmp/digit.csv"

# ---- with rows that were not learned from ----
data=data/prostate.csv model=$tmp/prostate.model
for transductive in '' --transductive; do
    # shellcheck disable=SC2086
    "$rls2" train $data -t lpsa --test-rows train=F --standardize $transductive $options \
        -o "$model" >/dev/null
    holds "$model" $data --test-rows train=F
    [ -z "$transductive" ] || grep -q 'it counted test rows too' "$tmp/out" ||
        fail "transductive, but: $(cat "$tmp/out")"
    sed -n '1p;/,T$/p' $data >"$tmp/training.csv"
    holds "$model" "$tmp/training.csv"
    fails "$count" "$model" $data
    fails 'trained with --test-rows or --validation-rows, give that here too' "$model" $data
    sed '/,F$/s/^[^,]*/99/' $data >"$tmp/tests.csv"
    holds "$model" "$tmp/tests.csv" --test-rows train=F
done

# ---- classes ----
data=data/heart.csv model=$tmp/heart.model
# shellcheck disable=SC2086
"$rls2" train $data -t class --standardize -k 'linear; rbf(0.1)' --scaling fisher $options \
    -o "$model" >/dev/null
holds "$model" $data
sed '10s/2$/1/;10t;10s/1$/2/' $data >"$tmp/class.csv"
fails "$other" "$model" "$tmp/class.csv"

# ---- a kernel computed elsewhere, over all rows of the file ----
awk -F, 'NR > 1 { a[++n] = $1; b[n] = $2 } END { for (i = 1; i <= n; i++) {
    for (j = 1; j <= n; j++) printf "%s%.17g", (j > 1 ? "," : ""), 1 + a[i] * a[j] + b[i] * b[j]
    print "" } }' \
    data/prostate.csv >"$tmp/matrix.csv"
cut -d, -f9-10 data/prostate.csv >"$tmp/outcome.csv"
given=(--test-rows train=F --given g="$tmp/matrix.csv")
# shellcheck disable=SC2086
"$rls2" train "$tmp/outcome.csv" -t lpsa "${given[@]}" $options -o "$tmp/given.model" >/dev/null
holds "$tmp/given.model" "$tmp/outcome.csv" "${given[@]}"
awk -F, -v OFS=, 'NR == 1 { $1 = $1 + 1 } { print }' "$tmp/matrix.csv" >"$tmp/other.csv"
fails 'does NOT hold' "$tmp/given.model" "$tmp/outcome.csv" --test-rows train=F \
    --given g="$tmp/other.csv"

# ---- a loose answer: its gap is large, and true ----
"$rls2" train data/servo.csv -t rise_time --lambda 0.01 --gap-tol 1e-1 -q -o "$tmp/loose.model" \
    >/dev/null
fails 'above --gap-tol' "$tmp/loose.model" data/servo.csv
holds "$tmp/loose.model" data/servo.csv --gap-tol 0.1
"$rls2" verify "$tmp/loose.model" data/servo.csv --gap-tol 0.1 --json >"$tmp/json"
awk -F'[:,]' '/^ *"gap"/ { gap = $2 } /"claimed_gap"/ { said = $2 }
    END { exit !(gap > 1e-6 && gap <= 0.1 && gap <= said * (1 + 1e-6)) }' "$tmp/json" ||
    fail "gaps: $(cat "$tmp/json")"
"$rls2" train data/servo.csv -t rise_time --lambda 0.01 --max-iter 1 -q -o "$tmp/stopped.model" \
    >"$tmp/out"
grep -q -- '--max-iter reached' "$tmp/out" || fail "one iteration was enough: $(cat "$tmp/out")"
fails 'above --gap-tol' "$tmp/stopped.model" data/servo.csv
holds "$tmp/stopped.model" data/servo.csv --gap-tol 100

# ---- a damaged model ----
for at in 300 2000 5000; do
    cp "$tmp/servo.model" "$tmp/damaged.model"
    byte=$(od -An -tu1 -j $at -N1 "$tmp/damaged.model")
    printf "\\x$(printf %x $((byte ^ 1)))" |
        dd of="$tmp/damaged.model" bs=1 seek=$at conv=notrunc status=none
    fails 'damaged.model' "$tmp/damaged.model" data/servo.csv
done
echo "ok"
