# Read by cpack for each kind of package.
if(CPACK_GENERATOR STREQUAL "DEB")
  set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
else()
  set(CPACK_COMPONENT_INCLUDE_TOPLEVEL_DIRECTORY ON) # a .deb would have that folder in the root of the system
  list(APPEND CPACK_COMPONENTS_ALL libraries)
endif()
