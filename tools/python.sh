#!/usr/bin/env bash
# The Python package: an environment under build/, the extension, wheels and tests.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

usage() {
    cat <<USAGE
usage: ${0##*/} COMMAND

  find     print a Python of version 3.11 or later that can make environments and build extensions
  env      the environment alone, with what building and testing need: build/python-venv
  test     build the package, install it in build/python-venv and run python/tests
  check    the same from the source distribution, built in a clean environment; the last line
           is 'PASSED FAILED SKIPPED'
  wheel    a wheel that needs nothing of the system, in dist/: with a current OpenBLAS, or that of
           the system where RLS2_BLAS=system
  sdist    the source distribution, in dist/
  pin      write python/requirements.txt anew: the newest versions of all that building and testing
           need, and what they need, each with the hashes of its files
  pin docs the same of docs/site/requirements.txt, what 'make docs' needs

PYTHON names the interpreter to use. Exit status 77: there is none that will do.
USAGE
}

env=build/python-venv
pins=python/requirements.txt
# settings of the environment that a clean build makes for itself: it takes the pins, too
for_builds=()
export PIP_DISABLE_PIP_VERSION_CHECK=1

# ---- the interpreter -----------------------------------------------------------------------------

# A python3 may be a shim that leads nowhere, or lack venv or the headers: only trying tells.
is_usable() { # PYTHON
    "$1" - <<'TRY' >/dev/null 2>&1
import os, sys, sysconfig
import ensurepip, venv
assert sys.version_info >= (3, 11) and sys.implementation.name == "cpython"
assert os.path.exists(os.path.join(sysconfig.get_path("include"), "Python.h"))
TRY
}

find_python() {
    local name
    for name in ${PYTHON:-python3 /usr/bin/python3 python3.13 python3.12 python3.11 python3.14}; do
        if command -v "$name" >/dev/null && is_usable "$name"; then
            command -v "$name"
            return
        fi
    done
    echo "${0##*/}: no Python 3.11 or later with venv and its headers" \
        "(Debian: python3-dev, python3-venv)" >&2
    return 77
}

# ---- the environment -----------------------------------------------------------------------------

# What building and testing need, one requirement a line, as pyproject.toml says. Linux alone has
# wheels to make, with a BLAS and with tools of their own.
requirements() { # PYTHON
    "$1" - <<'READ'
import tomllib
with open("pyproject.toml", "rb") as file:
    settings = tomllib.load(file)
project = settings["project"]
wheels = ["auditwheel"]
for override in settings["tool"]["scikit-build"]["overrides"]:
    wheels += override["build"]["requires"]
wheels = [f"{name}; sys_platform == 'linux'" for name in wheels]
print(*settings["build-system"]["requires"], *project["dependencies"],
      *project["optional-dependencies"]["test"], "pip", "build", "ninja", *wheels, sep="\n")
READ
}

# The pins are versions that have wheels for these; elsewhere they would be built, with luck.
is_pinned() { # PYTHON
    "$1" - <<'TRY' >/dev/null 2>&1
import platform, sys, sysconfig
assert (3, 11) <= sys.version_info[:2] <= (3, 14)
assert sysconfig.get_platform() in ("linux-x86_64", "linux-aarch64")
assert platform.libc_ver()[0] == "glibc"
assert tuple(map(int, platform.libc_ver()[1].split("."))) >= (2, 28)
TRY
}

# What is not among the pins is not fetched: a requirement of pyproject.toml that they do not meet
# is an error.
install_pinned() { # REQUIREMENTS
    "$env/bin/python" -m pip install --quiet --require-hashes --only-binary :all: \
        --requirement "$pins"
    "$env/bin/python" -m pip install --quiet --no-index --requirement "$1" || {
        echo "${0##*/}: $pins does not meet pyproject.toml; renew it by '${0##*/} pin'" >&2
        return 1
    }
}

install_unpinned() { # REQUIREMENTS
    "$env/bin/python" -m pip install --quiet --upgrade pip
    "$env/bin/python" -m pip install --quiet --requirement "$1"
}

# Made anew where the interpreter or the requirements have changed, else used again.
make_env() {
    local python wanted how=install_unpinned stamp=$env/requirements.txt
    python=$(find_python) || exit 77
    if is_pinned "$python"; then
        how=install_pinned
        for_builds=(PIP_CONSTRAINT="$PWD/$pins")
    else
        echo "nothing is pinned: $pins is for CPython 3.11 to 3.14 on Linux" \
            "(glibc; x86_64, aarch64)" >&2
    fi
    wanted=$("$python" --version; echo "$python"; requirements "$python"; echo "$how"; cat "$pins")
    if [ -f "$stamp" ] && [ "$wanted" = "$(cat "$stamp")" ]; then return; fi
    echo "making $env for $("$python" --version)" >&2
    rm -rf "$env"
    mkdir -p build
    "$python" -m venv "$env" || exit 77
    requirements "$python" >"$env/wanted.txt"
    "$how" "$env/wanted.txt"
    echo "$wanted" >"$stamp"
}

# uv resolves for all versions of Python and all systems at a time. No address of an index is
# written.
pin() { # WHAT, FILE; requirements on the standard input
    local python env=build/pin-venv
    python=$(find_python) || exit 77
    rm -rf "$env"
    mkdir -p build
    "$python" -m venv "$env"
    "$env/bin/python" -m pip install --quiet uv
    if [ -n "${PIP_CERT:-}" ]; then export SSL_CERT_FILE=${SSL_CERT_FILE:-$PIP_CERT}; fi
    {
        echo "# $1, not by hand."
        "$env/bin/uv" pip compile --quiet --universal --python-version 3.11 --generate-hashes \
            --no-header --no-annotate --no-emit-index-url --no-emit-find-links -
    } >"$env/pins"
    mv "$env/pins" "$2"
}

pin_package() {
    local python
    python=$(find_python) || exit 77
    requirements "$python" |
        pin "What building and testing the Python package need; written by 'tools/python.sh pin'" \
            "$pins"
}

pin_docs() {
    pin "What 'make docs' needs; written by 'tools/python.sh pin docs'" \
        docs/site/requirements.txt <docs/site/requirements.in
}

# ---- commands ------------------------------------------------------------------------------------

# Away from the sources: what is tested is what was installed.
run_tests() { # PYTEST ARGUMENTS
    "$env/bin/python" -P -m pytest -q python/tests "$@"
}

# Builds in build/python and only what has changed.
install_package() {
    "$env/bin/python" -m pip install --quiet --no-deps --no-build-isolation .
}

# The source distribution, the wheel made of it in an environment of its own, and that one
# installed.
install_wheel() {
    rm -rf build/python-dist
    env "${for_builds[@]}" "$env/bin/python" -m build --outdir build/python-dist . \
        >build/python-dist.log 2>&1 ||
        { cat build/python-dist.log; return 1; }
    "$env/bin/python" -m pip install --quiet --no-deps --force-reinstall build/python-dist/*.whl
}

count_tests() { # REPORT
    "$env/bin/python" - "$1" <<'COUNT'
import sys
import xml.etree.ElementTree as tree
suites = list(tree.parse(sys.argv[1]).getroot().iter("testsuite"))
kinds = ("tests", "failures", "errors", "skipped")
total, failed, wrong, skipped = (sum(int(s.get(k, 0)) for s in suites) for k in kinds)
print(total - failed - wrong - skipped, failed + wrong, skipped)
COUNT
}

check() {
    local status=0 report=build/python-tests.xml passed=0 failed=0 skipped=0
    rm -f "$report"
    if install_wheel; then
        run_tests --junitxml "$report" || status=$?
    else
        echo "the build of the Python package failed"
        status=1
    fi
    if [ -f "$report" ]; then read -r passed failed skipped < <(count_tests "$report"); fi
    if [ "$status" -ne 0 ] && [ "$failed" -eq 0 ]; then failed=1; fi
    echo "$passed $failed $skipped"
}

# auditwheel puts the libraries that are not on every system beside the extension; OpenBLAS lies
# there already.
wheel() {
    rm -rf build/python-wheel
    PATH="$PWD/$env/bin:$PATH" RLS2_BLAS=${RLS2_BLAS:-scipy-openblas32} \
        "$env/bin/python" -m pip wheel --quiet --no-deps --no-build-isolation \
        --wheel-dir build/python-wheel .
    mkdir -p dist
    PATH="$PWD/$env/bin:$PATH" "$env/bin/auditwheel" repair \
        --wheel-dir dist build/python-wheel/*.whl
}

sdist() {
    mkdir -p dist
    env "${for_builds[@]}" "$env/bin/python" -m build --sdist --outdir dist . \
        >build/python-sdist.log 2>&1 || { cat build/python-sdist.log; return 1; }
}

case ${1:-} in
    find) find_python ;;
    env) make_env ;;
    test)
        make_env
        install_package
        run_tests "${@:2}"
        ;;
    check)
        make_env
        check
        ;;
    wheel)
        make_env
        wheel
        ;;
    sdist)
        make_env
        sdist
        ;;
    pin)
        if [ "${2:-}" = docs ]; then pin_docs; else pin_package; fi
        ;;
    -h | --help) usage ;;
    *) usage >&2; exit 2 ;;
esac
