# Read by cpack for each kind of package.
if(CPACK_GENERATOR STREQUAL "DEB")
  set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
else()
  list(APPEND CPACK_COMPONENTS_ALL libraries)
endif()
