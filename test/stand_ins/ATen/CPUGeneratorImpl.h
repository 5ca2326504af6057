// Generators that work on the CPU.
#pragma once
#pragma GCC system_header

#include "c10/core/Generator.h"
