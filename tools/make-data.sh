#!/usr/bin/env bash
# Writes the benchmark tables data/*.csv from the data files inside Debian 12 packages.
# The packages are only downloaded and unpacked, never installed. See data/README.md.
set -euo pipefail

usage() {
    cat <<USAGE
usage: ${0##*/} [OUTDIR]

Downloads Debian packages into a temporary folder, unpacks them and writes the benchmark
tables (*.csv) to OUTDIR (default: the folder data of this repository), replacing those there.
Needs apt-get with an up-to-date package list, dpkg-deb, and Rscript (package r-base-core).
USAGE
}

case "${1-}" in
    -h | --help) usage; exit 0 ;;
    -*) usage >&2; exit 2 ;;
esac
if [ "$#" -gt 1 ]; then usage >&2; exit 2; fi

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
out=${1:-$here/../data}

for tool in apt-get dpkg-deb Rscript; do
    command -v "$tool" >/dev/null || { echo "${0##*/}: $tool not found" >&2; exit 1; }
done

packages=(
    python3-sklearn       # housing
    python3-vega-datasets # auto-mpg
    r-cran-ddalpha        # heart, liver, pima
    r-cran-lasso2         # prostate
    r-cran-mlbench        # servo, sonar
    r-cran-rrcov          # cpu
    r-cran-th.data        # wpbc
    weka                  # ionosphere
)

tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
trap 'exit 130' INT
trap 'exit 143' TERM
mkdir "$tmp/deb" "$tmp/root" "$tmp/csv"

# APT drops to another user, who may not write to a private folder, unless told not to.
(cd "$tmp/deb" && apt-get -qq -o APT::Sandbox::User="$(id -un)" download "${packages[@]}")
for deb in "$tmp"/deb/*.deb; do
    dpkg-deb -f "$deb" Package Version | paste -s -d ' '
    dpkg-deb -x "$deb" "$tmp/root"
done

LC_ALL=C Rscript --vanilla "$here/make-data.R" "$tmp/root" "$tmp/csv"

# Only a complete set replaces what is there.
mkdir -p "$out"
for csv in "$tmp"/csv/*.csv; do
    install -m 644 "$csv" "$out/${csv##*/}"
done
