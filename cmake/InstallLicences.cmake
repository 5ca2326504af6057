# What Debian knows of the libraries that were installed: a file for each package that they come from, into
# `samedevice_licences`. Variables here are those of all installing: their names must be no component's.
find_program(DPKG_QUERY dpkg-query)
if(NOT DPKG_QUERY)
  return()
endif()
file(GLOB samedevice_files RELATIVE "$ENV{DESTDIR}${CMAKE_INSTALL_PREFIX}/lib" "$ENV{DESTDIR}${CMAKE_INSTALL_PREFIX}/lib/*.so*")
foreach(samedevice_file IN LISTS samedevice_files ITEMS clang/19/include/stddef.h)
  execute_process(COMMAND ${DPKG_QUERY} -S "*/${samedevice_file}" OUTPUT_VARIABLE samedevice_owners ERROR_QUIET)
  string(REGEX MATCH "^[^:]+" samedevice_owner "${samedevice_owners}")
  if(samedevice_owner AND EXISTS /usr/share/doc/${samedevice_owner}/copyright)
    file(INSTALL /usr/share/doc/${samedevice_owner}/copyright FOLLOW_SYMLINK_CHAIN RENAME ${samedevice_owner}
      DESTINATION "${CMAKE_INSTALL_PREFIX}/${samedevice_licences}")
  endif()
endforeach()
