#!/usr/bin/env bash
# A limit of the size of files (ulimit -f) is a full disk: told, the old file as it was, nothing
# left beside it.
set -euo pipefail
source "$(dirname "$0")/../support/script.sh"
here=$tmp/here
mkdir "$here"

limited() { # FILE ARGUMENTS...: rls2 cannot write more than 4 kB
    local file=$1 code=0
    shift
    (ulimit -f 4 && exec "$rls2" "$@") >"$tmp/out" 2>"$tmp/err" || code=$?
    [ $code -eq 1 ] || fail "rls2 $* under a limit ended with $code: $(cat "$tmp/err")"
    grep -q "$file: .*File too large" "$tmp/err" ||
        fail "rls2 $* does not say why: $(cat "$tmp/err")"
}
keeps() { # FILE: what was there is there, alone
    [ "$(cat "$here/$1")" = old ] || fail "$1 is not what it was"
    [ "$(ls -A "$here")" = "$1" ] || fail "left beside $1: $(ls -A "$here")"
    rm "$here/$1"
}

echo old >"$here/h.model"
limited h.model train data/housing.csv -t MEDV -k 'rbf(1)' --lambda 1 -q -o "$here/h.model"
keeps h.model
"$rls2" train data/housing.csv -t MEDV -k 'linear@each' --lambda 1 -q -o "$tmp/h.model" >/dev/null
echo old >"$here/prices.csv"
limited prices.csv predict "$tmp/h.model" data/housing.csv -q -o "$here/prices.csv"
keeps prices.csv
limited stdout predict "$tmp/h.model" data/housing.csv -q
limited stdout path data/housing.csv -t MEDV -k 'linear@each' -q --json

# whoever is started by rls2 has its signals as usual: SIGPIPE is 13, SIGXFSZ 25
if [ -r /proc/self/status ]; then
    cat >"$tmp/gnuplot" <<EOF
#!/bin/sh
exec sed -n 's/^SigIgn:[^0-9a-f]*//p' /proc/self/status >"$tmp/ignored"
EOF
    chmod +x "$tmp/gnuplot"
    (trap '' PIPE && RLS2_GNUPLOT=$tmp/gnuplot exec "$rls2" plot "$tmp/h.model" -o "$tmp/h.svg") \
        2>"$tmp/err" || true
    [ $((0x$(cat "$tmp/ignored") & (1 << 12 | 1 << 24))) -eq 0 ] ||
        fail "ignored in gnuplot: $(cat "$tmp/ignored")"
fi

# killed while it writes: what it left goes with the next that writes the same file, and not before
mkfifo "$tmp/rows"
exec 9<>"$tmp/rows"
head -n 5 data/housing.csv >&9
"$rls2" predict "$tmp/h.model" - -q -o "$here/p.csv" <"$tmp/rows" 9>&- &
writer=$!
left() { find "$here" -name '.p.csv.rls2-*' | wc -l; }
for ((i = 0; i < 6000 && $(left) == 0; i++)); do sleep 0.01; done
[ "$(left)" -eq 1 ] || fail "the writer has not begun"
"$rls2" predict "$tmp/h.model" data/housing.csv -q -o "$here/p.csv"
[ "$(left)" -eq 1 ] || fail "the file of a writer that lives was taken away"
kill -9 $writer
wait $writer 2>/dev/null || true
[ "$(left)" -eq 1 ] || fail "a killed writer left nothing: there is nothing to be tested"
"$rls2" predict "$tmp/h.model" data/housing.csv -q -o "$here/p.csv"
[ "$(ls -A "$here")" = p.csv ] || fail "left by a killed writer: $(ls -A "$here")"
echo ok
