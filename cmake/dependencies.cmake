# What the library links to. The names of the imported targets are the same in rls2Config.cmake.

find_package(OpenMP REQUIRED COMPONENTS C)
find_package(PkgConfig REQUIRED)
pkg_check_modules(RLS2_OPENBLAS REQUIRED IMPORTED_TARGET openblas)
pkg_check_modules(RLS2_LAPACKE REQUIRED IMPORTED_TARGET lapacke)
find_package(ZLIB REQUIRED)
pkg_check_modules(RLS2_JANSSON REQUIRED IMPORTED_TARGET jansson)

# OpenBLAS stands before LAPACKE: LAPACKE calls the first dpotrf it meets, and that of OpenBLAS is
# several times faster than the reference LAPACK that may follow.
set(RLS2_LINK_LIBRARIES PkgConfig::RLS2_OPENBLAS PkgConfig::RLS2_LAPACKE
    ZLIB::ZLIB PkgConfig::RLS2_JANSSON OpenMP::OpenMP_C m)

add_library(rls2_dependencies INTERFACE)
target_link_libraries(rls2_dependencies INTERFACE ${RLS2_LINK_LIBRARIES})
