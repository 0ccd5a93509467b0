#!/usr/bin/env bash
# The site of the documentation: build/site, with examples that are run on the way.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

usage() {
    cat <<USAGE
usage: ${0##*/} build|check

  build   the site, in build/site; warnings are errors
  check   every link and anchor of it that stays on it leads somewhere
USAGE
}

env=build/docs-venv
pins=docs/site/requirements.txt
prefix=$PWD/build/site-root # the command, library and headers as they are installed
export PIP_DISABLE_PIP_VERSION_CHECK=1

# Sphinx, as it is pinned; made anew where the pins have changed.
make_env() {
    local python
    if [ -f "$env/pins" ] && cmp -s "$pins" "$env/pins"; then return; fi
    python=$(tools/python.sh find)
    rm -rf "$env"
    "$python" -m venv "$env"
    "$env/bin/python" -m pip install --quiet --require-hashes --only-binary :all: -r "$pins"
    cp "$pins" "$env/pins"
}

# The Python package in the environment of its tests, which has pandas and matplotlib.
make_package() {
    tools/python.sh env
    build/python-venv/bin/python -m pip install --quiet --no-deps --no-build-isolation .
}

# R and Octave, with objects of the build.
make_others() {
    tools/r.sh quick build
    tools/octave.sh build
}

build() {
    make_env
    make_package
    make_others
    rm -rf "$prefix"
    cmake --install build --prefix "$prefix" >/dev/null
    R_LIBS=$PWD/build/r-quick/library OCTAVE_PATH=$PWD/build/octave \
        python3 docs/site/assemble.py "$prefix/bin/rls2" "$prefix" build/python-venv/bin/python \
        build/site-src
    "$env/bin/sphinx-build" -q -W --keep-going -b html build/site-src build/site
    echo "the site is build/site/index.html"
}

case ${1:-} in
    build) build ;;
    check) python3 tools/check-links.py --site build/site ;;
    -h | --help) usage ;;
    *) usage >&2; exit 2 ;;
esac
