#!/usr/bin/env bash
# rls2 reproduce from the outside: the list, names, missing data, what is written, and going on
# after an end of any kind.
set -euo pipefail
rls2=$(realpath "$1")
data=$PWD/data
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
cd "$tmp" # no data folder here, nor beside it
unset RLS2_DATA RLS2_SOURCES
export RLS2_RSVG_CONVERT=$tmp/no-rsvg # PNG files are tested elsewhere

fail() { echo "FAILED: $*"; exit 1; }

expect_code() { # CODE TEXT-ON-STDERR ARGUMENTS...
    local wanted=$1 text=$2 code=0
    shift 2
    "$rls2" "$@" >"$tmp/out" 2>"$tmp/err" </dev/null || code=$?
    [ "$code" -eq "$wanted" ] || fail "rls2 $* ended with $code, not $wanted: $(cat "$tmp/err")"
    [ -z "$text" ] || grep -qF -- "$text" "$tmp/err" ||
        fail "rls2 $* did not say '$text': $(cat "$tmp/err")"
}

shows() { grep -qF -- "$1" "$tmp/out" || fail "no '$1' in: $(cat "$tmp/out")"; } # TEXT
has() { # FILE...
    for file in "$@"; do [ -s "$file" ] || fail "there is no $file: $(find . -type f)"; done
}

# ---- the list and names ----
expect_code 0 '' reproduce
"$rls2" help --bash >"$tmp/completions" # not into grep -q, which closes the pipe early
for name in binary-strings prostate uci cancers; do
    shows "  $name "
    grep -q "reproduce:\*) _rls2_words '.*$name .*data'" "$tmp/completions" ||
        fail "$name is not completed"
done
[ ! -s err ] || fail "the list spoke on stderr: $(cat err)"
expect_code 0 '' reproduce --json
shows '"name": "prostate"'
expect_code 2 "there is no experiment 'prostat'; did you mean 'prostate'?" reproduce uci prostat
expect_code 2 "there is no experiment 'everything'; 'rls2 reproduce' lists them" reproduce \
    everything
expect_code 2 "there is no experiment 'a'" reproduce a b c d e f g h i
expect_code 2 "is not one of newton, alternate" reproduce uci --solver simplex
[ ! -e reproduction ] || fail "a wrong command line made a folder"

# ---- where nothing can be written, nothing is begun ----
expect_code 1 "$tmp/err/x" reproduce prostate -o "$tmp/err/x"
expect_code 1 'name of the folder' reproduce prostate -o ''

# ---- missing data: said, and the others are computed all the same ----
mkdir some
cp "$data/prostate.csv" some
expect_code 1 'uci: ' reproduce uci prostate --splits 2 --data some -o missing
grep -qF "'rls2 reproduce data' fetches" err || fail "it does not say how to get data: $(cat err)"
grep -qF "rsvg-convert is not installed: figures are written as SVG alone" err ||
    fail "no word on PNG: $(cat err)"
[ "$(grep -c rsvg-convert err)" -eq 1 ] || fail "said more than once: $(cat err)"
shows 'Tables and figures: missing/prostate'
has missing/prostate/{tables.json,tables.md,page.html,journal.txt} missing/index.html
expect_code 1 'prostate: ' reproduce prostate --splits 1
RLS2_DATA=some expect_code 0 '' reproduce prostate --splits 1 -q -o named
[ ! -s err ] || fail "--quiet spoke: $(cat err)"

# ---- what is written ----
look=(reproduce prostate --splits 3 --data "$data" -q)
expect_code 0 '' "${look[@]}" -o one --threads 1
shows '0.454'
expect_code 0 '' "${look[@]}" -o one --json # everything is in the journal by now
cmp -s out one/prostate/tables.json || fail "--json is not tables.json"
has one/prostate/*.svg one/prostate/*.csv
[ -z "$(find one -name '*.png' -o -name '*.??????' -newer some)" ] ||
    fail "left behind: $(find one)"
for text in 'id="prostate"' 'prostate/fig' "rls2 $("$rls2" --version | cut -d' ' -f2)" \
    'uci: not computed yet' 'rls2 reproduce uci --solver alternate<' '</html>'; do
    grep -qF "$text" one/index.html || fail "no '$text' in index.html"
done
grep -o 'src="[^"]*"' one/index.html | cut -d'"' -f2 |
    while read -r picture; do has "one/$picture"; done
if command -v python3 >/dev/null; then
    python3 - one/prostate/*.svg <<'END' || fail "not XML"
import sys, xml.dom.minidom
for path in sys.argv[1:]: xml.dom.minidom.parse(path)
END
fi
expect_code 0 '' reproduce prostate prostate --splits 1 --data "$data" -q -o list --json
shows '"experiment": "prostate"'

# a PNG that cannot be made is said, but everything else is there
RLS2_RSVG_CONVERT=false expect_code 1 'could not make a PNG' reproduce prostate --splits 1 \
    --data "$data" -o no-png
has no-png/index.html no-png/prostate/{tables.json,page.html}

# ---- the same for any number of threads, and other seeds are other splits ----
expect_code 0 '' "${look[@]}" -o two --threads 2
cmp -s one/prostate/tables.json two/prostate/tables.json ||
    fail "two threads compute something else"
expect_code 0 '' "${look[@]}" -o other --seed 7
! cmp -s one/prostate/tables.json other/prostate/tables.json || fail "the seed changes nothing"

# ---- Ctrl-C and kill -9: it goes on where it was, nothing is computed twice, same results ----
long=(reproduce prostate --splits 16 --data "$data" -q)
stop() { # SIGNAL LINES: once the journal is longer than that
    set -m # or the shell would have the signal ignored
    "$rls2" "${long[@]}" -o stopped --threads 1 >out 2>err &
    child=$!
    set +m
    for _ in $(seq 600); do
        [ ! -e stopped/prostate/journal.txt ] ||
            [ "$(wc -l <stopped/prostate/journal.txt)" -le "$2" ] || break
        kill -0 "$child" 2>/dev/null || break
        sleep 0.02
    done
    kill "-$1" "$child" 2>/dev/null || true
    code=0
    wait "$child" 2>/dev/null || code=$?
}
stop INT 2
if [ "$code" -ne 0 ]; then # it was not faster than we
    [ "$code" -eq 130 ] || fail "Ctrl-C ended it with $code: $(cat err)"
    grep -qF 'stopped; what is finished is kept in stopped: run it again to go on' err ||
        fail "it said: $(cat err)"
    [ ! -e stopped/prostate/tables.json ] || fail "half a table was written"
    [ ! -s out ] || fail "half a table was printed"
fi
kept=$(wc -l <stopped/prostate/journal.txt)
[ "$kept" -ge 3 ] || fail "finished units are lost: $kept"
stop KILL "$((kept + 2))"
[ "$(wc -l <stopped/prostate/journal.txt)" -ge "$((kept + 3))" ] || [ "$code" -eq 0 ] ||
    fail "finished units are lost"
expect_code 0 '' "${long[@]}" -o stopped --threads 2
expect_code 0 '' "${long[@]}" -o whole --threads 2
cmp -s stopped/prostate/tables.json whole/prostate/tables.json ||
    fail "interrupted, the results are others"
for file in whole/prostate/*.svg; do
    cmp -s "$file" "stopped/prostate/${file##*/}" || fail "$file is another"
done
[ -z "$(cut -d' ' -f1 stopped/prostate/journal.txt | sort | uniq -d)" ] ||
    fail "units were computed twice"

echo "ok"
