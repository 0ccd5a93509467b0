#!/usr/bin/env bash
# Library, command and page into $PREFIX, in the root of the sources.
set -euo pipefail

# a page that is there already is taken as it is
if [ ! -e gui/page/dist/THIRD-PARTY.txt ]; then
    (cd gui/page && npm ci --no-audit --no-fund --silent && npm run --silent build)
fi
# shellcheck disable=SC2086
cmake -S . -B build-conda -G Ninja ${CMAKE_ARGS:-} -DCMAKE_BUILD_TYPE=Release \
    -DCMAKE_INSTALL_PREFIX="$PREFIX" -DCMAKE_PREFIX_PATH="$PREFIX" -DCMAKE_INSTALL_LIBDIR=lib \
    -DCMAKE_INSTALL_RPATH="$PREFIX/lib" -DRLS2_GUI=ON -DRLS2_BENCH=OFF
cmake --build build-conda -j "${CPU_COUNT:-2}"
cmake --install build-conda
