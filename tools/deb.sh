#!/usr/bin/env bash
# Debian packages: the source package and all it makes, in build/deb, and in dist/ what is handed
# on.
#
#     tools/deb.sh build [OPTION ...]  with options of dpkg-buildpackage
#     tools/deb.sh lint                lintian on what was built; it must have nothing to say
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

version=$(sed -n 's/^#define RLS2_VERSION_[A-Z]* //p' include/rls2/version.h | paste -sd.)
folder=build/deb
tree=$folder/rls2-$version

# A page that is older than its sources is built anew.
build_page() {
    local page=gui/page
    if [ -e $page/dist/THIRD-PARTY.txt ] &&
        [ -z "$(find $page/src $page/*.mjs $page/package-lock.json -newer $page/dist/index.html)" ]
    then return; fi
    (cd $page && npm ci --no-audit --no-fund --silent && npm run --silent build)
}

# The files of the repository, and the page as it was built.
lay_out() {
    local epoch
    epoch=$(dpkg-parsechangelog -l packaging/debian/changelog -S Timestamp)
    rm -rf "$folder"
    mkdir -p "$tree"
    git ls-files -z --cached --others --exclude-standard |
        tar --null --no-recursion --files-from=- --ignore-failed-read -cf - | tar -xf - -C "$tree"
    mkdir -p "$tree/gui/page/dist"
    cp gui/page/dist/index.html gui/page/dist/THIRD-PARTY.txt "$tree/gui/page/dist"
    # its tests, and what only git reads
    rm -rf "$tree/.ci" "$tree/.gitignore" "$tree/.gitattributes" "$tree/packaging/debian"
    tar -C "$folder" --sort=name --mtime="@$epoch" --owner=0 --group=0 --numeric-owner \
        -czf "$folder/rls2_$version.orig.tar.gz" "${tree##*/}"
    cp -R packaging/debian "$tree/debian"
}

build() { # OPTIONS OF dpkg-buildpackage
    build_page
    lay_out
    (cd "$tree" &&
        env -u MAKEFLAGS -u MAKELEVEL DEB_BUILD_OPTIONS="noautodbgsym parallel=${JOBS:-2}" \
            PATH=/usr/sbin:/usr/bin:/sbin:/bin dpkg-buildpackage -us -uc "$@") \
        >"$folder/build.log" 2>&1 || {
        tail -n 40 "$folder/build.log"
        echo "the build of the Debian packages failed; all of it is in $folder/build.log"
        return 1
    }
    mkdir -p dist
    cp "$folder"/*.deb "$folder"/*.dsc "$folder"/*.orig.tar.gz "$folder"/*.debian.tar.xz dist
    (cd dist && ls ./*.deb)
}

lint() {
    lintian --allow-root --fail-on error,warning --tag-display-limit 0 "$folder"/*.changes
    echo "lintian: nothing to say"
}

case ${1:-} in
    build) shift; build "$@" ;;
    lint) lint ;;
    *) sed -n '2,7s/^# \{0,1\}//p' "$0" >&2; exit 2 ;;
esac
