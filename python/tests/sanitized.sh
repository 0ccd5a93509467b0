#!/usr/bin/env bash
# Tests of the extension under AddressSanitizer and UBSan: sanitized.sh PYTHON EXTENSION COMPILER
#
# EXTENSION was compiled by COMPILER, a GCC, for the sanitizers. The interpreter was not, so their
# run time is loaded before it. It and numpy keep some of their memory to the end: only leaks of our
# code count. Objects of Python are counted by test_core.py itself, which also measures the memory
# of the process, but not here, where what is freed is kept for a while.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
python=$1 extension=$2 compiler=$3
tests=(python/tests/test_{batches,core,files,inputs,messages}.py)

find_library() { # NAME
    "$compiler" -print-file-name="lib$1.so"
}

room=$(mktemp -d)
trap 'rm -rf "$room"' EXIT
cp -r python/rls2 "$room/"
cp "$extension" "$room/rls2/"

# Leaks are reported at the end, of every process that was started: to files. What ends a process is
# printed at once, which pytest must not keep to itself.
status=0
ASAN_OPTIONS=allocator_may_return_null=1:log_path=$room/report LSAN_OPTIONS=exitcode=0 \
    UBSAN_OPTIONS=print_stacktrace=1 PYTHONMALLOC=malloc PYTHONPATH=$room \
    LD_PRELOAD="$(find_library asan) $(find_library ubsan)" \
    "$python" -P -m pytest -q -p no:cacheprovider --capture=sys "${tests[@]}" \
    --deselect python/tests/test_core.py::test_memory_is_stable_over_many_fits \
    --deselect python/tests/test_batches.py::test_large_mapped_array_is_never_copied || status=$?

ours="$PWD/(src|python)/|_core\.abi3\.so"
shopt -s nullglob
for report in "$room"/report.*; do
    if ! grep -q 'ERROR: LeakSanitizer' "$report" || grep -qE "$ours" "$report"; then
        cat "$report"
        status=1
    fi
done
exit "$status"
