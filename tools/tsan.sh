#!/usr/bin/env bash
# Runs the tests of the library, of the page's server and of the Python package under ThreadSanitizer, with clang: its OpenMP
# tells the sanitizer, through libarcher, what its threads wait for, which GCC's does not. First a race is made on purpose,
# which must be reported. Libraries that were not compiled for the sanitizer (libomp, OpenBLAS, libmicrohttpd) are not looked into;
# there are no other exceptions. The last line says how many parts failed.
#
#   TSAN_PARTS   of: library server python (all)
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

jobs=${JOBS:-$(nproc 2>/dev/null || echo 2)}
parts=${TSAN_PARTS:-library server python}
build=build-tsan failed=0
export TSAN_OPTIONS="ignore_noninstrumented_modules=1 allocator_may_return_null=1 exitcode=66"

# Two threads of OpenMP write to one place.
check_itself() {
    local racy=$build/racy
    cat >"$racy.c" <<'RACE'
int main(void)
{
    int shared = 0;
#pragma omp parallel num_threads(2)
    {
#ifndef RACE
#pragma omp critical(shared)
#endif
        shared++;
    }
    return shared == 0;
}
RACE
    clang -g -fopenmp -fsanitize=thread "$racy.c" -o "$racy-clean" && clang -g -fopenmp -fsanitize=thread -DRACE "$racy.c" -o "$racy"
    "$racy-clean" || { echo "the sanitizer reports what is no race: is libarcher.so there?"; return 1; }
    if "$racy" >/dev/null 2>&1; then echo "the sanitizer does not see a race"; return 1; fi
}

run_ctest() { # LABELS
    ctest --preset tsan -L "$1" -j "$jobs" --output-on-failure --no-tests=error
}

# The extension is loaded by a Python that knows nothing of the sanitizer, so its run time comes first.
run_python() {
    local runtime package=$build/package
    tools/python.sh env
    runtime=$(clang -print-file-name=libclang_rt.tsan-x86_64.so)
    cmake -S . -B "$build/python" -G Ninja -DCMAKE_BUILD_TYPE=Debug -DCMAKE_C_FLAGS_DEBUG='-O1 -g' -DCMAKE_C_COMPILER=clang \
        -DRLS2_PYTHON=ON -DRLS2_SANITIZE=thread -DPython_EXECUTABLE="$PWD/build/python-venv/bin/python" >/dev/null
    cmake --build "$build/python" -j "$jobs"
    rm -rf "$package"
    mkdir -p "$package"
    cp -r python/rls2 "$package/"
    cp "$(find "$build/python" -name '_core*.so' | head -n 1)" "$package/rls2/"
    RLS2_COMMAND="$PWD/$build/rls2" PYTHONPATH="$PWD/$package" LD_PRELOAD="$runtime" \
        build/python-venv/bin/python -P -m pytest -q -p no:cacheprovider python/tests/test_core.py python/tests/test_home.py "$@"
}

part() { # NAME COMMAND...
    if [[ " $parts " != *" $1 "* ]]; then return; fi
    echo "== $1 under ThreadSanitizer =="
    local start=$SECONDS
    "${@:2}" || { echo "$1: failed"; failed=$((failed + 1)); }
    echo "$1: $((SECONDS - start)) s"
}

cmake --preset tsan >/dev/null
cmake --build --preset tsan -j "$jobs"
check_itself
part library run_ctest 'unit|property'
part server run_ctest gui
part python run_python
echo "$failed parts failed"
[ "$failed" -eq 0 ]
