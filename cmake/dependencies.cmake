# What the library links to. The names of the imported targets are the same in rls2Config.cmake.

find_package(OpenMP REQUIRED COMPONENTS C)
find_package(PkgConfig REQUIRED)
pkg_check_modules(RLS2_OPENBLAS REQUIRED IMPORTED_TARGET openblas)
pkg_check_modules(RLS2_LAPACKE REQUIRED IMPORTED_TARGET lapacke)
find_package(ZLIB REQUIRED)
pkg_check_modules(RLS2_JANSSON REQUIRED IMPORTED_TARGET jansson)
pkg_check_modules(RLS2_MATIO IMPORTED_TARGET matio) # optional: without it MATLAB files of version 7.3 are refused

# OpenBLAS stands before LAPACKE: LAPACKE calls the first dpotrf it meets, and that of OpenBLAS is
# several times faster than the reference LAPACK that may follow.
set(RLS2_LINK_LIBRARIES PkgConfig::RLS2_OPENBLAS PkgConfig::RLS2_LAPACKE
    ZLIB::ZLIB PkgConfig::RLS2_JANSSON OpenMP::OpenMP_C m)
if(RLS2_MATIO_FOUND)
    list(APPEND RLS2_LINK_LIBRARIES PkgConfig::RLS2_MATIO)
endif()

add_library(rls2_dependencies INTERFACE)
target_link_libraries(rls2_dependencies INTERFACE ${RLS2_LINK_LIBRARIES})
if(RLS2_MATIO_FOUND)
    target_compile_definitions(rls2_dependencies INTERFACE RLS2_HAVE_MATIO=1)
endif()
