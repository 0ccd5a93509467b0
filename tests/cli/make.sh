#!/usr/bin/env bash
# make says what it builds before it does, and where the command is afterwards. Nothing is built.
set -eu
command -v make >/dev/null || exit 77
[ -e Makefile ] || exit 77
fail() { echo "FAILED: $*" >&2; exit 1; }

plan=$(make --no-print-directory -n all)
line() { grep -n -m 1 -F -e "$1" <<<"$plan" | cut -d : -f 1; }
before=$(line 'building the command and the libraries')
built=$(line '--target rls2_shared')
after=$(line 'the command is build/rls2')
[ -n "$before" ] && [ -n "$built" ] && [ -n "$after" ] || fail "make says too little: $plan"
[ "$before" -lt "$built" ] && [ "$built" -lt "$after" ] || fail "not in this order: $plan"
echo ok
