#!/usr/bin/env bash
# Everything that is handed on, in dist/, with checksums: Debian packages and their source, wheel,
# source distribution, R tarball, Octave archive, conda recipe. 'tools/dist.sh sums' writes the
# checksums alone.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

step() { echo "== $* =="; }

sums() {
    (cd dist && find . -maxdepth 1 -type f ! -name SHA256SUMS -printf '%f\0' | sort -z |
        xargs -0 sha256sum >SHA256SUMS && sha256sum --quiet --check SHA256SUMS)
}

make_all() {
    rm -rf dist
    mkdir -p build dist
    step Debian packages
    tools/deb.sh build
    tools/deb.sh lint
    step wheel
    tools/python.sh wheel
    step source distribution
    tools/python.sh sdist
    step R
    tools/r.sh build >build/r-build.log 2>&1 || { cat build/r-build.log; return 1; }
    cp build/r/rls2_*.tar.gz dist
    step Octave
    tools/octave.sh archive
    step conda
    tools/conda.sh archive
    sums
    step dist
    cat dist/SHA256SUMS
}

case ${1:-} in
    sums) sums ;;
    '') make_all ;;
    *) sed -n '2,4s/^# \{0,1\}//p' "$0" >&2; exit 2 ;;
esac
