#!/usr/bin/env bash
# Shares and score on left-out rows, in train, show, plot and the model file; without
# cross-validation those of the fit, which say so.
set -euo pipefail
. tests/support/script.sh

# y follows x; noise is another column that a narrow kernel can memorise
awk 'BEGIN { srand(7); print "x,noise,y"
    for (i = 0; i < 80; i++) { x = rand(); print x "," rand() "," x + 2 * (rand() - rand()) } }' \
    >"$tmp/t.csv"
learn=(train "$tmp/t.csv" -t y -k 'linear@x; rbf(1e6)@noise' -q -o "$tmp/m")

prints 'inputs        by share of the variance of left-out rows; they explain [0-9.]*% in all$' \
    "${learn[@]}" --folds 5
grep -Eq '^ +[0-9.]+%  x$' "$tmp/printed" || fail "train prints no share of x"
prints '^left-out rows rmse 0\.[0-9]*, standard error 0\.[0-9]* (5 splits)$' show "$tmp/m"
grep -q '^inputs, by share of the variance of left-out rows; they explain ' "$tmp/printed" ||
    fail "show does not say which rows its shares are of"
prints 'share: of the variance of left-out rows)' show "$tmp/m"
prints '"shares_of": "left-out rows"' show "$tmp/m" --json
prints '"splits": 5' show "$tmp/m" --json

# what memorises noise has a large share of the fit, and none of left-out rows
prints '' "${learn[@]}" --folds 5 --lambdas 1e-6
prints '' show "$tmp/m" --json
python3 - "$tmp/printed" <<'END' || fail "shares of left-out rows"
import json, sys
shown = json.load(open(sys.argv[1]))
share = {one["input"]: one["share"] for one in shown["inputs"]}
assert share["x"] > share["noise"] and share["noise"] < 0.02, share
assert shown["left_out"]["measure"] == "rmse", shown["left_out"]
END
prints 'of the variance of the fit on training rows$' "${learn[@]}" --lambda 1e-6
! grep -q 'explain' "$tmp/printed" || fail "shares of the fit explain something"
prints 'inputs, by share of the variance of the fit on training rows$' show "$tmp/m"
! grep -q 'left-out' "$tmp/printed" || fail "left-out rows where there were none"
prints '"shares_of": "training rows"' show "$tmp/m" --json
python3 - "$tmp/printed" <<'END' || fail "shares of the fit"
import json, sys
share = {one["input"]: one["share"] for one in json.load(open(sys.argv[1]))["inputs"]}
assert share["noise"] > 0.3 and abs(sum(share.values()) - 1) < 1e-9, share
END

# several classes: each has its own
cars=(train data/auto-mpg.csv -t origin --task classification --drop car_name -k linear -q)
prints 'left-out rows' "${cars[@]}" --folds 3 --lambda-count 4 -o "$tmp/cars"
prints '^inputs, by mean share of the variance of left-out rows' show "$tmp/cars"
prints '^inputs, by share of the variance of left-out rows' show "$tmp/cars" --of 3
prints '' "${cars[@]}" --lambda 0.1 -o "$tmp/cars"
prints '^inputs, by mean share of the variance of the fit on training rows$' show "$tmp/cars"

# signs: y rises with up, falls with down, goes both ways with bend; category a has the most
awk 'BEGIN { srand(5); print "up,down,bend,kind,y"
    for (i = 0; i < 90; i++) {
        u = rand(); d = rand(); b = rand() - 0.5; k = substr("abc", i % 3 + 1, 1)
        print u "," d "," b "," k "," u - 2 * d + 5 * b * b - (i % 3) } }' >"$tmp/signs.csv"
prints '' train "$tmp/signs.csv" -t y -k 'linear@up,down,kind; poly(2)@bend' --lambda 1e-3 -q \
    -o "$tmp/m"
for line in '+ up (1' '- down (1' '~ bend (1' "  kind: most at 'a', least at 'c' (1"; do
    prints "% #* *$line kernel)\$" show "$tmp/m"
done
prints "(+ the more of it, the more 'y'; - the less; ~ both ways)" show "$tmp/m"
prints '"direction": "down"' show "$tmp/m" --json
prints '"highest": "a"' show "$tmp/m" --json
prints '' train "$tmp/signs.csv" -t y -k 'rbf(0.1)@up+down' --lambda 1e-3 -q -o "$tmp/m"
prints '^ *- down (together with others)$' show "$tmp/m"
prints '^  2 inputs not selected$' show "$tmp/m"

# an input that offsets another has a share below 0, which is explained
awk 'BEGIN { srand(6); print "limit,income,y"
    for (i = 0; i < 80; i++) { b = rand(); l = b + 0.3 * rand(); i1 = b + 0.3 * rand()
        print l "," i1 "," 3 * l - i1 } }' >"$tmp/offset.csv"
prints '' train "$tmp/offset.csv" -t y -k linear --folds 5 -q -o "$tmp/m"
prints '^   -[0-9.]*% *- income' show "$tmp/m"
prints '^  a share below 0: it offsets inputs that it goes along with, or follows noise$' \
    show "$tmp/m"
prints '' train "$tmp/t.csv" -t y -k linear@x --folds 5 -q -o "$tmp/m"
prints 'left-out' show "$tmp/m"
! grep -q 'a share below 0' "$tmp/printed" || fail "no share is below 0"

# what train and show list adds up to what they say is explained in all: the rest is summed, and
# large shares below 0 are listed
prints '' train data/housing.csv -t MEDV --folds 3 -q -o "$tmp/m"
cp "$tmp/printed" "$tmp/listed"
prints '' show "$tmp/m" --top 5
for list in "$tmp/listed" "$tmp/printed"; do
    awk '/they explain/ { sub(".*they explain ", ""); all = $1 + 0; on = 1; next }
         /^what inputs do/ { on = 0 }
         on && $1 ~ /^-?[0-9.]+%$/ { sum += $1; lines++ }
         END { exit !(lines > 5 && (sum - all) ^ 2 < 0.36) }' "$list" ||
        fail "shares do not add up: $(cat "$list")"
done
awk 'BEGIN { srand(6); line = "limit,income"
    for (j = 0; j < 12; j++) line = line ",x" j
    print line ",y"
    for (i = 0; i < 200; i++) { b = rand(); l = b + 0.3 * rand(); i1 = b + 0.3 * rand()
        line = l "," i1; sum = 0
        for (j = 0; j < 12; j++) { u = rand(); sum += u * 0.01; line = line "," u }
        print line "," 3 * l - i1 + sum } }' >"$tmp/offset.csv"
prints '^ *-[0-9.]*%  income$' train "$tmp/offset.csv" -t y -k linear --folds 5 -q
