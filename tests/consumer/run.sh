#!/usr/bin/env bash
# Installs the library into a temporary prefix and uses it as a stranger would: by pkg-config and by
# find_package, shared and static, from C and from C++; compiles each public header alone, as C11
# and as C++17; and runs programs compiled with the headers of earlier versions.
set -euo pipefail

if [ "$#" -ne 3 ]; then echo "usage: ${0##*/} CMAKE BUILD-FOLDER CC" >&2; exit 2; fi
cmake=$1 build=$2 cc=$3
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
unset DESTDIR

tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
prefix=$tmp/prefix

"$cmake" --install "$build" --prefix "$prefix" >/dev/null
libdir=$(dirname "$(find "$prefix" -name librls2.a)")
export PKG_CONFIG_PATH=$libdir/pkgconfig${PKG_CONFIG_PATH:+:$PKG_CONFIG_PATH}
strict=(-Wall -Wextra -Wpedantic -Werror)

uses_shared() { [[ $(ldd "$1") == *librls2.so.0.7* ]]; }

run() { # PROGRAM shared|static
    local text
    text=$(LD_LIBRARY_PATH=$libdir "$1")
    echo "${1##*/}: $text"
    case $2 in
        shared) uses_shared "$1" || { echo "$1 is not linked to librls2.so.0.7"; exit 1; } ;;
        static) ! uses_shared "$1" || { echo "$1 is linked to librls2.so.0.7"; exit 1; } ;;
    esac
    [[ $text == "rls2 $(pkg-config --modversion rls2): f = 1.0"* ]] ||
        { echo "unexpected output"; exit 1; }
}

echo "-- pkg-config"
read -ra cflags < <(pkg-config --cflags rls2)
read -ra shared < <(pkg-config --libs rls2)
read -ra static < <(pkg-config --static --libs rls2 | sed 's/-lrls2\b/-l:librls2.a/')
"$cc" -std=c11 "${strict[@]}" "${cflags[@]}" "$here/consumer.c" "${shared[@]}" -o "$tmp/pc_shared"
"$cc" -std=c11 "${strict[@]}" "${cflags[@]}" "$here/consumer.c" "${static[@]}" -o "$tmp/pc_static"
run "$tmp/pc_shared" shared
run "$tmp/pc_static" static
if command -v g++ >/dev/null; then
    g++ -std=c++17 "${strict[@]}" "${cflags[@]}" "$here/consumer.cpp" "${shared[@]}" \
        -o "$tmp/pc_cpp"
    run "$tmp/pc_cpp" shared
fi

echo "-- find_package"
"$cmake" -S "$here" -B "$tmp/cmake" -DCMAKE_PREFIX_PATH="$prefix" -DCMAKE_C_COMPILER="$cc" \
    >"$tmp/log" ||
    { cat "$tmp/log"; exit 1; }
"$cmake" --build "$tmp/cmake" >"$tmp/log" || { cat "$tmp/log"; exit 1; }
run "$tmp/cmake/consumer_shared" shared
run "$tmp/cmake/consumer_static" static

echo "-- the example of docs/LIBRARY.md"
awk '/^```c$/ { on = 1; next } /^```$/ { on = 0 } on' "$here/../../docs/LIBRARY.md" \
    >"$tmp/example.c"
"$cc" -std=c11 "${strict[@]}" "${cflags[@]}" "$tmp/example.c" "${shared[@]}" -o "$tmp/example"
(cd "$here/../.." && LD_LIBRARY_PATH=$libdir "$tmp/example" >"$tmp/output")
tail -n 1 "$tmp/output"
lines=$(grep -c '^lambda ' "$tmp/output") certified=$(grep -cE \
    '^lambda .* of 172 kernels  gap ([0-9]e-(0[7-9]|[1-9][0-9])|1e-06)$' "$tmp/output")
if [ "$certified" -lt 30 ] || [ "$certified" -ne "$lines" ] ||
    ! grep -qE '^first house: predicted 2[0-9]\.[0-9], was 24\.0$' "$tmp/output"; then
    echo "certified lines, 30 or more, and a prediction were expected:"
    cat "$tmp/output"
    exit 1
fi

echo "-- each header alone"
compilers=("$cc -std=c11 -x c")
if command -v g++ >/dev/null; then compilers+=("g++ -std=c++17 -x c++"); fi
for header in "$prefix"/include/rls2/*.h; do
    for compiler in "${compilers[@]}"; do
        read -ra command <<<"$compiler"
        printf '#include <rls2/%s>\ntypedef int something;\n' "${header##*/}" |
            "${command[@]}" "${strict[@]}" "${cflags[@]}" -fsyntax-only -
    done
done

# Headers that were frozen by tools/freeze-headers.sh, with a program of their time. Before a
# version is out its program is compiled with the headers of today.
echo "-- earlier headers"
for earlier in "$here"/headers-*/; do
    include=$prefix/include
    if [ -d "$earlier/rls2" ]; then include=$earlier; fi
    "$here/abi.py" "$include" "$prefix/include" "$libdir/librls2.so" "$cc"
    "$cc" -std=c11 "${strict[@]}" -I"$include" "$earlier/program.c" -L"$libdir" -lrls2 -lm \
        -o "$tmp/earlier"
    LD_LIBRARY_PATH=$libdir "$tmp/earlier"
done

echo "-- a promise that is broken is noticed"
mkdir -p "$tmp/broken/rls2"
broken() { # WHAT FILE SED-SCRIPT
    cp "$prefix"/include/rls2/*.h "$tmp/broken/rls2/"
    sed -i "$3" "$tmp/broken/rls2/$2"
    if cmp -s "$prefix/include/rls2/$2" "$tmp/broken/rls2/$2"; then
        echo "$1: nothing was changed"
        exit 1
    fi
    if "$here/abi.py" "$tmp/broken" "$prefix/include" "$libdir/librls2.so" "$cc" \
        >"$tmp/log" 2>&1; then
        echo "$1: was not noticed"
        exit 1
    fi
}
broken "a function that is gone" path.h 's/rls2_path_count(/rls2_path_number(/'
broken "a member that has moved" path.h \
    's/^    double gap_tol;/    double more;\n    double gap_tol;/'
broken "a member that is gone" basis.h 's/^    int center;/    int centre;/'
broken "a struct that was longer" status.h 's/char message\[512\]/char message[511 + 1 + 8]/'
broken "an enumerator of another value" path.h 's/RLS2_DF_LAST = 2/RLS2_DF_LAST = 3/'

echo "-- what was installed"
tools=$here/../../tools
"$tools/check-binaries.sh" paths "$prefix"
"$tools/check-binaries.sh" hardened "$prefix/bin/rls2" "$libdir/librls2.so"
"$here/../binaries/names.sh" "$prefix/bin/rls2" "$libdir/librls2.so"
