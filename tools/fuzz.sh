#!/usr/bin/env bash
# Fuzzes the targets of tests/fuzz under ASan and UBSan, and prints what was tried, reached and
# found.
#
#   FUZZ_RUNS      inputs to try, shared among the targets; without it:
#   FUZZ_SECONDS   seconds to take, shared among the targets (600)
#   FUZZ_TARGETS   their names, without fuzz_ (all)
#   FUZZ_COVERAGE  1: also the share of lines that the corpus reaches, which needs a build of its
#   own
#
# The corpus is kept in build-fuzz/corpus and begins with the inputs of tests/fuzz/corpus. An input
# that fails is a file in build-fuzz/findings; the target goes on without it. `tools/fuzz.sh keep`
# writes the few inputs that reach most into tests/fuzz/corpus. Exit status 1: something was found.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

jobs=${JOBS:-$(nproc 2>/dev/null || echo 2)}
seconds=${FUZZ_SECONDS:-600} runs=${FUZZ_RUNS:-}
build=build-fuzz
if [ -n "${FUZZ_TARGETS:-}" ]; then
    read -r -a targets <<<"$FUZZ_TARGETS"
else
    mapfile -t targets < <(cd tests/fuzz && ls fuzz_*.c | sed 's/^fuzz_//; s/\.c$//')
fi

# Many small inputs: no long histories of memory, no threads. The slowest take a fifth of a second;
# a minute is a hang, also on a machine that has other things to do.
export OPENBLAS_NUM_THREADS=1 OMP_NUM_THREADS=1
ASAN_OPTIONS=allocator_may_return_null=1:max_allocation_size_mb=64
ASAN_OPTIONS+=:malloc_context_size=8:quarantine_size_mb=32
export ASAN_OPTIONS
export UBSAN_OPTIONS=print_stacktrace=1
limits=(-timeout=60 -rss_limit_mb=2048 -print_final_stats=1 -use_value_profile=0)

folders() { # TARGET: the corpus that grows, then the one that is kept
    mkdir -p "$build/corpus/$1"
    echo "$build/corpus/$1"
    if [ -d "tests/fuzz/corpus/fuzz_$1" ]; then echo "tests/fuzz/corpus/fuzz_$1"; fi
}

last() { # LOG PATTERN: the last number that follows it, 0 where there is none
    sed -n "s/.*$2 *\([0-9][0-9]*\).*/\1/p" "$1" | tail -n 1 | grep . || echo 0
}

# ---- fuzzing -------------------------------------------------------------------------------------

# A finding ends the process, not the work: what is left of it is done by another, up to ten times.
fuzz_one() { # TARGET RUNS SECONDS
    local log="$build/logs/$1" left=$2 start=$SECONDS done_=0 findings=0 status spent made
    : >"$log"
    for _ in 1 2 3 4 5 6 7 8 9 10; do
        spent=$((SECONDS - start)) status=0
        if [ "$left" -eq 0 ] || { [ "$3" -gt 0 ] && [ "$spent" -ge "$3" ]; }; then break; fi
        mapfile -t corpus < <(folders "$1")
        "$build/fuzz_$1" "${limits[@]}" -runs="$left" -max_total_time=$(($3 > 0 ? $3 - spent : 0)) \
            -artifact_prefix="$build/findings/$1-" "${corpus[@]}" >"$log.part" 2>&1 || status=$?
        cat "$log.part" >>"$log"
        made=$(last "$log.part" 'stat::number_of_executed_units:')
        done_=$((done_ + made))
        if [ "$left" -gt 0 ]; then left=$((left > made ? left - made : 0)); fi
        if [ "$status" -eq 0 ]; then break; fi
        findings=$((findings + 1))
    done
    rm -f "$log.part"
    spent=$((SECONDS - start))
    echo "$1 $done_ $((done_ / (spent > 0 ? spent : 1))) $(last "$log" 'cov:') $(last "$log" \
        'ft:')" \
        "$(find "$build/corpus/$1" -type f | wc -l) $findings $spent" >"$build/logs/$1.result"
}

# The differential target takes a hundred times as long for an input as the others, and gets a
# twentieth of their share.
weight() { # TARGET
    if [ "$1" = solver ]; then echo 1; else echo 20; fi
}

fuzz_all() {
    local all=0 target of share_runs=-1 share_seconds=0
    for target in "${targets[@]}"; do all=$((all + $(weight "$target"))); done
    mkdir -p "$build/logs" "$build/findings"
    for target in "${targets[@]}"; do
        of=$(weight "$target")
        if [ -n "$runs" ]; then
            share_runs=$(((runs * of + all - 1) / all))
        else
            share_seconds=$(((seconds * jobs * of + all - 1) / all))
        fi
        while [ "$(jobs -rp | wc -l)" -ge "$jobs" ]; do wait -n; done
        fuzz_one "$target" "$share_runs" "$share_seconds" &
    done
    wait
}

report() {
    local target
    echo
    for target in "${targets[@]}"; do cat "$build/logs/$target.result"; done | awk '
        BEGIN { line = "%-14s %12s %8s %8s %9s %8s %9s %8s\n"
                printf line, "target", "executions", "per s", "edges", "features", "corpus",
                    "findings", "seconds" }
        { printf line, $1, $2, $3, $4, $5, $6, $7, $8
          all += $2; edges += $4; features += $5; corpus += $6; found += $7; time += $8 }
        END { printf line, "all", all, int(all / (time ? time : 1)), edges, features, corpus,
                  found, time
              exit found > 0 }'
}

# ---- coverage ------------------------------------------------------------------------------------

# The same targets without sanitizers, each run once over the corpus.
coverage() {
    local target objects=()
    cmake --preset fuzz-coverage >/dev/null &&
        cmake --build --preset fuzz-coverage -j "$jobs" >/dev/null
    rm -rf build-fuzz-coverage/profiles
    mkdir -p build-fuzz-coverage/profiles
    for target in "${targets[@]}"; do
        mapfile -t corpus < <(folders "$target")
        LLVM_PROFILE_FILE="build-fuzz-coverage/profiles/$target" \
            "build-fuzz-coverage/fuzz_$target" -runs=0 "${corpus[@]}" >/dev/null 2>&1 ||
            echo "fuzz_$target failed on its corpus"
        objects+=(-object="build-fuzz-coverage/fuzz_$target")
    done
    llvm-profdata merge -sparse build-fuzz-coverage/profiles/* -o build-fuzz-coverage/all.profdata
    echo
    llvm-cov report "build-fuzz-coverage/fuzz_${targets[0]}" "${objects[@]}" \
        -instr-profile=build-fuzz-coverage/all.profdata | awk '
        match($1, /(src\/[a-z]+|cli|gui\/server|experiments)\//) && NF > 9 && $8 ~ /^[0-9]+$/ {
            folder = substr($1, RSTART, RLENGTH - 1); lines[folder] += $8; missed[folder] += $9 }
        END { for (f in lines) printf "%-14s %6d lines, %5.1f %% reached\n", f, lines[f],
                  100 - 100 * missed[f] / lines[f] | "sort" }'
}

# ---- keeping -------------------------------------------------------------------------------------

# Of all inputs those that reach most edges that no other kept one does, by libFuzzer's own record
# of a merge.
keep() {
    local target most=${FUZZ_KEEP:-14}
    for target in "${targets[@]}"; do
        mapfile -t corpus < <(folders "$target")
        rm -rf "$build/merged" "$build/merge"
        mkdir -p "$build/merged" "tests/fuzz/corpus/fuzz_$target"
        "$build/fuzz_$target" "${limits[@]}" -merge=1 -merge_control_file="$build/merge" \
            "$build/merged" "${corpus[@]}" >/dev/null 2>&1
        python3 tools/fuzz-keep.py "$build/merge" "tests/fuzz/corpus/fuzz_$target" "$most"
    done
}

case ${1:-} in
    keep) keep ;;
    '')
        fuzz_all
        if [ "${FUZZ_COVERAGE:-0}" = 1 ]; then coverage; fi
        report
        ;;
    *) sed -n '2,/^set/{/^#/s/^# \?//p}' "$0" >&2; exit 2 ;;
esac
