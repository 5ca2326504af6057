# The headers of LLVM, Clang and clang-tidy, of version SAMEDEVICE_LLVM, and what tools link.
#   ClangTidy::headers   what a plugin needs: it takes every symbol from the clang-tidy that loads it
#   ClangTidy::clang     headers, libclang-cpp and libLLVM, for programs of our own
#   ClangTidy::tidy      clang-tidy as a library, for a program that runs checks itself; to be named before ClangTidy::clang
#   CLANG_TIDY_PROGRAM, CLANG_PROGRAM   the programs themselves
# Where the libraries are missing, or not of version 19, only ClangTidy::headers is there.
set(_version ${SAMEDEVICE_LLVM})
find_program(LLVM_CONFIG_PROGRAM NAMES llvm-config-${_version} llvm-config)
if(LLVM_CONFIG_PROGRAM)
  execute_process(COMMAND ${LLVM_CONFIG_PROGRAM} --includedir OUTPUT_VARIABLE _include OUTPUT_STRIP_TRAILING_WHITESPACE)
  execute_process(COMMAND ${LLVM_CONFIG_PROGRAM} --libdir OUTPUT_VARIABLE _lib OUTPUT_STRIP_TRAILING_WHITESPACE)
  execute_process(COMMAND ${LLVM_CONFIG_PROGRAM} --bindir OUTPUT_VARIABLE _bin OUTPUT_STRIP_TRAILING_WHITESPACE)
  execute_process(COMMAND ${LLVM_CONFIG_PROGRAM} --version OUTPUT_VARIABLE ClangTidy_VERSION
                  OUTPUT_STRIP_TRAILING_WHITESPACE)
endif()

find_path(CLANG_TIDY_INCLUDE_DIR clang-tidy/ClangTidyCheck.h HINTS ${_include} PATH_SUFFIXES llvm-${_version}/include)
find_library(CLANG_CPP_LIBRARY NAMES clang-cpp libclang-cpp.so.${_version} libclang-cpp.so.${_version}.1 HINTS ${_lib})
find_library(LLVM_LIBRARY NAMES LLVM-${_version} LLVM HINTS ${_lib})
find_library(CLANG_TIDY_LIBRARY NAMES clangTidy HINTS ${_lib})
find_library(CLANG_TIDY_UTILS_LIBRARY NAMES clangTidyUtils HINTS ${_lib})
find_program(CLANG_TIDY_PROGRAM NAMES clang-tidy-${_version} clang-tidy HINTS ${_bin})
find_program(CLANG_PROGRAM NAMES clang++-${_version} clang++ HINTS ${_bin})

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(ClangTidy
  REQUIRED_VARS CLANG_TIDY_INCLUDE_DIR CLANG_TIDY_PROGRAM CLANG_PROGRAM
  VERSION_VAR ClangTidy_VERSION)

if(ClangTidy_FOUND AND NOT TARGET ClangTidy::headers)
  # LLVM's folder may also hold headers of libc++abi, which another compiler must not find before its own.
  set(_headers ${PROJECT_BINARY_DIR}/llvm-headers)
  file(MAKE_DIRECTORY ${_headers})
  foreach(_library llvm llvm-c clang clang-c clang-tidy)
    if(EXISTS ${CLANG_TIDY_INCLUDE_DIR}/${_library})
      file(CREATE_LINK ${CLANG_TIDY_INCLUDE_DIR}/${_library} ${_headers}/${_library} SYMBOLIC)
    endif()
  endforeach()
  add_library(ClangTidy::headers INTERFACE IMPORTED GLOBAL)
  target_include_directories(ClangTidy::headers SYSTEM INTERFACE ${_headers})
  # The plugin is for any version; programs of our own are made of this one alone.
  if(_version EQUAL 19)
    foreach(_library CLANG_CPP_LIBRARY LLVM_LIBRARY CLANG_TIDY_LIBRARY CLANG_TIDY_UTILS_LIBRARY)
      if(NOT ${_library})
        message(FATAL_ERROR "LLVM 19 was found without ${_library}")
      endif()
    endforeach()
    add_library(ClangTidy::clang INTERFACE IMPORTED GLOBAL)
    target_link_libraries(ClangTidy::clang INTERFACE ClangTidy::headers ${CLANG_CPP_LIBRARY} ${LLVM_LIBRARY})
    add_library(ClangTidy::tidy INTERFACE IMPORTED GLOBAL)
    target_link_libraries(ClangTidy::tidy INTERFACE ClangTidy::headers ${CLANG_TIDY_LIBRARY}
                                                    ${CLANG_TIDY_UTILS_LIBRARY} ClangTidy::clang)
  endif()
endif()
mark_as_advanced(LLVM_CONFIG_PROGRAM CLANG_TIDY_INCLUDE_DIR CLANG_CPP_LIBRARY LLVM_LIBRARY CLANG_TIDY_LIBRARY
                 CLANG_TIDY_UTILS_LIBRARY)
