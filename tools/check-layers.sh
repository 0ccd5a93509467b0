#!/usr/bin/env bash
# Fails, with the place, on each arrow between two rooms that points up: #include lines of the tree,
# and with --symbols references between the objects of the library, which see what no #include line
# says: a public header declares functions of every room.
#
# A room of src knows itself and the rooms below it; rooms of one rank do not know each other. Every
# room may include the public headers rls2/*.h, and those include nothing else of this project.
# cli/, gui/, experiments/, python/ and r/ see the public headers only, gui/ and experiments/
# nothing of cli/. Only la knows the names of BLAS and LAPACK, and la/blas_names.h has all that it
# calls; r/src/blas has them by R's names.
# No two files have the same name.
set -euo pipefail

# The rooms of src, one rank a line, the lowest first.
ROOMS='base
la table kernel
formats dictionary stats
basis
widths
solver
model
modelfile select
plan'
# Those of cli; "." is cli itself. main.c knows them all.
CLI_ROOMS='.
help learn
use
plot paper'
# The rank of each room, in awk.
RANKS='function ranks(text, rank,    i, j, line, room, lines, rooms) {
    lines = split(text, line, "\n")
    for (i = 1; i <= lines; i++) {
        rooms = split(line[i], room, " ")
        for (j = 1; j <= rooms; j++) rank[room[j]] = i
    }
}'

usage() {
    cat <<END
usage: ${0##*/} [ROOT]                     (ROOT: the tree to check, default this repository)
       ${0##*/} --symbols ARCHIVE [ROOT]   (ARCHIVE: the static library made of it)
       ${0##*/} --self-test
END
}

sources() { # FOLDER...: what is checked in those that there are
    local folders=() folder
    for folder; do
        if [ -d "$folder" ]; then folders+=("$folder"); fi
    done
    find "${folders[@]}" -type f \( -name '*.[ch]' -o -name '*.inc' \) | sort
}

check_names() { # in the tree
    sources src cli gui/server experiments python/src r/src | awk -F/ '
        $NF in first { printf "%s: %s has this name already\n", $0, first[$NF]; failures++; next }
        { first[$NF] = $0 }
        END { exit failures > 0 }'
}

check_includes() { # in the tree
    sources src include cli gui experiments python/src r/src | grep -v '^r/src/blas/' |
        tr '\n' '\0' |
        xargs -0 awk -v rooms="$ROOMS" -v cli_rooms="$CLI_ROOMS" "$RANKS"'
        BEGIN { ranks(rooms, rank); ranks(cli_rooms, cli_rank) }
        function bad(why) { printf "%s:%d: %s\n", FILENAME, FNR, why; failures++ }
        function cli_room(path,    part) { return split(path, part, "/") > 2 ? part[2] : "." }
        FNR == 1 {
            split(FILENAME, part, "/")
            top = part[1]; from = part[2]
            inside = top == "src" && from in rank
            if (top == "src" && !inside) bad("src/" from " is not a layer")
            if (top == "cli") {
                from = FILENAME == "cli/main.c" ? "" : cli_room(FILENAME)
                if (from != "" && !(from in cli_rank)) bad("cli/" from " is not a room")
            }
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
            } else if ((top == "gui" && to ~ /^(cli|experiments)$/) ||
                       (top == "experiments" && to ~ /^(cli|gui)$/)) {
                bad(top " may not include " path)
            } else if (top == "cli" && to == "cli" && from != "") {
                to = cli_room(path)
                if (to != from && cli_rank[to] >= cli_rank[from])
                    bad("cli/" from " may not include " path)
            } else if (path ~ /(^|\/)\.\.?\//) {
                bad("write " path " without dots")
            } else if (quoted && (top == "src" || top == "include")) {
                bad(path " is neither LAYER/... nor rls2/...")
            }
        }
        END { exit failures > 0 }'
}

# The names that blas_names.h knows, and then whatever is called by such a name.
check_blas_names() { # in the tree
    local names=src/la/blas_names.h
    sources src/la | tr '\n' '\0' | xargs -0 awk -v names="$names" '
        BEGIN {
            while ((getline line <names) > 0)
                if (split(line, word, " ") >= 3 && word[1] == "#define" &&
                    word[3] == "scipy_" word[2])
                    known[word[2]] = 1
        }
        FILENAME == names { next }
        {
            while (match($0, /(cblas|LAPACKE|(open|goto)blas|blas_memory)_[A-Za-z0-9_]+[ \t]*\(/)) {
                name = substr($0, RSTART, RLENGTH - 1); sub(/[ \t]*$/, "", name)
                $0 = substr($0, RSTART + RLENGTH)
                if (name in known) continue
                printf "%s:%d: %s is not in %s\n", FILENAME, FNR, name, names
                failures++
            }
        }
        END { exit failures > 0 }'
}

check_tree() ( # ROOT
    cd "$1"
    status=0
    check_names || status=1
    check_includes || status=1
    check_blas_names || status=1
    return "$status"
)

# The members of the archive are called as the files of src, whose names are unique.
check_symbols() { # ARCHIVE ROOT
    { (cd "$2" && find src -name '*.c' | sort); nm -P -A "$1"; } |
        awk -v rooms="$ROOMS" "$RANKS"'
        BEGIN { ranks(rooms, rank) }
        !/\]: / { split($0, part, "/"); room[part[3]] = part[2]; next }
        {
            member = $1; sub(/^.*\[/, "", member); sub(/(\.c)?\.o(bj)?\]:$/, ".c", member)
            if (!(member in room)) { printf "%s is not in src\n", member; failures++; next }
            members++
            if ($3 ~ /^[Uw]$/) { user[++references] = member; used[references] = $2 }
            else if ($3 ~ /^[A-Zi]$/) home[$2] = member
        }
        END {
            if (!members) { print "there are no symbols of src"; failures++ }
            for (i = 1; i <= references; i++) {
                from = room[user[i]]
                if (used[i] ~ /^_?((cblas|LAPACKE|openblas)_|[sd][a-z]+[0-9]?_$)/ && from != "la") {
                    printf "src/%s/%s: only src/la may call %s\n", from, user[i], used[i]
                    failures++
                }
                if (!(used[i] in home)) continue
                to = room[home[used[i]]]
                if (to != from && rank[to] >= rank[from]) {
                    printf "src/%s/%s: %s may not call %s of src/%s/%s\n",
                           from, user[i], from, used[i], to, home[used[i]]
                    failures++
                }
            }
            exit failures > 0
        }'
}

# ---- the check, checked --------------------------------------------------------------------------

expect() { # EXPECTED-OUTPUT (empty: the tree is fine) FILE LINE...
    local want=$1 file=$2 tree got status=0
    shift 2
    tree=$(mktemp -d "$scratch/tree.XXXX")
    mkdir -p "$tree/src/base" "$tree/src/la" "$tree/${file%/*}"
    echo '#include <stdint.h>' >"$tree/src/base/fine.c"
    echo '#define cblas_dgemm scipy_cblas_dgemm' >"$tree/src/la/blas_names.h"
    printf '%s\n' "$@" >"$tree/$file"
    got=$(check_tree "$tree") || status=1
    compare "$file with $*" "$want" "$got" "$status"
}

compare() { # WHAT EXPECTED-OUTPUT GOT STATUS
    if [ "$3" = "$2" ] && [ "$4" -eq "$([ -z "$2" ]; echo $?)" ]; then return; fi
    printf '%s\n  expected: %s\n  got:      %s\n' "$1" "${2:-nothing}" "${3:-nothing}"
    failed=1
}

expect_symbols() { # EXPECTED-OUTPUT FILE CODE FILE CODE...: a library of these
    local want=$1 tree got status=0
    shift
    tree=$(mktemp -d "$scratch/tree.XXXX")
    while [ $# -gt 0 ]; do
        mkdir -p "$tree/${1%/*}"
        echo "$2" >"$tree/$1"
        (cd "$tree" && "${CC:-cc}" -c "$1" -o "${1##*/}.o" && ar qc library.a "${1##*/}.o")
        shift 2
    done
    got=$(check_symbols "$tree/library.a" "$tree") || status=1
    compare "symbols of $tree" "$want" "$got" "$status"
}

self_test() {
    scratch=$(mktemp -d)
    trap 'rm -rf "$scratch"' EXIT
    failed=0
    expect '' \
        src/solver/a.c '#include <math.h>' '#include "base/memory.h"' '#include "solver/a.h"' \
        '#include "rls2/path.h"'
    expect '' src/la/a.c '#include <cblas.h>' 'cblas_dgemm();'
    expect 'src/la/a.c:2: cblas_ddot is not in src/la/blas_names.h' \
        src/la/a.c 'cblas_dgemm();' 'x = cblas_dgemm(cblas_ddot (n));'
    expect 'src/la/a.h:1: gotoblas_init is not in src/la/blas_names.h' \
        src/la/a.h 'void gotoblas_init(void);'
    expect '' cli/a.c '#include "rls2/rls2.h"' '#include "command.h"'
    expect 'src/base/a.c:2: base may not include solver/b.h' src/base/a.c '' '#include "solver/b.h"'
    expect 'src/la/a.c:1: la may not include table/b.h' src/la/a.c '#include "table/b.h"'
    expect 'src/table/a.h:1: table may not include la/b.h' src/table/a.h '#include "la/b.h"'
    expect 'src/model/a.c:1: model may not include plan/b.h' src/model/a.c '  #  include <plan/b.h>'
    expect 'src/model/a.c:1: b.h is neither LAYER/... nor rls2/...' src/model/a.c '#include "b.h"'
    expect 'src/model/a.c:1: write ../plan/b.h without dots' src/model/a.c '#include "../plan/b.h"'
    expect 'src/kernel/a.c:1: only src/la may include lapacke.h' \
        src/kernel/a.c '#include <lapacke.h>'
    expect 'src/kernel/a.c:1: only src/la may call BLAS and LAPACK' \
        src/kernel/a.c 'x = cblas_ddot (n);'
    expect 'src/gui/a.c:1: src/gui is not a layer' src/gui/a.c 'int x;'
    expect 'cli/a.c:1: cli may not include the internal header base/memory.h' \
        cli/a.c '#include "base/memory.h"'
    expect 'python/src/a.c:2: python may not include the internal header table/table.h' \
        python/src/a.c '#include "core.h"' '#include "table/table.h"'
    expect 'gui/server/a.c:1: gui may not include the internal header base/memory.h' \
        gui/server/a.c '#include "base/memory.h"'
    expect 'gui/server/a.c:2: gui may not include cli/output.h' \
        gui/server/a.c '#include "gui/server/b.h"' '#include "cli/output.h"'
    expect 'experiments/a.c:1: experiments may not include cli/output.h' \
        experiments/a.c '#include "cli/output.h"'
    expect 'include/rls2/a.h:1: include may not include the internal header la/la.h' \
        include/rls2/a.h '#include "la/la.h"'
    expect 'cli/learn/a.c:1: cli/learn may not include cli/plot/plot.h' \
        cli/learn/a.c '#include "cli/plot/plot.h"'
    expect 'cli/a.c:1: cli/. may not include cli/learn/data.h' cli/a.c '#include "cli/learn/data.h"'
    expect 'cli/else/a.c:1: cli/else is not a room' cli/else/a.c 'int x;'
    expect '' cli/main.c '#include "cli/help/help.h"'
    expect '' cli/plot/a.c '#include "cli/use/importance.h"' '#include "cli/output.h"'
    expect 'src/base/fine.c: experiments/fine.c has this name already' experiments/fine.c 'int x;'

    local down='int low(void); int high(void) { return low(); }' low='int low(void) { return 0; }'
    expect_symbols '' src/select/a.c "$down" src/basis/b.c "$low"
    expect_symbols '' src/la/a.c 'void cblas_dscal(void); void x(void) { cblas_dscal(); }'
    expect_symbols 'src/basis/a.c: basis may not call low of src/select/b.c' \
        src/basis/a.c "$down" src/select/b.c "$low"
    expect_symbols 'src/la/a.c: la may not call low of src/table/b.c' \
        src/la/a.c "$down" src/table/b.c "$low"
    expect_symbols 'src/base/a.c: base may not call number of src/la/b.c' \
        src/base/a.c 'extern int number; int *x(void) { return &number; }' \
        src/la/b.c 'int number = 1;'
    expect_symbols 'src/solver/a.c: only src/la may call dpotrf_' \
        src/solver/a.c 'void dpotrf_(void); void x(void) { dpotrf_(); }'
    return "$failed"
}

root=$(dirname "${BASH_SOURCE[0]}")/..
case "${1-}" in
    -h | --help) usage ;;
    --self-test) self_test ;;
    --symbols)
        if [ $# -lt 2 ]; then usage >&2; exit 2; fi
        check_symbols "$2" "${3:-$root}"
        ;;
    -*) usage >&2; exit 2 ;;
    *) check_tree "${1:-$root}" ;;
esac
