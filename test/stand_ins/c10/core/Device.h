#pragma once
#pragma GCC system_header

#include "c10/util/Exception.h"

#include <functional>
#include <ostream>
#include <string>

namespace c10 {

enum class DeviceType : int8_t {
  CPU = 0,
  CUDA = 1,
  MKLDNN = 2,
  HIP = 6,
  XLA = 9,
  Vulkan = 10,
  Metal = 11,
  XPU = 12,
  MPS = 13,
  Meta = 14,
  HPU = 15
};
constexpr DeviceType kCPU = DeviceType::CPU;
constexpr DeviceType kCUDA = DeviceType::CUDA;
constexpr DeviceType kHIP = DeviceType::HIP;
constexpr DeviceType kXPU = DeviceType::XPU;
constexpr DeviceType kMPS = DeviceType::MPS;
constexpr DeviceType kMeta = DeviceType::Meta;

std::string DeviceTypeName(DeviceType d, bool lower_case = false);
std::ostream &operator<<(std::ostream &stream, DeviceType type);

using DeviceIndex = int8_t;

struct Device final {
  using Type = DeviceType;
  /* implicit */ Device(DeviceType type, DeviceIndex index = -1);
  /* implicit */ Device(const std::string &device_string);

  bool operator==(const Device &other) const noexcept;
  bool operator!=(const Device &other) const noexcept;
  void set_index(DeviceIndex index);
  DeviceType type() const noexcept;
  DeviceIndex index() const noexcept;
  bool has_index() const noexcept;
  bool is_cuda() const noexcept;
  bool is_cpu() const noexcept;
  bool is_mps() const noexcept;
  bool is_meta() const noexcept;
  bool is_xpu() const noexcept;
  std::string str() const;

private:
  DeviceType type_;
  DeviceIndex index_ = -1;
};

std::ostream &operator<<(std::ostream &stream, const Device &device);

} // namespace c10

namespace std {
template <> struct hash<c10::Device> {
  size_t operator()(c10::Device d) const noexcept;
};
} // namespace std

namespace at {
using c10::Device;
using c10::DeviceIndex;
using c10::DeviceType;
using c10::kCPU;
using c10::kCUDA;
using c10::kMeta;
using c10::kMPS;
} // namespace at
namespace torch {
using at::kCPU;
using at::kCUDA;
using c10::Device;
using c10::DeviceIndex;
using c10::DeviceType;
} // namespace torch
