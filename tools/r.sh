#!/usr/bin/env bash
# The R package: lays out its tree, and builds, installs, checks and tests it.
#
#   tools/r.sh build       build/r/rls2_VERSION.tar.gz, with the sources of the library in it
#   tools/r.sh install     that tarball into build/r-library
#   tools/r.sh check       R CMD check --as-cran on the tarball
#   tools/r.sh quick BUILD the package without help in BUILD/r-quick/library, with objects of the
#                          CMake build folder BUILD
#   tools/r.sh test BUILD  the same, and its tests
#   tools/r.sh lay-out TREE  the sources of the tarball alone
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

version=$(sed -n 's/^#define RLS2_VERSION_[A-Z]* //p' include/rls2/version.h | paste -sd.)
folder=build/r
library=build/r-library

# Nothing of the library is twice in the repository: the package gets its sources here.
lay_out() { # TREE
    rm -rf "$1"
    mkdir -p "${1%/*}"
    cp -rp r "$1"
    mkdir -p "$1/src/lib" "$1/src/include"
    cp -rp src/. "$1/src/lib/"
    cp -rp include/. "$1/src/include/"
    sed -i "s/^Version:.*/Version: $version/" "$1/DESCRIPTION"
}

build() {
    local tree=$folder/tree/rls2
    lay_out "$tree"
    rm -f "$folder"/rls2_*.tar.gz
    (cd "$folder" && R CMD build "$@" tree/rls2)
}

install_tarball() {
    mkdir -p "$library"
    MAKEFLAGS=-j2 R CMD INSTALL --library="$library" "$folder/rls2_$version.tar.gz"
}

# Flags of Debian's compiler are not ours; the network may not be there. The manual is set without
# the font inconsolata, which comes in a package of TeX of 1.5 GB.
check() {
    local log=$folder/rls2.Rcheck/00check.log notes
    (cd "$folder" &&
        env _R_CHECK_CRAN_INCOMING_REMOTE_=false _R_CHECK_FORCE_SUGGESTS_=false \
            _R_CHECK_SYSTEM_CLOCK_=false \
            _R_CHECK_COMPILATION_FLAGS_KNOWN_="-Wformat -Werror=format-security -Wdate-time" \
            R_RD4PDF=times,hyper OMP_THREAD_LIMIT=2 MAKEFLAGS=-j2 \
            R CMD check --as-cran "$@" "rls2_$version.tar.gz") || true
    notes=$(sed -n 's/^Status: //p' "$log")
    echo "R CMD check: ${notes:-no status}"
    # the one note that may stay: checking CRAN incoming feasibility (a new submission)
    if grep -qE '(ERROR|WARNING)$' "$log"; then return 1; fi
    ! grep -E '\.\.\. NOTE$' "$log" | grep -v 'checking CRAN incoming feasibility'
}

# The objects of all rooms but la, which the package compiles for R's BLAS, are those of the build.
install_quick() { # BUILD
    local tree=$1/r-quick/rls2 room object
    lay_out "$tree"
    for room in src/*/; do
        room=${room%/} room=${room#src/}
        if [ "$room" = la ]; then continue; fi
        for object in "$1/CMakeFiles/rls2_objects.dir/src/$room"/*.c.o; do
            cp "$object" "$tree/src/lib/$room/$(basename "$object" .c.o).o"
        done
    done
    mkdir -p "$1/r-quick/library"
    MAKEFLAGS=-j2 R CMD INSTALL --no-docs --no-html --no-test-load --no-byte-compile \
        --library="$1/r-quick/library" "$tree" >"$1/r-quick/install.log" 2>&1 ||
        { cat "$1/r-quick/install.log"; return 1; }
}

test_quick() { # BUILD
    install_quick "$1"
    RLS2_TREE=$PWD RLS2_COMMAND=$(realpath "$1/rls2") R_LIBS="$1/r-quick/library" Rscript -e \
        'testthat::test_dir("r/tests/testthat", package = "rls2", load_package = "installed",
                            stop_on_failure = TRUE)'
}

case "${1-}" in
    build) shift; build "$@" ;;
    lay-out) lay_out "$2" ;;
    install) install_tarball ;;
    check) shift; check "$@" ;;
    quick) install_quick "$2" ;;
    test)
        if ! command -v Rscript >/dev/null ||
            ! Rscript -e 'q(status = !requireNamespace("testthat", quietly = TRUE))' 2>/dev/null
        then
            echo "no R with testthat: the R package is not tested ('make r' installs them)"
            exit 77
        fi
        test_quick "$2"
        ;;
    *) sed -n '2,11s/^# \{0,1\}//p' "$0" >&2; exit 2 ;;
esac
