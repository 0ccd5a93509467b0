# What the library links to. The names of the imported targets are the same in rls2Config.cmake.

find_package(OpenMP REQUIRED COMPONENTS C)
find_package(PkgConfig REQUIRED)
find_package(ZLIB REQUIRED)
pkg_check_modules(RLS2_JANSSON REQUIRED IMPORTED_TARGET jansson)

# Where BLAS and LAPACK come from. scipy-openblas32 is for the wheel, which brings it along.
set(RLS2_BLAS system CACHE STRING "BLAS and LAPACK: system, or scipy-openblas32 (a Python package)")
set_property(CACHE RLS2_BLAS PROPERTY STRINGS system scipy-openblas32)
if(RLS2_BLAS STREQUAL "system")
    pkg_check_modules(RLS2_OPENBLAS REQUIRED IMPORTED_TARGET openblas)
    pkg_check_modules(RLS2_LAPACKE REQUIRED IMPORTED_TARGET lapacke)
    # OpenBLAS stands before LAPACKE: LAPACKE calls the first dpotrf it meets, and that of OpenBLAS
    # is several times faster than the reference LAPACK that may follow.
    set(RLS2_BLAS_LIBRARIES PkgConfig::RLS2_OPENBLAS PkgConfig::RLS2_LAPACKE)
elseif(RLS2_BLAS STREQUAL "scipy-openblas32")
    include(cmake/scipy-openblas.cmake)
    set(RLS2_BLAS_LIBRARIES RLS2::scipy_openblas)
    if(NOT RLS2_PYTHON)
        set(CMAKE_SKIP_INSTALL_RULES ON) # the library lies in the build folder: for tests
    endif()
else()
    message(FATAL_ERROR "RLS2_BLAS is '${RLS2_BLAS}'; it may be system or scipy-openblas32")
endif()

set(RLS2_LINK_LIBRARIES ${RLS2_BLAS_LIBRARIES} ZLIB::ZLIB PkgConfig::RLS2_JANSSON
    OpenMP::OpenMP_C m)

add_library(rls2_dependencies INTERFACE)
target_link_libraries(rls2_dependencies INTERFACE ${RLS2_LINK_LIBRARIES})
