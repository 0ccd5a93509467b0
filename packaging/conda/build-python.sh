#!/usr/bin/env bash
# The Python package into the environment of $PYTHON, in the root of the sources.
set -euo pipefail

CMAKE_ARGS="${CMAKE_ARGS:-} -DCMAKE_INSTALL_RPATH=$PREFIX/lib" \
    "$PYTHON" -m pip install . --no-deps --no-build-isolation -vv
