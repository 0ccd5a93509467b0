#!/usr/bin/env bash
# Splits of tall fits run side by side: the same bits for any number of threads.
set -euo pipefail
# shellcheck source=tests/support/script.sh
. tests/support/script.sh

# ---- curves in two columns and two that act together; every 40th cell is missing ----
awk 'BEGIN {
    srand(3); print "a,b,c,d,y"
    for (i = 0; i < 300; i++) {
        a = rand(); b = rand(); c = rand(); d = rand()
        y = sin(6 * a) + 4 * (b - 0.5) ^ 2 + 3 * c * d + 0.2 * (rand() + rand() - 1)
        printf "%s,%.4f,%.4f,%.4f,%.6f\n", i % 40 ? sprintf("%.4f", a) : "", b, c, d, y
    }
}' >"$tmp/table.csv"

for threads in 1 2 12; do
    "$rls2" train "$tmp/table.csv" -t y --method tall --threads $threads -q \
        -o "$tmp/$threads.model" >"$tmp/said" || fail "no model on $threads threads"
    cmp "$tmp/1.model" "$tmp/$threads.model" || fail "a model of $threads threads is another"
done
