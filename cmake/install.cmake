# Headers, both libraries, the pkg-config file and the CMake package.

include(CMakePackageConfigHelpers)
set(package_dir "${CMAKE_INSTALL_LIBDIR}/cmake/rls2")

# The tables that come along: `rls2 demo` reads one, the page offers all.
install(DIRECTORY data/ DESTINATION "${CMAKE_INSTALL_DATADIR}/rls2/data"
        FILES_MATCHING PATTERN "*.csv" PATTERN "README.md")
install(FILES LICENSE DESTINATION "${CMAKE_INSTALL_DOCDIR}")
install(DIRECTORY include/rls2 TYPE INCLUDE FILES_MATCHING PATTERN "*.h")

# One export set each: a user of the shared library needs nothing of what the static one needs.
install(TARGETS rls2_shared EXPORT rls2Shared)
install(TARGETS rls2_static EXPORT rls2Static)
install(EXPORT rls2Shared NAMESPACE rls2:: DESTINATION "${package_dir}")
install(EXPORT rls2Static NAMESPACE rls2:: DESTINATION "${package_dir}")

configure_package_config_file(cmake/rls2Config.cmake.in rls2Config.cmake
                              INSTALL_DESTINATION "${package_dir}")
write_basic_package_version_file(rls2ConfigVersion.cmake COMPATIBILITY SameMajorVersion)
install(FILES "${PROJECT_BINARY_DIR}/rls2Config.cmake"
              "${PROJECT_BINARY_DIR}/rls2ConfigVersion.cmake"
        DESTINATION "${package_dir}")

# The pkg-config file finds its prefix from where it is: `cmake --install --prefix` may choose any.
cmake_path(RELATIVE_PATH CMAKE_INSTALL_PREFIX
           BASE_DIRECTORY "${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig" OUTPUT_VARIABLE RLS2_PC_UP)
list(JOIN RLS2_OPENBLAS_LDFLAGS " " RLS2_PC_OPENBLAS)
list(JOIN RLS2_LAPACKE_LDFLAGS " " RLS2_PC_LAPACKE)
list(JOIN RLS2_JANSSON_LDFLAGS " " RLS2_PC_JANSSON)
configure_file(cmake/rls2.pc.in rls2.pc @ONLY)
install(FILES "${PROJECT_BINARY_DIR}/rls2.pc" DESTINATION "${CMAKE_INSTALL_LIBDIR}/pkgconfig")
