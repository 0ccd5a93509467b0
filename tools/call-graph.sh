#!/usr/bin/env bash
# Who calls the plan, and what the plan calls, from the sources; and that no front end learns in
# another way.
#
#   call-graph.sh           print the graph
#   call-graph.sh --write   put it into docs/ARCHITECTURE.md
#   call-graph.sh --check   compare with the one there, and look for other ways to learn
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
export LC_ALL=C

PAGE=docs/ARCHITECTURE.md
FRONT=(cli gui/server matlab/src python/src r/src experiments)
STEPS=(rls2_plan_set rls2_plan_complete rls2_plan_fit)
# What the plan is made of: a front end that calls these has a rule of its own.
INSIDE='rls2_(dataset_create|dictionary_create|basis_create|path_fit|lambda_default|splits_folds)'
# The paper's protocols on made data, and the splits of its benchmark, are steps by themselves;
# py_dictionary.c only asks whether a text means linear kernels.
BY_STEPS='(experiments/(binary_strings_fit|paper_sets|prostate|prostate_study|uci)'
BY_STEPS+='|python/src/py_dictionary)\.c'

callers() { # FUNCTION
    grep -lE "(^|[^a-z_])$1\\(" -r --include='*.c' "${FRONT[@]}" | sort
}

graph() {
    local step file
    for step in "${STEPS[@]}"; do
        echo "    $step"
        for file in $(callers "$step"); do echo "        <- $file"; done
    done
    echo "    rls2_plan_fit (src/plan/fit.c)"
    grep -oE 'rls2__(fit_bases_of|fit_lambdas|fit_paths|cv_run)\(|rls2_fit_(criteria|model)\(' \
        src/plan/fit.c | tr -d '(' | awk '!seen[$0]++' | while read -r step; do
        file=$(grep -lE "^(rls2_status|static rls2_status) $step\\(" -r --include='*.c' src)
        echo "        -> $step ($file)"
    done
}

other_ways() {
    grep -nE "(^|[^a-z_])$INSIDE\\(" -r --include="*.c" "${FRONT[@]}" |
        grep -vE "^$BY_STEPS:" || true
}

replaced() { # the page with the graph of today between its marks
    graph | awk -v page="$PAGE" '
        { graph = graph $0 "\n" }
        END {
            while ((getline line < page) > 0) {
                if (line == "<!-- call graph: tools/call-graph.sh -->") {
                    print line "\n"; printf "%s", graph; print ""; skipping = 1
                }
                if (line == "<!-- end of call graph -->") skipping = 0
                if (!skipping) print line
            }
        }'
}

case "${1-}" in
    '') graph ;;
    --write) replaced >"$PAGE.new" && mv "$PAGE.new" "$PAGE" ;;
    --check)
        ways=$(other_ways)
        if [ -n "$ways" ]; then
            printf 'learned without a plan:\n%s\n' "$ways"
            exit 1
        fi
        diff <(replaced) "$PAGE" || { echo "tools/call-graph.sh --write puts it right"; exit 1; }
        ;;
    *) sed -n '2,8p' "$0" >&2; exit 2 ;;
esac
