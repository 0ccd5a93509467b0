#!/usr/bin/env bash
# Builds and runs the whole suite, and again under sanitizers, whatever fails on the way. The last
# line is 'N passed, N failed', with ', N skipped' where tests were skipped.
#
# A test program counts with its cmocka cases, a script as one test, the Python package with its
# own. A program that crashes, leaks or runs out of time counts as one more failed test, and so does
# a build that fails.
#
# Most of the Python tests run on one processor, and those of the page and its server mostly wait.
# So there are two lanes after the first build: the suite and the page in one, the Python package
# and the build for the sanitizers in the other, whose output comes when it is done.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

jobs=${JOBS:-$(nproc 2>/dev/null || echo 2)}
passed=0 failed=0 skipped=0
quiet=()
if [[ $(ninja --help 2>&1 || true) == *--quiet* ]]; then quiet=(-- --quiet); fi # since ninja 1.11

# Reads ctest's JUnit report, prints "PASSED FAILED SKIPPED".
count_tests() { # REPORT
    awk '
        # cmocka: "[  PASSED  ] 3 test(s)." and, where there are any,
        # "[  FAILED  ] 1 test(s), listed below:"
        match($0, /\[  (PASSED |FAILED |SKIPPED) \] [0-9]+ test\(s\)/) {
            split(substr($0, RSTART, RLENGTH), word, " ")
            cases[word[2]] += word[4]
        }
        /^\t<testcase / { verdict = /status="run"/ ? "PASSED" : "FAILED" }
        /^\t\t<skipped message="SKIP_RETURN_CODE=/ { verdict = "SKIPPED" }
        /^\t<\/testcase>/ {
            if (cases["PASSED"] + cases["FAILED"] + cases["SKIPPED"] == 0) cases[verdict] = 1
            else if (verdict == "FAILED" && !cases["FAILED"]) cases["FAILED"] = 1
            for (kind in cases) { total[kind] += cases[kind]; cases[kind] = 0 }
        }
        END { print total["PASSED"] + 0, total["FAILED"] + 0, total["SKIPPED"] + 0 }' "$1"
}

# The page is tested where its server can be built; what is served may be the placeholder, which
# needs no Node.js.
gui=OFF
if pkg-config --exists libmicrohttpd 2>/dev/null; then
    gui=ON
else
    echo "no libmicrohttpd: the page is not tested"
fi

# The page itself where Node.js and a browser are: built before the suite, which then embeds it.
page=no
prepare_page() {
    local tool
    for tool in node npm chromium; do
        if ! command -v "$tool" >/dev/null; then
            echo "no $tool: the page is not driven in a browser (make gui-check installs it)"
            return
        fi
    done
    if (cd gui/page && npm ci --no-audit --no-fund --silent && npm run --silent build); then
        page=yes
    else
        echo "the page's packages cannot be had: it is not driven in a browser"
    fi
}

# The journey through the page; pictures of it are left in build/gui-check.
run_page() {
    local last p=0 f=1 log=build/page-check.log
    echo "== page =="
    if [ "$page" = no ]; then
        skipped=$((skipped + 1))
        return
    fi
    (cd gui/page && npm run --silent check &&
        node tests/journey.mjs "$OLDPWD/build/rls2" "$OLDPWD/build/gui-check") 2>&1 |
        tee "$log" || true
    last=$(tail -n 1 "$log")
    if [[ $last =~ ^([0-9]+)\ passed,\ ([0-9]+)\ failed$ ]]; then
        p=${BASH_REMATCH[1]} f=${BASH_REMATCH[2]}
    fi
    passed=$((passed + p)) failed=$((failed + f))
}

build_suite() { # PRESET JOBS
    local log
    log=$(cmake --preset "$1" -DRLS2_TESTS=ON -DRLS2_GUI=$gui 2>&1) || { echo "$log"; return 1; }
    cmake --build --preset "$1" -j "$2" "${quiet[@]}"
}

run_suite() { # PRESET BUILD-FOLDER BUILD-STATUS JOBS
    local status=0 p=0 f=0 s=0
    echo "== $1 =="
    if [ "$3" -ne 0 ]; then
        echo "the build of '$1' failed"
        failed=$((failed + 1))
        return
    fi
    rm -f "$2/junit.xml"
    ctest --test-dir "$2" -j "$4" --output-on-failure --no-tests=error --output-junit junit.xml \
        --test-output-size-passed 10000000 --test-output-size-failed 10000000 || status=$?
    if [ -f "$2/junit.xml" ]; then read -r p f s < <(count_tests "$2/junit.xml"); fi
    # which were skipped, with the reason each printed just before
    grep -hB1 '\[  SKIPPED \] [a-z_]*__' "$2/junit.xml" | grep -v '^--$' || true
    if [ "$status" -ne 0 ] && [ "$f" -eq 0 ]; then f=1; fi
    passed=$((passed + p)) failed=$((failed + f)) skipped=$((skipped + s))
}

# ---- the other lane ------------------------------------------------------------------------------

lane= lane_status= # the process that runs it, and how it ended
end_lane() {
    if [ -n "$lane" ]; then kill -- "-$lane" 2>/dev/null || true; fi
}
trap end_lane EXIT
trap 'exit 130' INT
trap 'exit 143' TERM

# In a process group of its own, so that it ends with this script.
start_lane() { # COMMAND ...
    set -m
    "$@" </dev/null &
    lane=$!
    set +m
    lane_status=
    if [ "$jobs" -eq 1 ]; then await_lane || true; fi
}

# Gives the status of the lane's command.
await_lane() {
    if [ -z "$lane_status" ]; then
        lane_status=0
        wait "$lane" || lane_status=$?
        lane=
    fi
    return "$lane_status"
}

python_log=build/python-check.log asan_log=build/asan-build.log

# What takes no command of ours: downloads, mostly. A failure is told of by what needs it.
prepare_python() {
    tools/python.sh env >/dev/null 2>&1
}

# The package as a user would install it, against the command that was just built; then the build
# for the sanitizers, which has the package's extension where there is an environment for it.
check_python_and_build_asan() {
    local status=0
    tools/python.sh check >"$python_log" 2>&1 || status=$?
    echo "$status" >"$python_log.status"
    build_suite asan $((jobs > 1 ? jobs / 2 : 1)) >"$asan_log" 2>&1
}

report_python() {
    local status last p=0 f=0 s=0
    echo "== python =="
    status=$(cat "$python_log.status" || echo 1)
    last=$(tail -n 1 "$python_log")
    if [ "$status" -eq 0 ] && [[ $last =~ ^[0-9]+\ [0-9]+\ [0-9]+$ ]]; then
        sed '$d' "$python_log"
        read -r p f s <<<"$last"
    else
        cat "$python_log"
        if [ "$status" -eq 77 ]; then s=1; else f=1; fi
    fi
    passed=$((passed + p)) failed=$((failed + f)) skipped=$((skipped + s))
}

# ---- both ----------------------------------------------------------------------------------------

mkdir -p build
rm -f "$python_log.status"
: >"$python_log"
: >"$asan_log"
start_lane prepare_python
if [ "$gui" = ON ]; then prepare_page; fi
release_built=0 asan_built=0
build_suite release "$jobs" || release_built=$?
await_lane || true

start_lane check_python_and_build_asan
run_suite release build "$release_built" "$jobs"
run_page
await_lane || asan_built=$?
report_python
cat "$asan_log"
# one more than there are processors, since tests of the server wait
run_suite asan build-asan "$asan_built" $((jobs + 1))

summary="$passed passed, $failed failed"
if [ "$skipped" -gt 0 ]; then summary+=", $skipped skipped"; fi
echo "$summary"
[ "$failed" -eq 0 ]
