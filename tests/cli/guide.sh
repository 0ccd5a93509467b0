#!/usr/bin/env bash
# The commands of docs/guide/README.md print what the page says, but for numbers.
set -euo pipefail
if ! command -v gnuplot >/dev/null; then
    echo "gnuplot is not installed; the guide's pictures cannot be drawn"
    exit 77
fi
exec bash tools/make-guide.sh "$1" --check
