// C++ extensions for Python.
#pragma once
#pragma GCC system_header

#include "pybind11/pybind11.h"
#include "torch/all.h"

#ifndef TORCH_EXTENSION_NAME
#define TORCH_EXTENSION_NAME extension
#endif
