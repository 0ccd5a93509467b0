#!/usr/bin/env bash
# What is said of a class that is hardly ever predicted, and of a model that reproduces its rows;
# predict --threshold.
set -euo pipefail
. tests/support/script.sh

# 3 % of the rows default, more of them where the balance is high, nowhere most of them
awk 'BEGIN { srand(3); print "balance,income,default"
    for (i = 0; i < 600; i++) {
        b = rand()
        print b "," rand() "," (rand() < 0.09 * b * b ? "Yes" : "No") } }' >"$tmp/default.csv"
learn=(train "$tmp/default.csv" -t default -k linear --folds 5 -o "$tmp/m")
positives=$(grep -c Yes "$tmp/default.csv")

prints "every one of the 600 left-out rows is predicted as 'No', though $positives are 'Yes'" \
    "${learn[@]}"
grep -q -- '--class-weights balanced and --measure balanced-accuracy (or auc)' "$tmp/printed" ||
    fail "no advice"
line=$(grep -- '(predict --threshold' "$tmp/printed") || fail "no threshold"
threshold=$(sed 's/.*--threshold \([^)]*\)).*/\1/' <<<"$line")
said=$(sed 's/.* would be //' <<<"$line")

# the threshold moves the decision, and is near the balanced accuracy that was said
prints '' predict "$tmp/m" "$tmp/default.csv" --threshold="$threshold" -o "$tmp/p.csv"
python3 - "$tmp" "$threshold" "$said" <<'END' || fail "--threshold $threshold: $line"
import csv, sys
folder, threshold, said = sys.argv[1], float(sys.argv[2]), float(sys.argv[3])
is_ = [row["default"] for row in csv.DictReader(open(folder + "/default.csv"))]
rows = list(csv.DictReader(open(folder + "/p.csv")))
label, score = list(rows[0])[:2]
for row in rows:
    assert row[label] == ("Yes" if float(row[score]) >= threshold else "No"), row
right = {k: [row[label] == c for row, c in zip(rows, is_) if c == k] for k in ("Yes", "No")}
balanced = sum(sum(v) / len(v) for v in right.values()) / 2
assert balanced > 0.55 and abs(balanced - said) < 0.1, (balanced, said)
END
prints '' predict "$tmp/m" "$tmp/default.csv" -o "$tmp/p.csv"
! grep -q Yes "$tmp/p.csv" || fail "without --threshold it is 0"

# weights help, and are not offered twice
prints '' "${learn[@]}" --class-weights balanced
! grep -q 'is predicted as' "$tmp/printed" || fail "balanced classes are told of"
prints 'every one of the 600 training rows' "${learn[@]}" --lambda 1 --class-weights Yes=1.01
! grep -q -- '--class-weights balanced' "$tmp/printed" || fail "class weights are offered again"
grep -q -- '--measure balanced-accuracy (or auc)' "$tmp/printed" || fail "no measure"

# more than two classes, all rows as one
awk -F, -v OFS=, 'NR == 1 { print } NR > 1 { print $1, $2, $3 == "Yes" && NR % 2 ? "Maybe" : $3 }' \
    "$tmp/default.csv" >"$tmp/three.csv"
prints "predicted as 'No', though $positives are of other classes" train "$tmp/three.csv" \
    -t default -k linear --folds 5 -o "$tmp/m3"
refuses '--threshold 0.1: the model does not tell two classes apart' predict "$tmp/m3" \
    "$tmp/three.csv" --threshold 0.1

# as many degrees of freedom as rows
prints 'degrees of freedom on 600 rows: the model nearly reproduces its training rows' \
    train "$tmp/default.csv" -t balance --drop default -k 'rbf(1e6)' --lambda 1e-6
prints '' train "$tmp/default.csv" -t balance --drop default -k linear --lambda 0.1
! grep -q 'nearly reproduces' "$tmp/printed" || fail "two columns do not reproduce 600 rows"
