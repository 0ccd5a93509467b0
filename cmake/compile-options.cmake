# rls2_options: what every target of this project is compiled with.
#
# Never -march=native (binaries must run elsewhere) and never -ffast-math. -ffp-contract=off keeps
# multiply-add from being fused on some processors only: the bits of a result must not depend on the
# instruction set. -fno-math-errno changes no result; it lets sqrt be vectorised.

add_library(rls2_options INTERFACE)
target_compile_definitions(rls2_options INTERFACE _GNU_SOURCE)
target_compile_options(rls2_options INTERFACE
    -ffp-contract=off -fno-math-errno
    -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wstrict-prototypes -Wmissing-prototypes
    -Wold-style-definition -Wvla -Wdouble-promotion -Wundef -Wpointer-arith -Wwrite-strings
    $<$<BOOL:${RLS2_WERROR}>:-Werror>)

if(RLS2_INVARIANTS)
    target_compile_definitions(rls2_options INTERFACE RLS2_INVARIANTS=1)
endif()

if(RLS2_SANITIZE)
    target_compile_options(rls2_options INTERFACE
        -fsanitize=${RLS2_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
    # Everything that is linked, the shared library too, needs the run time of the sanitizers.
    add_link_options(-fsanitize=${RLS2_SANITIZE})
endif()

# Multiversioning (target_clones) needs GCC and the dynamic linker's ifunc; sanitizers start too
# late for it.
if(RLS2_MULTIVERSION AND NOT RLS2_SANITIZE AND CMAKE_C_COMPILER_ID STREQUAL "GNU"
   AND CMAKE_SYSTEM_NAME STREQUAL "Linux"
   AND CMAKE_SYSTEM_PROCESSOR MATCHES "^(x86_64|AMD64|amd64)$")
    target_compile_definitions(rls2_options INTERFACE RLS2_MULTIVERSION=1)
endif()
