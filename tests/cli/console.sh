#!/usr/bin/env bash
# The command between its streams: a full disk, a closed pipe, a terminal and none.
# (The progress bar itself: test_console.c.)
set -euo pipefail
rls2=$1
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT

fail() { echo "FAILED: $*"; exit 1; }

full() { # NAME-IN-MESSAGE ARGUMENTS...: a full disk is an error, and is told
    local name=$1 code=0
    shift
    "$rls2" "$@" >/dev/full 2>"$tmp/err" || code=$?
    [ "$code" -eq 1 ] || fail "rls2 $* >/dev/full ended with $code"
    case $(cat "$tmp/err") in
    "$name: stdout: No space left on device") ;;
    "$name: stdout: not everything could be written") ;; # an earlier buffer failed, not the last
    *) fail "rls2 $*: $(cat "$tmp/err")" ;;
    esac
}
if [ -c /dev/full ]; then
    full 'rls2 demo' demo
    full 'rls2 demo' demo --json
    full 'rls2 help' help
    full 'rls2 help' help --bash # longer than a buffer
    full 'rls2 help' train --help
    full rls2 --version
fi

# whoever reads only the beginning gets it without complaint (the signal of the closed pipe may end
# rls2)
first=$({ "$rls2" help --bash 2>"$tmp/err" || true; } | head -n 1)
[ -n "$first" ] || fail "nothing came through the pipe"
[ ! -s "$tmp/err" ] || fail "a closed pipe made a message: $(cat "$tmp/err")"

# no terminal: no escapes, no carriage returns
"$rls2" demo -o "$tmp/picture.svg" >"$tmp/out" 2>"$tmp/err"
[ ! -s "$tmp/err" ] || fail "demo spoke on stderr: $(cat "$tmp/err")"
! grep -q "$(printf '[\r\033]')" "$tmp/out" || fail "control characters in a file"

# a terminal: the help fills it, within reason
if command -v script >/dev/null && script -qec true /dev/null >/dev/null 2>&1; then
    widest() { # COLUMNS
        script -qec "stty cols $1; '$rls2' help train" /dev/null </dev/null | tr -d '\r' |
            awk '{ if (length($0) > most) most = length($0) } END { print most }'
    }
    [ "$(widest 72)" -le 80 ] || fail "too wide for 72 columns" # examples are not filled
    narrow=$(widest 80) wide=$(widest 100) wider=$(widest 200)
    [ "$narrow" -le 80 ] || fail "$narrow characters on 80 columns"
    [ "$wide" -gt 85 ] || fail "100 columns are not used: $wide"
    [ "$wide" -le 100 ] && [ "$wider" -eq "$wide" ] || fail "wider than 100 columns: $wide, $wider"
fi

# one of several processes: only stats works with others, and only where it was built with MPI
code=0
OMPI_COMM_WORLD_SIZE=2 "$rls2" train data/prostate.csv -t lpsa >"$tmp/out" 2>"$tmp/err" || code=$?
[ "$code" -eq 2 ] || fail "train as one of two processes gave $code"
grep -q "'rls2 train' is for one" "$tmp/err" || fail "two processes: $(cat "$tmp/err")"
echo "ok"
