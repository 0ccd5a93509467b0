#!/usr/bin/env bash
# What `make bench-peers` does around the peers, none of which is needed: the section it writes,
# what it keeps, time limits.
set -euo pipefail
# shellcheck source=tests/support/script.sh
. tests/support/script.sh
python3 -c 'import sys; sys.exit(sys.version_info < (3, 9))' 2>/dev/null ||
    { echo "skipped: there is no python3 of 3.9 or later"; exit 77; }
export PYTHONDONTWRITEBYTECODE=1
results=tests/data/peers/results.json report=bench/peers/report.py

# ---- the section ----
python3 $report $results >"$tmp/section"
tr '\n' ' ' <"$tmp/section" >"$tmp/one-line" # sentences may be wrapped anywhere
has() { grep -qF -- "$1" "$tmp/one-line" || fail "no '$1' in $(cat "$tmp/section")"; }
has '| rls2 train | 3 |  | 0.700 | 0.80 | 0.60 | 31 |' # medians
has '| rls2 train | 2.000 (1.000) | 0.25 | 12.5 | 3.0e-08 |' # mean (deviation); the largest gap
has '| alpha, slow | 1 | 0.25 | 7.000 | 8.00 | 7.50 | 300 |'
has '| alpha, slow | 1.500 |  |  |  |'
has '| alpha, too slow | 0 |  | no result, see above |'
[ "$(grep -c '^| alpha, too slow' "$tmp/section")" -eq 1 ] || fail "a result without a result"
! LC_ALL=C.UTF-8 grep -q '.\{101,\}' "$tmp/section" ||
    fail "a line is too long: $(cat "$tmp/section")"
has 'Not installed, and so not measured: beta.'
has 'On fewer than 3 splits, to bound the time: alpha, slow (1), alpha, too slow (1).'
has 'Without a result: alpha, too slow on one, split 1: no result within 90 s.'
has '2026-01-02, a machine; rls2 1.2.3, alpha 4.5.'
has 'agree to 4e-11'
has '3 random splits of each data set'
! grep -q '@[a-z_]*@' "$tmp/section" || fail "something was not filled in: $(cat "$tmp/section")"

# ---- into a document: at its end, then in its place; the rest stays ----
printf '# Title\n\nbefore\n' >"$tmp/document"
python3 $report $results "$tmp/document"
printf '\nafter\n' >>"$tmp/document"
sed 's/0\.700/0.111/' "$tmp/document" >"$tmp/older"
python3 $report $results "$tmp/older"
cmp "$tmp/older" "$tmp/document" || fail "a section written twice differs"
[ "$(head -n 3 "$tmp/document" | tail -n 1)" = before ] &&
    [ "$(tail -n 1 "$tmp/document")" = after ] ||
    fail "the rest has changed: $(cat "$tmp/document")"
grep -v 'bench-peers: end' "$tmp/document" >"$tmp/torn"
cp "$tmp/torn" "$tmp/torn.before"
! python3 $report $results "$tmp/torn" 2>"$tmp/err" || fail "a mark is missing and nobody minds"
cmp "$tmp/torn" "$tmp/torn.before" || fail "a document without one of its marks was written to"
[ "$(grep -c 'bench-peers: ' docs/PERFORMANCE.md)" -eq 2 ] ||
    fail "docs/PERFORMANCE.md does not have its two marks"

# ---- what is kept, and time limits ----
python3 - "$tmp" <<'END' || fail "see above"
import pathlib, sys
sys.path.insert(0, "bench/peers")
import tasks

path = pathlib.Path(sys.argv[1]) / "task.json"
assert tasks.recall(path, "a", 10) is None, "nothing is there"
tasks.keep(path, "a", {"score": 1})
assert tasks.recall(path, "a", 10) == {"score": 1}
assert tasks.recall(path, "b", 10) is None, "of another question"
path.write_text(path.read_text()[:10])
assert tasks.recall(path, "a", 10) is None, "torn"
tasks.keep(path, "a", {"failed": "no result within 10 s", "limit": 10})
assert tasks.recall(path, "a", 10) and tasks.recall(path, "a", 5)
assert not tasks.recall(path, "a", 20)
tasks.keep(path, "a", {"failed": "ended with status 1"})
assert tasks.recall(path, "a", 10) is None, "failures are tried again"

late = tasks.measured(["sleep", "30"], 0.2)
assert late.status is None, late.status
log = pathlib.Path(sys.argv[1]) / "log"
bad = tasks.measured(["sh", "-c", "echo one >&2; echo two >&2; exit 3"], 20, log=log)
assert bad.status == 3 and tasks.failure(bad, 20, log) == {"failed": "ended with status 3: two"}
none = tasks.measured(["/no/such/program"], 20, log=log)
assert none.status == 127 and "/no/such/program" in tasks.failure(none, 20, log)["failed"]
good = tasks.measured(["cat"], 20, "given")
assert good.status == 0 and good.output == "given" and good.cost["memory"] > 0
END
