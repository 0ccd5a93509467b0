#!/usr/bin/env bash
# Reads the #include lines and fails, with file:line, on each arrow that points up.
#
#   plan -> select, modelfile -> model -> solver -> basis -> dictionary, formats
#        -> kernel, table, la -> base
#
# A layer includes itself and what stands below it; layers of one rank do not know each other. Every
# layer may include the public headers rls2/*.h, and those include nothing else of this project. cli/,
# gui/, experiments/ and python/ see the public headers only; gui/ nothing of cli/ either. Only la
# knows the names of BLAS and LAPACK.
set -euo pipefail

usage() {
    echo "usage: ${0##*/} [--self-test | ROOT]   (ROOT: the tree to check, default this repository)"
}

check_tree() ( # ROOT
    cd "$1"
    local folders=() folder
    for folder in src include cli gui experiments python/src; do
        if [ -d "$folder" ]; then folders+=("$folder"); fi
    done
    find "${folders[@]}" -type f \( -name '*.[ch]' -o -name '*.inc' \) -print0 | sort -z |
        xargs -0 awk '
        BEGIN {
            rank["base"] = 0
            rank["la"] = rank["table"] = rank["kernel"] = 1
            rank["formats"] = rank["dictionary"] = 2
            rank["basis"] = 3; rank["solver"] = 4; rank["model"] = 5
            rank["modelfile"] = rank["select"] = 6
            rank["plan"] = 7
        }
        function bad(why) { printf "%s:%d: %s\n", FILENAME, FNR, why; failures++ }
        FNR == 1 {
            split(FILENAME, part, "/")
            top = part[1]; from = part[2]
            inside = top == "src" && from in rank
            if (top == "src" && !inside) bad("src/" from " is not a layer")
        }
        !(inside && from == "la") && /(cblas|LAPACKE|openblas)_[A-Za-z0-9_]+[ \t]*\(/ {
            bad("only src/la may call BLAS and LAPACK")
        }
        /^[ \t]*#[ \t]*include[ \t]*[<"]/ {
            quoted = $0 ~ /include[ \t]*"/
            path = $0; sub(/^[^<"]*[<"]/, "", path); sub(/[>"].*/, "", path)
            split(path, part, "/"); to = part[1]
            if (path ~ /(^|\/)(cblas|lapacke|lapack|f77blas|openblas_config)[^\/]*\.h$/) {
                if (!(inside && from == "la")) bad("only src/la may include " path)
            } else if (to == "rls2") {
                next
            } else if (path ~ /\//  && to in rank) {
                if (!inside) bad(top " may not include the internal header " path)
                else if (to != from && rank[to] >= rank[from]) bad(from " may not include " path)
            } else if (top == "gui" && (to == "cli" || to == "experiments")) {
                bad("gui may not include " path)
            } else if (path ~ /(^|\/)\.\.?\//) {
                bad("write " path " without dots")
            } else if (quoted && (top == "src" || top == "include")) {
                bad(path " is neither LAYER/... nor rls2/...")
            }
        }
        END { exit failures > 0 }'
)

# ---- the check, checked ---------------------------------------------------------------------------

expect() { # EXPECTED-OUTPUT (empty: the tree is fine) FILE LINE...
    local want=$1 file=$2 tree got status=0
    shift 2
    tree=$(mktemp -d "$scratch/tree.XXXX")
    mkdir -p "$tree/src/base" "$tree/${file%/*}"
    echo '#include <stdint.h>' >"$tree/src/base/fine.c"
    printf '%s\n' "$@" >"$tree/$file"
    got=$(check_tree "$tree") || status=1
    if [ -z "$want" ] && [ "$status" -eq 0 ]; then return; fi
    if [ -n "$want" ] && [ "$status" -eq 1 ] && [ "$got" = "$want" ]; then return; fi
    printf '%s with %s\n  expected: %s\n  got:      %s\n' "$file" "$*" "${want:-nothing}" "${got:-nothing}"
    failed=1
}

self_test() {
    scratch=$(mktemp -d)
    trap 'rm -rf "$scratch"' EXIT
    failed=0
    expect '' src/solver/a.c '#include <math.h>' '#include "base/memory.h"' '#include "solver/a.h"' '#include "rls2/path.h"'
    expect '' src/la/a.c '#include <cblas.h>' 'cblas_dgemm();'
    expect '' cli/a.c '#include "rls2/rls2.h"' '#include "command.h"'
    expect 'src/base/a.c:2: base may not include solver/b.h' src/base/a.c '' '#include "solver/b.h"'
    expect 'src/la/a.c:1: la may not include table/b.h' src/la/a.c '#include "table/b.h"'
    expect 'src/table/a.h:1: table may not include la/b.h' src/table/a.h '#include "la/b.h"'
    expect 'src/model/a.c:1: model may not include plan/b.h' src/model/a.c '  #  include <plan/b.h>'
    expect 'src/model/a.c:1: b.h is neither LAYER/... nor rls2/...' src/model/a.c '#include "b.h"'
    expect 'src/model/a.c:1: write ../plan/b.h without dots' src/model/a.c '#include "../plan/b.h"'
    expect 'src/kernel/a.c:1: only src/la may include lapacke.h' src/kernel/a.c '#include <lapacke.h>'
    expect 'src/kernel/a.c:1: only src/la may call BLAS and LAPACK' src/kernel/a.c 'x = cblas_ddot (n);'
    expect 'src/gui/a.c:1: src/gui is not a layer' src/gui/a.c 'int x;'
    expect 'cli/a.c:1: cli may not include the internal header base/memory.h' cli/a.c '#include "base/memory.h"'
    expect 'python/src/a.c:2: python may not include the internal header table/table.h' python/src/a.c '#include "core.h"' '#include "table/table.h"'
    expect 'gui/server/a.c:1: gui may not include the internal header base/memory.h' gui/server/a.c '#include "base/memory.h"'
    expect 'gui/server/a.c:2: gui may not include cli/output.h' gui/server/a.c '#include "gui/server/b.h"' '#include "cli/output.h"'
    expect 'include/rls2/a.h:1: include may not include the internal header la/la.h' include/rls2/a.h '#include "la/la.h"'
    return "$failed"
}

case "${1-}" in
    -h | --help) usage ;;
    --self-test) self_test ;;
    -*) usage >&2; exit 2 ;;
    *) check_tree "${1:-$(dirname "${BASH_SOURCE[0]}")/..}" ;;
esac
