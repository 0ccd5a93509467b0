#!/usr/bin/env bash
# Builds and runs the whole suite, and again under sanitizers, whatever fails on the way. The last
# line is 'N passed, N failed', with ', N skipped' where tests were skipped.
#
# A test program counts with its cmocka cases, a script as one test, the Python package with its
# own. A program that crashes, leaks or runs out of time counts as one more failed test, and so does
# a build that fails.
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

build_suite() { # PRESET
    local log
    log=$(cmake --preset "$1" -DRLS2_TESTS=ON -DRLS2_GUI=$gui 2>&1) || { echo "$log"; return 1; }
    cmake --build --preset "$1" -j "$jobs" "${quiet[@]}"
}

run_suite() { # PRESET BUILD-FOLDER
    local status=0 p=0 f=0 s=0
    echo "== $1 =="
    if ! build_suite "$1"; then
        echo "the build of '$1' failed"
        failed=$((failed + 1))
        return
    fi
    rm -f "$2/junit.xml"
    ctest --test-dir "$2" -j "$jobs" --output-on-failure --no-tests=error --output-junit junit.xml \
        --test-output-size-passed 10000000 --test-output-size-failed 10000000 || status=$?
    if [ -f "$2/junit.xml" ]; then read -r p f s < <(count_tests "$2/junit.xml"); fi
    # which were skipped, with the reason each printed just before
    grep -hB1 '\[  SKIPPED \] [a-z_]*__' "$2/junit.xml" | grep -v '^--$' || true
    if [ "$status" -ne 0 ] && [ "$f" -eq 0 ]; then f=1; fi
    passed=$((passed + p)) failed=$((failed + f)) skipped=$((skipped + s))
}

# The package as a user would install it, against the command that was just built.
run_python() {
    local status=0 log=build/python-check.log last p=0 f=0 s=0
    mkdir -p build
    echo "== python =="
    tools/python.sh check 2>&1 | tee "$log" | sed '$d' || status=$?
    last=$(tail -n 1 "$log")
    if [ "$status" -eq 0 ] && [[ $last =~ ^[0-9]+\ [0-9]+\ [0-9]+$ ]]; then
        read -r p f s <<<"$last"
    else
        echo "$last"
        if [ "$status" -eq 77 ]; then s=1; else f=1; fi
    fi
    passed=$((passed + p)) failed=$((failed + f)) skipped=$((skipped + s))
}

if [ "$gui" = ON ]; then prepare_page; fi
run_suite release build
run_page
run_python
run_suite asan build-asan

summary="$passed passed, $failed failed"
if [ "$skipped" -gt 0 ]; then summary+=", $skipped skipped"; fi
echo "$summary"
[ "$failed" -eq 0 ]
