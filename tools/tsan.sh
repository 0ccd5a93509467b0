#!/usr/bin/env bash
# Runs the tests of the library, of the page's server and of the Python package under
# ThreadSanitizer, with clang: its OpenMP tells the sanitizer, through libarcher, what its threads
# wait for, which GCC's does not. First a race is made on purpose, which must be reported. Libraries
# that were not compiled for the sanitizer (libomp, OpenBLAS, libmicrohttpd) are not looked into;
# there are no other exceptions. The last line says how many parts failed.
#
#   TSAN_PARTS   of: library server python (all)
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

jobs=${JOBS:-$(nproc 2>/dev/null || echo 2)}
parts=${TSAN_PARTS:-library server python}
build=build-tsan failed=0
quiet=()
if [[ $(ninja --help 2>&1 || true) == *--quiet* ]]; then quiet=(-- --quiet); fi # since ninja 1.11
# Reports go to files, where those of processes that a test starts are seen too.
reports=$PWD/$build/reports
TSAN_OPTIONS="ignore_noninstrumented_modules=1 allocator_may_return_null=1 exitcode=66"
TSAN_OPTIONS+=" log_path=$reports/report"
export TSAN_OPTIONS

# Two threads of OpenMP write to one place.
check_itself() {
    local racy=$build/racy
    mkdir -p "$reports"
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
    clang -g -fopenmp -fsanitize=thread "$racy.c" -o "$racy-clean" &&
        clang -g -fopenmp -fsanitize=thread -DRACE "$racy.c" -o "$racy"
    if ! "$racy-clean"; then
        echo "the sanitizer reports what is no race: is libarcher.so there?"
        return 1
    fi
    if "$racy" >/dev/null 2>&1; then echo "the sanitizer does not see a race"; return 1; fi
}

run_ctest() { # LABELS
    ctest --preset tsan -L "$1" -j "$jobs" --output-on-failure --no-tests=error
}

# A Python that has the sanitizer in it from the start, which the extension needs:
# $build/python-tsan.
make_interpreter() { # PYTHON
    local about
    about=$("$1" -c 'import sysconfig; v = sysconfig.get_config_var
print(v("INCLUDEPY"), v("LIBDIR"), v("LDVERSION") or v("VERSION"))')
    read -r include libraries version <<<"$about"
    cat >"$build/python-tsan.c" <<'MAIN'
#include <Python.h>
int main(int argc, char **argv)
{
    return Py_BytesMain(argc, argv);
}
MAIN
    clang -fsanitize=thread -I"$include" "$build/python-tsan.c" -o "$build/python-tsan" \
        -L"$libraries" -Wl,-rpath,"$libraries" "-lpython$version" -ldl -lm
}

# The extension by itself, from several threads and without the GIL. (The other tests need packages
# that do not start under the sanitizer.)
run_python() {
    local env=build/python-venv package=$build/package site
    tools/python.sh env
    make_interpreter "$env/bin/python"
    cmake -S . -B "$build/python" -G Ninja -DCMAKE_BUILD_TYPE=Debug -DCMAKE_C_FLAGS_DEBUG='-O1 -g' \
        -DCMAKE_C_COMPILER=clang \
        -DRLS2_PYTHON=ON -DRLS2_SANITIZE=thread -DPython_EXECUTABLE="$PWD/$env/bin/python" \
        >/dev/null
    cmake --build "$build/python" -j "$jobs" "${quiet[@]}"
    rm -rf "$package"
    mkdir -p "$package"
    cp -r python/rls2 "$package/"
    cp "$(find "$build/python" -name '_core*.so' | head -n 1)" "$package/rls2/"
    site=$("$env/bin/python" -c 'import sysconfig; print(sysconfig.get_path("purelib"))')
    RLS2_COMMAND="$PWD/$build/rls2" PYTHONPATH="$PWD/$package:$site" \
        "$build/python-tsan" -P -m pytest -q -p no:cacheprovider python/tests/test_core.py
}

part() { # NAME COMMAND...
    if [[ " $parts " != *" $1 "* ]]; then return; fi
    echo "== $1 under ThreadSanitizer =="
    local start=$SECONDS bad=0
    rm -rf "$reports"
    mkdir -p "$reports"
    "${@:2}" || bad=1
    if grep -rl 'WARNING: ThreadSanitizer' "$reports" >"$build/reported"; then
        bad=1
        echo "races, in files of $reports:"
        grep -rh '^SUMMARY' "$reports" | sort | uniq -c | sort -rn
    fi
    if [ "$bad" -ne 0 ]; then echo "$1: failed"; failed=$((failed + 1)); fi
    echo "$1: $((SECONDS - start)) s"
}

cmake --preset tsan >/dev/null
cmake --build --preset tsan -j "$jobs" "${quiet[@]}"
# beside the libomp in use; a Python that loads it would not look there
OMP_TOOL_LIBRARIES=$(dirname "$(ldd "$build/rls2" | awk '/libomp/ { print $3 }')")/libarcher.so
export OMP_TOOL_LIBRARIES
check_itself
part library run_ctest 'unit|property'
part server run_ctest gui
part python run_python
echo "$failed parts failed"
[ "$failed" -eq 0 ]
