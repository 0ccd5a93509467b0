#!/usr/bin/env bash
# The version of include/rls2/version.h is that of everything that is handed on, and all of it names
# the same maintainer.
#
#     tools/check-versions.sh [ROOT]       checks the tree (default: this repository)
#     tools/check-versions.sh --self-test  checks that a version that differs is noticed
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)

# Where else the version stands: the file, and what takes it out of it.
places='
CHANGELOG.md                 s/^## \([0-9.]*\) .*/\1/p
r/DESCRIPTION                s/^Version: //p
r/NEWS.md                    s/^# rls2 \([0-9.]*\).*/\1/p
packaging/debian/changelog   s/^rls2 (\([0-9.]*\)-[0-9]*) .*/\1/p
packaging/conda/recipe.yaml  s/^  version: "\([0-9.]*\)"$/\1/p'

# Files that take the version from the header must not have one of their own.
takers='
pyproject.toml               input = "include/rls2/version.h"
matlab/DESCRIPTION.in        Version: @VERSION@
CMakeLists.txt               file(STRINGS include/rls2/version.h'

maintained='r/DESCRIPTION matlab/DESCRIPTION.in pyproject.toml packaging/debian/control
packaging/debian/changelog packaging/debian/copyright'

version_of() { # ROOT
    sed -n 's/^#define RLS2_VERSION_\(MAJOR\|MINOR\|PATCH\) \([0-9]*\)$/\2/p' \
        "$1/include/rls2/version.h" | paste -sd.
}

check() { # ROOT
    local failed=0 wanted file how found address
    wanted=$(version_of "$1")
    while read -r file how; do
        [ -n "$file" ] || continue
        found=$(sed -n "$how" "$1/$file" | head -n 1)
        if [ "$found" != "$wanted" ]; then
            echo "$file: version '$found', but include/rls2/version.h has '$wanted'"
            failed=1
        fi
    done <<<"$places"
    while read -r file how; do
        [ -n "$file" ] || continue
        if ! grep -qF "$how" "$1/$file"; then
            echo "$file: '$how' is missing: the version is that of include/rls2/version.h"
            failed=1
        fi
    done <<<"$takers"
    address=$(sed -n 's/.*<\(.*@.*\)>$/\1/p' "$1/packaging/debian/control" | head -n 1)
    for file in $maintained; do
        if [ -z "$address" ] || ! grep -qF "$address" "$1/$file"; then
            echo "$file: the maintainer of packaging/debian/control is not named"
            failed=1
        fi
    done
    return "$failed"
}

self_test() {
    local copy file
    copy=$(mktemp -d)
    trap 'rm -rf "$copy"' RETURN
    cd "$here"
    cp --parents include/rls2/version.h CHANGELOG.md pyproject.toml CMakeLists.txt r/DESCRIPTION \
        r/NEWS.md matlab/DESCRIPTION.in packaging/debian/* packaging/conda/recipe.yaml "$copy" \
        2>/dev/null || true # folders
    check "$copy" || { echo "the copy fails"; return 1; }
    while read -r file _; do
        [ -n "$file" ] || continue
        sed -i "s/$(version_of "$here" | sed 's/\./\\./g')/9.8.7/; s/version\.h/other.h/
            s/@VERSION@/9.8.7/" "$copy/$file"
        ! check "$copy" >/dev/null || { echo "another version in $file went unnoticed"; return 1; }
        cp "$file" "$copy/$file"
    done <<<"$places$takers"
    sed -i 's/@users/@others/' "$copy/r/DESCRIPTION"
    ! check "$copy" >/dev/null || { echo "another maintainer went unnoticed"; return 1; }
}

case ${1:-} in
    --self-test) self_test ;;
    -*) sed -n '2,6s/^# \{0,1\}//p' "$0" >&2; exit 2 ;;
    *) check "${1:-$here}" ;;
esac
