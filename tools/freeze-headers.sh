#!/usr/bin/env bash
# Keeps a copy of the public headers of this version, once it is out, for the test that programs
# compiled with them still run: tests/consumer/headers-MAJOR.MINOR/rls2.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

number() { sed -n "s/^#define RLS2_VERSION_$1 //p" include/rls2/version.h; }
folder=tests/consumer/headers-$(number MAJOR).$(number MINOR)
rm -rf "$folder/rls2"
mkdir -p "$folder/rls2"
cp include/rls2/*.h "$folder/rls2/"
echo "$folder/rls2: $(find "$folder/rls2" -name '*.h' | wc -l) headers"
[ -e "$folder/program.c" ] || echo "a program.c that uses them is still to be written"
