# What makes a fault in the code harder to use, for everything that is linked here, the Python
# extension too. tools/check-binaries.sh reads it from the files.

include(CheckCCompilerFlag)
include(CheckCSourceCompiles)
include(CheckLinkerFlag)
include(CheckPIESupported)

# Code may lie at any address, also in executables.
check_pie_supported(LANGUAGES C)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)

foreach(flag -fstack-protector-strong -fstack-clash-protection -fcf-protection)
    string(MAKE_C_IDENTIFIER "RLS2_HAS${flag}" known)
    check_c_compiler_flag(${flag} ${known})
    if(${known})
        target_compile_options(rls2_options INTERFACE ${flag})
    endif()
endforeach()

# Calls of the C library that know how large their target is: they need optimisation, and
# sanitizers do that better.
set(fortify 0)
string(TOUPPER "CMAKE_C_FLAGS_${CMAKE_BUILD_TYPE}" flags_of_type)
if(NOT RLS2_SANITIZE AND "${CMAKE_C_FLAGS} ${${flags_of_type}}" MATCHES "-O([1-9sgz]|fast)")
    check_c_source_compiles(
        "int main(int n, char **v) { return __builtin_dynamic_object_size(v[n - 1], 0) == 0; }"
                            RLS2_HAS_DYNAMIC_OBJECT_SIZE)
    set(fortify 2)
    if(RLS2_HAS_DYNAMIC_OBJECT_SIZE)
        set(fortify 3)
    endif()
    # some compilers set it by themselves, to another value
    target_compile_options(rls2_options INTERFACE -U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=${fortify})
endif()

# Tables of addresses are read-only once the program runs; no stack holds code.
foreach(flag relro now noexecstack)
    check_linker_flag(C "LINKER:-z,${flag}" RLS2_HAS_LINKER_${flag})
    if(RLS2_HAS_LINKER_${flag})
        add_link_options("LINKER:-z,${flag}")
    endif()
endforeach()

# No file has a search path for libraries in it: what is built finds them as what is installed
# does. (CMake's own path for the build folder ends with an empty entry, which is the current
# folder, whatever lies there.) Libraries in a folder the loader does not know:
# -DCMAKE_INSTALL_RPATH=FOLDER, for both.
set(CMAKE_BUILD_WITH_INSTALL_RPATH ON)
