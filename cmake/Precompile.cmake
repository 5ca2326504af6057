# samedevice_precompile(NAME HEADER FLAGS...): HEADER, precompiled by the Clang that the checks are for, as
# target samedevice-header-NAME. NAME_flags becomes FLAGS and what makes use of it. Clang's driver knows no precompiled
# headers for .cu files, so its front end is asked.
function(samedevice_precompile name header)
  set(compiled ${CMAKE_CURRENT_BINARY_DIR}/${name}.pch)
  set(language -x c++-header)
  if("cuda" IN_LIST ARGN)
    set(language "")
  endif()
  add_custom_command(OUTPUT ${compiled}
    COMMAND ${CLANG_PROGRAM} ${language} ${ARGN} -fpch-instantiate-templates -fsyntax-only -Xclang -emit-pch
            -Xclang -o -Xclang ${compiled} -MD -MF ${compiled}.d -MT ${compiled} ${CMAKE_CURRENT_SOURCE_DIR}/${header}
    DEPENDS ${header}
    DEPFILE ${compiled}.d # an update of the system's own headers counts, too
    COMMENT "Precompiling ${name}")
  add_custom_target(samedevice-header-${name} ALL DEPENDS ${compiled})
  set(${name}_flags ${ARGN} -include-pch ${compiled} PARENT_SCOPE)
endfunction()
