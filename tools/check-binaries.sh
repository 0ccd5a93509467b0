#!/usr/bin/env bash
# Reads from linked files what they promise to whoever runs them. Prints each fault and fails
# where there is one.
set -euo pipefail

usage() {
    cat <<USAGE
usage: ${0##*/} COMMAND ARGUMENT ...

  paths FILE|FOLDER ...         libraries are looked for at absolute places only
  hardened [--no-chk] FILE ...  PIE or shared, full RELRO, no code on the stack, stack protector
                                and, unless --no-chk, checked calls of the C library
  exports FILE [NAME ...]       these names are seen from outside, and no others
  declared FOLDER               prints the functions that the headers there declare

Places below \$ORIGIN are absolute: they are those of the file itself.
Exit status 77: there is no readelf.
USAGE
}

faults=0
fault() { # FILE WHAT
    echo "$1: $2"
    faults=$((faults + 1))
}

is_elf() { # FILE
    [ "$(head -c 4 "$1" | od -An -c | tr -d ' ')" = '177ELF' ]
}

# Executables and shared libraries; not object files, which are not linked yet.
is_linked() { # FILE
    is_elf "$1" && LC_ALL=C readelf -hW "$1" 2>/dev/null | grep -qE '^ *Type: +(EXEC|DYN)'
}

# ---- where libraries are looked for --------------------------------------------------------------

check_paths() { # FILE
    local line entries entry
    while IFS= read -r line; do
        line=${line#*[}
        IFS=: read -ra entries <<<"${line%]}:." # the dot keeps empty entries at the end
        unset 'entries[-1]'
        for entry in "${entries[@]}"; do
            case $entry in
                /* | '$ORIGIN' | '$ORIGIN/'* | '${ORIGIN}' | '${ORIGIN}/'*) ;;
                '') fault "$1" \
                    "an empty entry, which is the current folder, in the search path [${line%]}]" ;;
                *) fault "$1" \
                    "the entry '$entry', which depends on the current folder, in the search path" ;;
            esac
        done
    done < <(LC_ALL=C readelf -dW "$1" | grep -E '\((RPATH|RUNPATH)\)' || true)
}

# Of a build folder, without what tools/python.sh and tools/bench-peers.sh keep there: packages of
# others, and the extension, which python/tests look at where it is installed.
check_all_paths() { # FILE|FOLDER ...
    local file seen=0
    while IFS= read -r -d '' file; do
        is_linked "$file" || continue
        seen=$((seen + 1))
        check_paths "$file"
    done < <(find "$@" \( -name python -o -name 'python-*' -o -name peers \) -prune -o \
        -type f \( -perm -u+x -o -name '*.so*' \) -print0)
    [ "$seen" -gt 0 ] || fault "$*" "there is nothing linked here"
    echo "$seen files read"
}

# ---- hardening -----------------------------------------------------------------------------------

check_hardened() { # FILE CHK
    local header segments dynamic undefined
    header=$(LC_ALL=C readelf -hW "$1")
    segments=$(LC_ALL=C readelf -lW "$1")
    dynamic=$(LC_ALL=C readelf -dW "$1")
    undefined=$(nm -D --undefined-only "$1")
    [[ $header =~ Type:\ +DYN ]] || fault "$1" "it lies at a fixed address"
    if [[ $segments == *INTERP* && ! $dynamic =~ FLAGS_1.*PIE ]]; then
        fault "$1" "an executable that is not a PIE"
    fi
    [[ $segments == *GNU_RELRO* ]] || fault "$1" "no RELRO"
    [[ $dynamic =~ FLAGS.*NOW ]] || fault "$1" "functions are bound late: RELRO is not full"
    [[ $segments =~ GNU_STACK[^$'\n']*\ RW\  ]] || fault "$1" "the stack may hold code"
    [[ $undefined == *__stack_chk_fail* ]] || fault "$1" "no stack protector"
    if [ "$2" = yes ] && ! grep -qE ' __(mem|str|v?s?n?printf)[a-z]*_chk(@|$)' <<<"$undefined"; then
        fault "$1" "no checked calls of the C library (_FORTIFY_SOURCE)"
    fi
}

# ---- names ---------------------------------------------------------------------------------------

# A name before a parenthesis, outside comments and directives: types of functions are never
# declared so.
declared() { # FOLDER
    sed -e 's://.*$::' -e '/^ *#/d' "$1"/*.h | tr '\n' ' ' |
        sed -E 's:/\*([^*]|\*+[^*/])*\*+/: :g' |
        grep -oE '\brls2_[a-z0-9_]+ *\([^*]' | tr -d ' (' | sed 's/.$//' | sort -u
}

# Of an executable too, where the libraries' own variables (stdout, environ: B and V, with a
# version) may show.
check_exports() { # FILE NAME ...
    local file=$1 line
    shift
    while IFS= read -r line; do
        case $line in
            '<'*) fault "$file" "${line#< } is not exported" ;;
            '>'*) fault "$file" "${line#> } is exported" ;;
        esac
    done < <(diff <(printf '%s\n' "$@" | grep . | sort -u) \
        <(LC_ALL=C nm -D --defined-only "$file" | awk '$NF !~ /@/ { print $NF }' | sort -u) || true)
}

command -v readelf >/dev/null || { echo "skipped: there is no readelf"; exit 77; }
mode=${1:-}
shift || true
case $mode in
    paths) check_all_paths "$@" ;;
    hardened)
        chk=yes
        if [ "${1:-}" = --no-chk ]; then
            chk=no
            shift
        fi
        for file in "$@"; do check_hardened "$file" "$chk"; done
        ;;
    exports) check_exports "$@" ;;
    declared) declared "$1" ;;
    -h | --help) usage ;;
    *) usage >&2; exit 2 ;;
esac
[ "$faults" -eq 0 ]
