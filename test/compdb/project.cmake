# Configures PROJECT with the installed nvcc, once for Makefiles (options files) and once for Ninja, translates the
# compile commands with SAMEDEVICE, and has CLANG_TIDY parse every file.
find_program(NVCC nvcc HINTS ENV CUDACXX PATHS /usr/local/cuda/bin)
if(NOT NVCC)
  message("skipped: no nvcc on this machine")
  return()
endif()

find_program(NINJA ninja)
set(generators "Unix Makefiles")
set(last "Unix Makefiles")
if(NINJA)
  list(APPEND generators Ninja)
  set(last Ninja)
endif()

foreach(generator IN LISTS generators)
  string(MAKE_C_IDENTIFIER ${generator} folder)
  set(build ${WORK}/${folder})
  file(REMOVE_RECURSE ${build})
  execute_process(COMMAND ${CMAKE_COMMAND} -S ${PROJECT} -B ${build} -G ${generator} -DCMAKE_CUDA_COMPILER=${NVCC}
                  RESULT_VARIABLE failed OUTPUT_VARIABLE output ERROR_VARIABLE output)
  if(failed)
    message("skipped: nvcc compiles nothing here\n${output}")
    return()
  endif()

  execute_process(COMMAND ${SAMEDEVICE} compdb -p ${build} -o ${build}/clang/compile_commands.json
                  RESULT_VARIABLE failed ERROR_VARIABLE remarks)
  if(failed)
    message(FATAL_ERROR "samedevice compdb failed: ${remarks}")
  endif()
  string(REGEX MATCHALL "left out [^:]*" flags "${remarks}")
  if(NOT flags STREQUAL "left out -fno-gnu-unique")
    message(FATAL_ERROR "expected one remark, on -fno-gnu-unique, got:\n${remarks}")
  endif()

  # The generators differ in how they give include directories; that shows in one file.
  if(generator STREQUAL last)
    file(GLOB files ${PROJECT}/sources/*.cu ${PROJECT}/sources/*.cpp)
  else()
    set(files ${PROJECT}/sources/reduce.cu)
  endif()
  execute_process(COMMAND ${CLANG_TIDY} --quiet -checks=-*,bugprone-use-after-move -p ${build}/clang ${files}
                  RESULT_VARIABLE failed OUTPUT_VARIABLE output ERROR_VARIABLE output)
  if(failed)
    message(FATAL_ERROR "${generator}: clang-tidy does not read the translated commands:\n${output}")
  endif()
endforeach()
