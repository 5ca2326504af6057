#pragma once
#pragma GCC system_header

#include "c10/macros.h"

#include <optional>
#include <string_view>

namespace c10 {
template <class T> using optional = std::optional<T>;
using std::in_place;
using std::make_optional;
using std::nullopt;
using std::nullopt_t;
using std::string_view;
} // namespace c10

// User code that also says `using namespace std` must not find two of them.
namespace at {
using c10::nullopt;
using c10::optional;
} // namespace at
namespace torch {
using c10::nullopt;
using c10::optional;
} // namespace torch
