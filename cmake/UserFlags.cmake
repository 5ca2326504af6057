# How a user's file is compiled, each a list of flags:
#   SAMEDEVICE_STAND_IN_FLAGS with the stand-ins of test/ in libtorch's place, anywhere
#   SAMEDEVICE_TORCH_FLAGS    with the installed libtorch; empty where there is none
#   SAMEDEVICE_CUDA_FLAGS     in addition, for a file that includes CUDA's headers; empty without a toolkit
#   SAMEDEVICE_CU_FLAGS       in addition to those, for a .cu file
find_path(SAMEDEVICE_TORCH_INCLUDE torch/torch.h PATH_SUFFIXES torch/csrc/api/include)
find_path(SAMEDEVICE_EIGEN_INCLUDE Eigen/Dense PATH_SUFFIXES eigen3)
find_path(SAMEDEVICE_CUDA_INCLUDE cuda_runtime_api.h
  HINTS ENV CUDA_HOME PATHS /usr/local/cuda /usr/lib/cuda /usr PATH_SUFFIXES include)
find_program(SAMEDEVICE_PYTHON NAMES python3)
mark_as_advanced(SAMEDEVICE_TORCH_INCLUDE SAMEDEVICE_EIGEN_INCLUDE SAMEDEVICE_CUDA_INCLUDE SAMEDEVICE_PYTHON)

set(_common -std=c++17 -DTORCH_EXTENSION_NAME=fixture)
if(SAMEDEVICE_EIGEN_INCLUDE)
  list(APPEND _common -isystem ${SAMEDEVICE_EIGEN_INCLUDE})
endif()

set(_stand_ins ${PROJECT_SOURCE_DIR}/test/stand_ins)
set(SAMEDEVICE_STAND_IN_FLAGS ${_common} -isystem ${_stand_ins})

set(SAMEDEVICE_TORCH_FLAGS "")
if(SAMEDEVICE_TORCH_INCLUDE)
  set(SAMEDEVICE_TORCH_FLAGS ${_common} -isystem ${SAMEDEVICE_TORCH_INCLUDE})
  if(SAMEDEVICE_PYTHON)
    execute_process(COMMAND ${SAMEDEVICE_PYTHON} -c "import sysconfig; print(sysconfig.get_path('include'))"
                    OUTPUT_VARIABLE _python OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
    if(EXISTS "${_python}/Python.h")
      list(APPEND SAMEDEVICE_TORCH_FLAGS -isystem ${_python})
    endif()
  endif()
  # What is no part of libtorch comes from the small stand-ins.
  list(APPEND SAMEDEVICE_TORCH_FLAGS -idirafter ${_stand_ins})
endif()

set(SAMEDEVICE_CUDA_FLAGS "")
set(SAMEDEVICE_CU_FLAGS "")
if(SAMEDEVICE_CUDA_INCLUDE)
  get_filename_component(_cuda ${SAMEDEVICE_CUDA_INCLUDE} DIRECTORY)
  set(_shim ${PROJECT_BINARY_DIR}/share/samedevice/cuda-shim)
  # As `samedevice compdb` translates nvcc's commands. The system's own include folder needs no mention.
  if(NOT SAMEDEVICE_CUDA_INCLUDE STREQUAL "/usr/include")
    set(SAMEDEVICE_CUDA_FLAGS -isystem ${SAMEDEVICE_CUDA_INCLUDE})
  endif()
  list(APPEND SAMEDEVICE_CUDA_FLAGS -isystem ${SAMEDEVICE_CUDA_INCLUDE}/cccl -idirafter ${_shim})
  set(SAMEDEVICE_CU_FLAGS -x cuda --cuda-host-only -nocudalib -Wno-unknown-cuda-version --cuda-path=${_cuda}
      -include ${_shim}/samedevice/nvcc_host_overloads.h)
endif()

# `./dev demo` reads these, one to a line.
set(_example ${SAMEDEVICE_TORCH_FLAGS})
if(NOT _example)
  set(_example ${SAMEDEVICE_STAND_IN_FLAGS})
endif()
list(JOIN _example "\n" _example)
file(WRITE ${PROJECT_BINARY_DIR}/share/samedevice/example-flags "${_example}\n")
