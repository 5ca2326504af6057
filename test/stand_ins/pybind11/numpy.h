#pragma once
#pragma GCC system_header

#include "pybind11/pybind11.h"
