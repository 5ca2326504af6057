# What `cmake --install` puts where, and the packages that `cpack` makes of it:
#   cpack -G DEB   for Debian and Ubuntu with LLVM 19 in their package sources
#   cpack -G TGZ   for everybody else: brings LLVM's libraries along, and may lie anywhere
find_package(ClangTidy ${SAMEDEVICE_LLVM} REQUIRED)
set(CMAKE_INSTALL_DEFAULT_COMPONENT_NAME samedevice)

# The tarball's libraries, or those that we were linked to. The old kind of search path: it holds for what libraries need
# in turn, too.
set(CMAKE_INSTALL_RPATH "$ORIGIN/../lib")
set(CMAKE_INSTALL_RPATH_USE_LINK_PATH ON)

# Of a TARGET, all libraries but those of the C library, which belong to the kernel's and the system's.
function(samedevice_install_with_libraries target)
  target_link_options(${target} PRIVATE LINKER:--disable-new-dtags)
  install(TARGETS ${target} RUNTIME_DEPENDENCY_SET ${target}-libraries RUNTIME)
  install(RUNTIME_DEPENDENCY_SET ${target}-libraries
    PRE_EXCLUDE_REGEXES "^ld-linux" "^lib(c|m|dl|rt|pthread)\\.so"
    LIBRARY DESTINATION lib COMPONENT libraries EXCLUDE_FROM_ALL)
  install(CODE "set(samedevice_licences \"${CMAKE_INSTALL_DOCDIR}/libraries\")" COMPONENT libraries EXCLUDE_FROM_ALL)
  install(SCRIPT ${PROJECT_SOURCE_DIR}/cmake/InstallLicences.cmake COMPONENT libraries EXCLUDE_FROM_ALL)
endfunction()

# Clang's own headers belong to them.
execute_process(COMMAND ${CLANG_PROGRAM} -print-resource-dir OUTPUT_VARIABLE _resources OUTPUT_STRIP_TRAILING_WHITESPACE)
get_filename_component(_major ${_resources} NAME)
install(DIRECTORY ${_resources}/include DESTINATION lib/clang/${_major}
  COMPONENT libraries EXCLUDE_FROM_ALL)

# find_package(Samedevice)
include(CMakePackageConfigHelpers)
set(_package ${CMAKE_INSTALL_LIBDIR}/cmake/Samedevice)
set(_program ${CMAKE_INSTALL_BINDIR}/samedevice)
set(_plugin ${CMAKE_INSTALL_LIBDIR}/samedevice/samedevice-tidy.so)
configure_package_config_file(cmake/SamedeviceConfig.cmake.in ${PROJECT_BINARY_DIR}/SamedeviceConfig.cmake
  INSTALL_DESTINATION ${_package} PATH_VARS _program _plugin NO_CHECK_REQUIRED_COMPONENTS_MACRO)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/SamedeviceConfigVersion.cmake COMPATIBILITY SameMajorVersion)
install(FILES ${PROJECT_BINARY_DIR}/SamedeviceConfig.cmake ${PROJECT_BINARY_DIR}/SamedeviceConfigVersion.cmake
  DESTINATION ${_package})
install(FILES LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR} RENAME copyright)

set(CPACK_PACKAGE_NAME samedevice)
set(CPACK_PACKAGE_CONTACT "the authors of Samedevice <samedevice@localhost>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "finds device mistakes in C++ and CUDA code that uses PyTorch")
set(CPACK_PACKAGE_CHECKSUM SHA256)
set(CPACK_STRIP_FILES ON)
set(CPACK_VERBATIM_VARIABLES ON)
set(CPACK_COMPONENTS_ALL samedevice)
set(CPACK_COMPONENTS_GROUPING ALL_COMPONENTS_IN_ONE)
set(CPACK_ARCHIVE_COMPONENT_INSTALL ON)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_PROJECT_CONFIG_FILE ${PROJECT_SOURCE_DIR}/cmake/PackageKinds.cmake)

# Clang's own headers and a C++ library are read, not linked. The plugin wants a clang-tidy; --diff asks git.
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION devel)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_DEPENDS "libclang-common-19-dev, libstdc++-12-dev | libstdc++-dev")
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "git")
set(CPACK_DEBIAN_PACKAGE_SUGGESTS "clang-tidy-19, libtorch-dev")
include(CPack)
