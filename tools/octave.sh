#!/usr/bin/env bash
# The Octave package: builds the gateway, runs the tests, or makes the archive for pkg install.
#
#     tools/octave.sh build [FOLDER [LIBRARY]]  gateway and functions, in build/octave
#     tools/octave.sh describe FOLDER  what pkg knows of the package: DESCRIPTION, INDEX, COPYING
#     tools/octave.sh test COMMAND     builds them in a temporary folder, holds them against COMMAND
#     tools/octave.sh try              installs the archive by pkg install and uses it
#     tools/octave.sh archive          dist/rls2-octave-VERSION.tar.gz, self-contained
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

# Symbols of the library stay inside, and its OpenBLAS comes first.
build() { # FOLDER LIBRARY
    mkdir -p "$1"
    cp -R matlab/inst/. "$1"
    LDFLAGS="$(mkoctfile -p LDFLAGS) -Wl,--exclude-libs,ALL" \
        mkoctfile --mex -DRLS2_OCTAVE -Wall -Wextra -Iinclude -o "$1/rls2_mex.mex" \
        matlab/src/rls2_mex.c matlab/src/rls2_octave.cc "$2" -lopenblas -llapacke -lz -ljansson \
        -lgomp -lm
    rm -f rls2_mex.o rls2_octave.o matlab/src/*.o
}

version() {
    sed -n 's/^#define RLS2_VERSION_[MP][A-Z]* \([0-9]*\)$/\1/p' include/rls2/version.h |
        paste -sd .
}

run_tests() { # COMMAND
    local command
    command=$(realpath "$1")
    if ! command -v octave-cli >/dev/null || ! command -v mkoctfile >/dev/null; then
        echo "no Octave with mkoctfile: its package is not tested (make octave installs it)"
        exit 77
    fi
    folder=$(mktemp -d)
    trap 'rm -rf "$folder"' EXIT
    build "$folder/rls2" "$(dirname "$command")/librls2.a"
    if ! octave-cli --norc --path "$folder/rls2" --eval "rls2_mex ('settings');" >/dev/null 2>&1 &&
        grep -q __asan <(nm "$folder/rls2/rls2_mex.mex"); then
        echo "Octave does not run with the sanitizers"
        exit 77
    fi
    (cd "$folder" && RLS2_COMMAND=$command RLS2_TREE=$OLDPWD octave-cli --norc --path rls2 \
        --eval "addpath ('$OLDPWD/matlab/tests'); test_rls2 ();")
}

describe() { # FOLDER
    local now=${SOURCE_DATE_EPOCH:-$(date +%s)}
    mkdir -p "$1"
    cp LICENSE "$1/COPYING"
    sed "s/@VERSION@/$(version)/; s/@DATE@/$(date -u -d "@$now" +%F)/" matlab/DESCRIPTION.in \
        >"$1/DESCRIPTION"
    cp matlab/INDEX "$1/INDEX"
}

# The gateway, the functions and the sources of the library, compiled by pkg install.
archive() {
    local name
    name=rls2-$(version)
    folder=$(mktemp -d)
    trap 'rm -rf "$folder"' EXIT
    mkdir -p "$folder/$name/src/library" dist
    cp -R matlab/inst "$folder/$name/inst"
    describe "$folder/$name"
    cp matlab/src/rls2_mex.c matlab/src/rls2_octave.cc "$folder/$name/src"
    cp matlab/src/package.mk "$folder/$name/src/Makefile"
    cp -R include src "$folder/$name/src/library"
    tar -C "$folder" --owner=0 --group=0 -czf "dist/rls2-octave-$(version).tar.gz" "$name"
    echo "dist/rls2-octave-$(version).tar.gz: in Octave 'pkg install' it"
}

# In a prefix of its own, without the tree.
try_archive() {
    local file
    file=$(realpath "dist/rls2-octave-$(version).tar.gz")
    folder=$(mktemp -d)
    trap 'rm -rf "$folder"' EXIT
    (cd "$folder" && HOME=$folder octave-cli --norc --eval "
        pkg prefix $folder/p $folder/p; pkg local_list $folder/list;
        pkg install $file; pkg load rls2;
        X = randn (60, 3); Y = X(:,1);
        m = rls2_train (X, Y, 'kernels', 'linear');
        assert (rls2_predict (m, X), Y, 0.1);
        disp ('installed by pkg install, and used')")
}

case ${1:-} in
    try) try_archive ;;
    build) build "${2:-build/octave}" "${3:-build/librls2.a}" ;;
    describe) describe "$2" ;;
    test) run_tests "$2" ;;
    archive) archive ;;
    *) sed -n '2,8s/^# \{0,1\}//p' "${BASH_SOURCE[0]}" >&2; exit 2 ;;
esac
