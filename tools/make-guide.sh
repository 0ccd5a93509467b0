#!/usr/bin/env bash
# Runs the commands of docs/guide/README.md and writes what they print into it, and the pictures
# beside it.
#
#   make-guide.sh COMMAND           rewrite the page
#   make-guide.sh COMMAND --check   compare instead, numbers left out: they depend on the machine
#
# In a block that begins with ```console, lines that start with "$ " are commands, run in turn in
# one folder; a line that ends in a backslash goes on in the next. The lines after each command are
# its output, standard error and output together.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

command=$(realpath "$1")
page=$PWD/docs/guide/README.md
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/bin" "$work/run"
ln -s "$command" "$work/bin/rls2"
ln -s "$PWD/data" "$work/run/data"
export PATH=$work/bin:$PATH COLUMNS=100

run_page() {
    local line next inside=no
    while IFS= read -r line; do
        case $inside,$line in
            no,'```console') inside=yes; echo "$line" ;;
            yes,'```') inside=no; echo "$line" ;;
            yes,'$ '*)
                echo "$line"
                while [[ $line == *\\ ]] && IFS= read -r next; do
                    echo "$next"
                    line=${line%\\}$next
                done
                (cd "$work/run" && bash -c "${line#\$ }" 2>&1 </dev/null) || true
                ;;
            yes,*) ;; # what it printed the last time
            *) echo "$line" ;;
        esac
    done <"$page"
}

without_numbers() { # numbers, and the bars and blanks whose lengths follow from them
    sed -E 's/-?[0-9]+(\.[0-9]+)?(e[-+]?[0-9]+)?/N/g; s/[#█▏▎▍▌▋▊▉]+/B/g; s/ +/ /g; s/ \*$//' "$1"
}

run_page >"$work/page"
if [ "${2:-}" = --check ]; then
    diff <(without_numbers "$page") <(without_numbers "$work/page")
else
    cp "$work/page" "$page"
    cp "$work/run"/*.svg docs/guide/
fi
