#!/bin/sh
# The installed library, by pkg-config and by CMake: library.sh CONSUMER.C
set -eu
source=$(realpath "$1")
cd "$(mktemp -d)"

# shellcheck disable=SC2046
cc -std=c11 -Wall -Werror $(pkg-config --cflags rls2) "$source" $(pkg-config --libs rls2) -o shared
./shared | grep "rls2 $(pkg-config --modversion rls2): f = 1.0"
ldd ./shared | grep 'librls2.so.0.7 => .*/lib/'

cp "$source" consumer.c
cat >CMakeLists.txt <<'END'
cmake_minimum_required(VERSION 3.22)
project(consumer LANGUAGES C)
find_package(rls2 REQUIRED)
add_executable(consumer consumer.c)
target_link_libraries(consumer PRIVATE rls2::rls2_static)
END
cmake -B build . >/dev/null
cmake --build build >/dev/null
build/consumer | grep "f = 1.0"
if ldd build/consumer | grep librls2; then echo "not linked to the static library"; exit 1; fi
