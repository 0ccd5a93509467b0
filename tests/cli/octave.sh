#!/usr/bin/env bash
# The Octave package gives the same bits as the command; skipped where there is no Octave.
set -euo pipefail
exec "$(dirname "${BASH_SOURCE[0]}")/../../tools/octave.sh" test "$1"
