#!/usr/bin/env bash
# rls2 predict on rows that do not fit: what is said, with which exit code, and that no file is
# left.
set -euo pipefail
rls2=$1
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT

fail() { echo "FAILED: $*"; exit 1; }

# Exit code 1, TEXT in one line on stderr, nothing on stdout, no file.
refused() { # TEXT ARGUMENTS...
    local text=$1 code=0
    shift
    "$rls2" "$@" >"$tmp/out" 2>"$tmp/err" </dev/null || code=$?
    [ "$code" -eq 1 ] || fail "rls2 $* ended with $code, not 1: $(cat "$tmp/err")"
    grep -qF -- "$text" "$tmp/err" || fail "rls2 $* did not say '$text': $(cat "$tmp/err")"
    [ ! -s "$tmp/out" ] || fail "rls2 $* printed $(head -n 1 "$tmp/out")"
    code=0
    "$rls2" "$@" -o "$tmp/none" >"$tmp/out" 2>"$tmp/err" </dev/null || code=$?
    [ "$code" -eq 1 ] || fail "rls2 $* -o FILE ended with $code"
    [ -z "$(ls -A "$tmp" | grep none)" ] || fail "rls2 $* left $(ls -A "$tmp")"
}

says() { # TEXT: the last run said it on stderr
    grep -qF -- "$1" "$tmp/err" || fail "'$1' was not said, but: $(cat "$tmp/err")"
}

model=$tmp/servo.model
"$rls2" train data/servo.csv -t rise_time --lambda 0.01 -q -o "$model" >/dev/null

# ---- rows that do not fit ----
sed '5s/^[^,]*/Q/' data/servo.csv >"$tmp/unseen.csv"
refused "unseen.csv:5: column 'motor': 'Q' was not among the training values" predict "$model" \
    "$tmp/unseen.csv" --strict
"$rls2" predict "$model" "$tmp/unseen.csv" >"$tmp/out" 2>"$tmp/err"
says "1 unseen category read as 'other'; --strict refuses such rows"
[ "$(wc -l <"$tmp/out")" -eq 168 ] || fail "a row of an unseen category has no line"
cut -d, -f1,3-5 data/servo.csv >"$tmp/narrow.csv"
refused "screw" predict "$model" "$tmp/narrow.csv"
sed '1s/screw/scerw/' data/servo.csv >"$tmp/misspelt.csv"
refused "did you mean 'scerw'" predict "$model" "$tmp/misspelt.csv"
awk -F, -v OFS=, 'NR == 9 { $3 = "six" } { print }' data/servo.csv >"$tmp/word.csv"
refused "word.csv:9: column" predict "$model" "$tmp/word.csv"
refused 'nowhere.csv' predict "$model" "$tmp/nowhere.csv"
refused 'nowhere.model' predict "$tmp/nowhere.model" data/servo.csv
refused '' predict data/servo.csv data/servo.csv

# A text far behind the first pieces: what came before must not be left as if it were all.
{ cat data/servo.csv; for _ in $(seq 30); do tail -n +2 data/servo.csv; done; echo 'Q,A,3,4,1'; } \
    >"$tmp/long.csv"
code=0
"$rls2" predict "$model" "$tmp/long.csv" --strict -o "$tmp/none" 2>"$tmp/err" || code=$?
[ "$code" -eq 1 ] && [ ! -e "$tmp/none" ] || fail "a late error left a file or was not told ($code)"
says "long.csv:$(wc -l <"$tmp/long.csv"): column 'motor': 'Q'"
[ -z "$(ls -A "$tmp" | grep none)" ] || fail "a late error left $(ls -A "$tmp")"

# A file that was there stays as it was.
echo old >"$tmp/kept"
"$rls2" predict "$model" "$tmp/unseen.csv" --strict -o "$tmp/kept" 2>/dev/null &&
    fail "an unseen value was taken"
[ "$(cat "$tmp/kept")" = old ] || fail "a failed run replaced its file"
"$rls2" predict "$model" data/servo.csv -q -o "$tmp/kept"
[ "$(wc -l <"$tmp/kept")" -eq 168 ] || fail "the file was not replaced"

# ---- empty cells ----
awk -F, -v OFS=, 'NR == 3 { $1 = "" } NR == 7 || NR == 168 { $3 = "" } { print }' data/servo.csv \
    >"$tmp/holes.csv"
"$rls2" predict "$model" "$tmp/holes.csv" >"$tmp/imputed" 2>"$tmp/err"
says '3 empty cells imputed; --strict refuses such rows'
"$rls2" predict "$model" "$tmp/holes.csv" --missing drop >"$tmp/out" 2>"$tmp/err"
says '3 rows with an empty cell: no prediction (NA)'
[ "$(wc -l <"$tmp/out")" -eq 168 ] || fail "a row has no line"
[ "$(grep -n '^NA$' "$tmp/out" | tr '\n' ' ')" = '3:NA 7:NA 168:NA ' ] ||
    fail "the lines without prediction are at $(grep -n '^NA$' "$tmp/out")"
"$rls2" predict "$model" data/servo.csv -q >"$tmp/full"
diff <(awk '$0 != "NA" { print NR, $0 }' "$tmp/out") \
    <(awk 'NR != 3 && NR != 7 && NR != 168 { print NR, $0 }' "$tmp/full") >"$tmp/diff" ||
    fail "$(head -3 "$tmp/diff")"
diff <(sed '3d;7d;168d' "$tmp/imputed") <(sed '3d;7d;168d' "$tmp/full") >"$tmp/diff" ||
    fail "empty cells changed other rows: $(head -3 "$tmp/diff")"
grep -q NA "$tmp/imputed" && fail "a row with an empty cell has no prediction"
# what is filled in is what a file that has it says
mode=$(tail -n +2 data/servo.csv | cut -d, -f1 | sort | uniq -c | sort -rn |
    awk 'NR == 1 { print $2 }')
awk -F, -v OFS=, -v mode="$mode" 'NR == 3 { $1 = mode } { print }' data/servo.csv >"$tmp/filled.csv"
"$rls2" predict "$model" "$tmp/filled.csv" -q >"$tmp/filled"
[ "$(sed -n 3p "$tmp/filled")" = "$(sed -n 3p "$tmp/imputed")" ] ||
    fail "an empty cell is not the most frequent category"
"$rls2" predict "$model" "$tmp/holes.csv" -q --missing drop --contributions --std >"$tmp/out"
[ "$(tail -n +2 "$tmp/out" | awk -F, '{ print NF }' | sort -u | wc -l)" -eq 1 ] ||
    fail "lines of several lengths"
refused ':3: ' predict "$model" "$tmp/holes.csv" --missing error
refused ':3: ' predict "$model" "$tmp/holes.csv" --strict
code=0
"$rls2" predict "$model" "$tmp/holes.csv" --strict --missing drop >"$tmp/out" 2>"$tmp/err" ||
    code=$?
[ "$code" -eq 2 ] || fail "--strict --missing drop ended with $code"
sed '4s/^[^,]*/NA/' data/servo.csv >"$tmp/na.csv"
refused "'NA'" predict "$model" "$tmp/na.csv" --na none --strict
"$rls2" predict "$model" "$tmp/na.csv" >"$tmp/out" 2>"$tmp/err"
says '1 empty cell imputed'
{ head -n 1 data/servo.csv; echo ',A,3,4,1'; } >"$tmp/only-hole.csv"
"$rls2" predict "$model" "$tmp/only-hole.csv" --missing drop >"$tmp/out" 2>"$tmp/err"
printf 'prediction\nNA\n' | cmp -s - "$tmp/out" || fail "nothing but a hole: $(cat "$tmp/out")"

# An empty target is no reason to leave a row out, in predictions.
awk -F, -v OFS=, 'NR == 5 { $5 = "" } { print }' data/servo.csv >"$tmp/untold.csv"
"$rls2" predict "$model" "$tmp/untold.csv" >"$tmp/out" 2>"$tmp/err"
cmp -s "$tmp/out" "$tmp/full" || fail "an empty target changed the predictions"
says "on the 166 rows whose 'rise_time' is known"

# ---- numbers and dates as people write them ----
# Cells of a stream are read as the training rows were written, the target's too.
awk -F, -v OFS=, 'NR == 1 { print "day", "price", $5 }
    NR > 1 { printf "%02d/%02d/2001,\"$%d,%03d\",\"%s,000\"\n", NR % 28 + 1, NR % 12 + 1, $3, NR,
             int(10 * $5) + 1 }' data/servo.csv >"$tmp/local.csv"
"$rls2" train "$tmp/local.csv" -t rise_time --lambda 0.01 -q -o "$tmp/local.model" >"$tmp/said"
"$rls2" predict "$tmp/local.model" "$tmp/local.csv" >"$tmp/out" 2>"$tmp/err"
said=$(awk '/^training rows/ { print $3 }' "$tmp/said")
says "rmse ${said%?}"
sed '2,$s/^[^,]*,/31\/31\/2001,/' "$tmp/local.csv" >"$tmp/baddate.csv"
refused "baddate.csv:2: column 'day': '31/31/2001' is not a date" predict "$tmp/local.model" \
    "$tmp/baddate.csv"

# ---- columns carried along ----
awk -F, -v OFS=, 'NR == 1 { print "id", $0 } NR > 1 { print "\"r," NR "\"", $0 }' "$tmp/holes.csv" \
    >"$tmp/named.csv"
"$rls2" predict "$model" "$tmp/named.csv" --missing drop -q --keep id --keep motor >"$tmp/kept"
[ "$(sed -n 1p "$tmp/kept")" = 'id,motor,prediction' ] ||
    fail "the header is $(head -1 "$tmp/kept")"
[ "$(sed -n 3p "$tmp/kept")" = '"r,3",,NA' ] || fail "the third line is $(sed -n 3p "$tmp/kept")"
[ "$(sed -n 2p "$tmp/kept")" = "\"r,2\",$(sed -n 2p data/servo.csv | cut -d, -f1),$(
    sed -n 2p "$tmp/full"
)" ] || fail "the second line is $(sed -n 2p "$tmp/kept")"
"$rls2" predict "$model" "$tmp/named.csv" --missing drop -q --keep id --json >"$tmp/out"
python3 - "$tmp/out" <<'EOF' || fail "--keep in JSON"
import json, sys
said = json.load(open(sys.argv[1]))["predictions"]
assert [row["keep"]["id"] for row in said] == [f"r,{i}" for i in range(2, 169)]
assert said[1]["prediction"] is None
EOF
refused "--keep: no column 'idd'" predict "$model" "$tmp/named.csv" --keep idd

# ---- training with empty cells ----
"$rls2" train "$tmp/holes.csv" -t rise_time --lambda 0.01 -o "$tmp/holes.model" \
    >/dev/null 2>"$tmp/err"
says '3 of 167 rows have an empty cell (pgain 2, motor 1): left out; 164 remain'
"$rls2" verify "$tmp/holes.model" "$tmp/holes.csv" -q >/dev/null ||
    fail "a model of rows with holes is not verified"
"$rls2" train "$tmp/holes.csv" -t rise_time --lambda 0.01 --missing impute -o "$tmp/imputed.model" \
    >/dev/null 2>"$tmp/err"
says '3 of 167 rows have an empty cell (pgain 2, motor 1): filled with the median'
"$rls2" verify "$tmp/imputed.model" "$tmp/holes.csv" -q >/dev/null ||
    fail "an imputed model is not verified"
"$rls2" show "$tmp/imputed.model" -q >/dev/null || fail "an imputed model is not shown"
code=0
"$rls2" train "$tmp/holes.csv" -t rise_time --lambda 0.01 --missing error -o "$tmp/none" \
    >"$tmp/out" 2>"$tmp/err" || code=$?
[ "$code" -eq 1 ] && [ ! -e "$tmp/none" ] || fail "--missing error was passed over"
says 'holes.csv:3: '
# ... is remembered for new rows, and can be said anew
"$rls2" train data/servo.csv -t rise_time --lambda 0.01 --missing error -q -o "$tmp/strict.model" \
    >/dev/null
refused ':3: ' predict "$tmp/strict.model" "$tmp/holes.csv"
"$rls2" predict "$tmp/strict.model" "$tmp/holes.csv" --missing drop >"$tmp/out" 2>"$tmp/err"
says '3 rows with an empty cell'

# ---- the score of what is known ----
"$rls2" predict "$model" data/servo.csv >"$tmp/out" 2>"$tmp/err"
said=$(sed -n 's/^rmse \([^ ]*\) on the 167 rows.*/\1/p' "$tmp/err")
paste -d, <(tail -n +2 data/servo.csv) <(tail -n +2 "$tmp/out") |
    awk -F, -v said="$said" \
        '{ sum += ($6 - $5)^2 }
         END { r = sqrt(sum / NR); exit !(r / said - 1 < 1e-5 && 1 - r / said < 1e-5) }' ||
    fail "the score '$said' is not that of the predictions: $(cat "$tmp/err")"
"$rls2" predict "$model" data/servo.csv -q --json >"$tmp/json"
tail -n 7 "$tmp/json" | tr -d '\n ' |
    grep -q "\"unseen\":0,\"score\":{\"rmse\":${said%?}[0-9]*,\"rows\":167}}$" ||
    fail "the score of the JSON is another: $(tail -n 6 "$tmp/json")"
cut -d, -f1-4 data/servo.csv | "$rls2" predict "$model" - -q --json | grep -q '"score"' &&
    fail "a score of nothing"
head -n 2 data/servo.csv | "$rls2" predict "$model" - >"$tmp/out" 2>"$tmp/err"
says "on the 1 row whose 'rise_time' is known"
# a label that is neither class
"$rls2" train data/heart.csv -t class -k linear --lambda 1 -q -o "$tmp/heart.model" >/dev/null
sed '2,4s/[^,]*$/7/' data/heart.csv | "$rls2" predict "$tmp/heart.model" - >"$tmp/out" 2>"$tmp/err"
says '3 rows have a label that is none of the classes: counted as wrong'
says "on the $(($(wc -l <data/heart.csv) - 1)) rows whose"
"$rls2" predict "$model" data/servo.csv -q >"$tmp/out" 2>"$tmp/err"
[ ! -s "$tmp/err" ] || fail "--quiet said: $(cat "$tmp/err")"

# ---- a kernel computed elsewhere ----
awk 'BEGIN { for (i = 1; i <= 12; i++) {
    for (j = 1; j <= 12; j++) printf "%s%g", (j > 1 ? "," : ""), 1 + i * j; print "" } }' \
    >"$tmp/matrix.csv"
awk 'BEGIN { print "y"; for (i = 1; i <= 12; i++) print i + i % 3 }' >"$tmp/target.csv"
"$rls2" train "$tmp/target.csv" -t y --given g="$tmp/matrix.csv" -q --lambda 0.1 \
    -o "$tmp/given.model" >/dev/null
code=0
"$rls2" predict "$tmp/given.model" "$tmp/target.csv" >"$tmp/out" 2>"$tmp/err" || code=$?
[ "$code" -ne 0 ] && [ ! -s "$tmp/out" ] || fail "predictions without the matrix"
says "give its file by --given g=FILE"
head -n 4 "$tmp/target.csv" >"$tmp/few.csv"
head -n 3 "$tmp/matrix.csv" >"$tmp/few-matrix.csv"
"$rls2" predict "$tmp/given.model" "$tmp/few.csv" --given g="$tmp/few-matrix.csv" -q >"$tmp/out"
"$rls2" predict "$tmp/given.model" "$tmp/target.csv" --given g="$tmp/matrix.csv" -q | head -n 4 |
    cmp -s - "$tmp/out" ||
    fail "three rows alone are predicted otherwise than among twelve"
refused 'is 3 x 12; it must be 12 x 12' predict "$tmp/given.model" "$tmp/target.csv" \
    --given g="$tmp/few-matrix.csv"

# ---- LIBSVM: what a line does not have is zero, also beyond the file's largest index ----
printf '1 1:1 2:2 3:1\n2 1:2 3:3\n3 2:1\n4 1:4 2:1 3:2\n' >"$tmp/train.libsvm"
printf '1 1:1 2:2\n2 1:2\n' >"$tmp/short.libsvm"
printf '1 1:1 2:2 3:0\n2 1:2 3:0 4:7\n' >"$tmp/long.libsvm"
"$rls2" train "$tmp/train.libsvm" --task regression -k linear --lambda 0.1 -q \
    -o "$tmp/libsvm.model" >/dev/null
"$rls2" predict "$tmp/libsvm.model" "$tmp/short.libsvm" -q >"$tmp/out"
"$rls2" predict "$tmp/libsvm.model" "$tmp/long.libsvm" -q | cmp -s - "$tmp/out" ||
    fail "absent indices are not zero"
[ "$(wc -l <"$tmp/out")" -eq 3 ] || fail "LIBSVM: $(cat "$tmp/out")"
echo "ok"
