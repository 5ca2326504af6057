// The few macros that user code sees, and the nesting of the namespaces.
#pragma once
#pragma GCC system_header

#include <cstddef>
#include <cstdint>

#define TORCH_API
#define C10_API
#define C10_EXPORT __attribute__((visibility("default")))
#define C10_UNUSED [[maybe_unused]]
#define C10_NODISCARD [[nodiscard]]
#define C10_LIKELY(expr) (__builtin_expect(static_cast<bool>(expr), 1))
#define C10_UNLIKELY(expr) (__builtin_expect(static_cast<bool>(expr), 0))
#define C10_RESTRICT __restrict
#ifdef __CUDACC__
#define C10_HOST_DEVICE __host__ __device__
#define C10_DEVICE __device__
#define C10_HOST __host__
#else
#define C10_HOST_DEVICE
#define C10_DEVICE
#define C10_HOST
#endif

// Real headers suppress deprecation warnings of their own; nothing here is deprecated.
#define TORCH_VERSION_MAJOR 1
#define TORCH_VERSION_MINOR 13
#define TORCH_VERSION_PATCH 1
#define TORCH_VERSION "1.13.1"

namespace c10 {}
namespace at {
using namespace c10;
}
namespace torch {
using namespace at;
}
