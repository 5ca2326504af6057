// The machine as the facade sees it, and what c10 leaves to be defined.
#include "Impl.h"

#include "c10/cuda/CUDACachingAllocator.h"

#include <array>
#include <cstring>
#include <iostream>
#include <istream>

namespace samedevice::runtime {

namespace {

thread_local std::array<uint64_t, SimBackend::kMaxDevices> currentStreams = {};

/// As the pretended CUDA runtime names streams.
constexpr uint64_t kFirstStream = 16;
Stream numberOf(uint64_t stream) { return stream < kFirstStream ? 0 : static_cast<Stream>(stream - kFirstStream); }

void check(Error error) { TORCH_CHECK(error == Error::None, "CUDA error: ", errorText(error)); }

template <class T> void put(std::ostream &out, const T &value) {
  out.write(reinterpret_cast<const char *>(&value), sizeof(value));
}
template <class T> T take(std::istream &in) {
  T value = {};
  in.read(reinterpret_cast<char *>(&value), sizeof(value));
  TORCH_CHECK(in.good(), "unexpected end of the archive");
  return value;
}

} // namespace

int deviceCount() { return machine().deviceCount(); }
int currentDevice() { return machine().currentDevice(); }
void setDevice(int index) { check(machine().setDevice(index)); }
void synchronizeDevice(int index) {
  const int before = machine().currentDevice();
  if (index >= 0)
    setDevice(index);
  const Error error = machine().synchronizeDevice();
  machine().setDevice(before);
  check(error);
}

uint64_t newStream(int device) {
  const int before = machine().currentDevice();
  setDevice(device);
  Stream stream = 0;
  check(machine().createStream(&stream));
  setDevice(before);
  return stream + kFirstStream;
}
uint64_t currentStream(int device) { return currentStreams.at(static_cast<std::size_t>(device)); }
void setCurrentStream(int device, uint64_t stream) { currentStreams.at(static_cast<std::size_t>(device)) = stream; }
void synchronizeStream(int device, uint64_t stream) {
  machine().synchronize(device, numberOf(stream));
  check(machine().setDevice(machine().currentDevice()));
}
bool streamIsIdle(int, uint64_t) { return true; }

void writeTensor(std::ostream &out, const Tensor &tensor) {
  put<bool>(out, tensor.defined());
  if (!tensor.defined())
    return;
  put<int8_t>(out, static_cast<int8_t>(tensor.scalar_type()));
  put<int8_t>(out, static_cast<int8_t>(tensor.is_cuda() ? tensor.device().index() : -1));
  put<int64_t>(out, tensor.dim());
  for (const int64_t size : tensor.sizes())
    put(out, size);
  for (const double value : read(tensor).values)
    put(out, value);
}

Tensor readTensor(std::istream &in, c10::optional<c10::Device> device) {
  if (!take<bool>(in))
    return {};
  const auto type = static_cast<c10::ScalarType>(take<int8_t>(in));
  const auto saved = take<int8_t>(in);
  Sizes sizes(static_cast<std::size_t>(take<int64_t>(in)));
  for (int64_t &size : sizes)
    size = take<int64_t>(in);
  Array array(sizes, type);
  for (double &value : array.values)
    value = take<double>(in);
  return makeTensor(array, device.value_or(saved < 0 ? c10::Device(c10::kCPU) : c10::Device(c10::kCUDA, saved)));
}

} // namespace samedevice::runtime

namespace c10 {

std::string DeviceTypeName(DeviceType type, bool lowerCase) {
  switch (type) {
  case DeviceType::CPU:
    return lowerCase ? "cpu" : "CPU";
  case DeviceType::CUDA:
    return lowerCase ? "cuda" : "CUDA";
  case DeviceType::MPS:
    return lowerCase ? "mps" : "MPS";
  case DeviceType::Meta:
    return lowerCase ? "meta" : "META";
  case DeviceType::XPU:
    return lowerCase ? "xpu" : "XPU";
  default:
    return lowerCase ? "other" : "OTHER";
  }
}
std::ostream &operator<<(std::ostream &out, DeviceType type) { return out << DeviceTypeName(type, true); }

Device::Device(const std::string &text) : Device(DeviceType::CPU) {
  const std::size_t colon = text.find(':');
  const std::string name = text.substr(0, colon);
  bool known = false;
  for (const DeviceType type : {DeviceType::CPU, DeviceType::CUDA, DeviceType::MPS, DeviceType::Meta, DeviceType::XPU})
    if (name == DeviceTypeName(type, true)) {
      type_ = type;
      known = true;
    }
  TORCH_CHECK(known, "Expected one of cpu, cuda, xpu, mps, meta device type at start of device string: ", name);
  if (colon != std::string::npos)
    index_ = static_cast<DeviceIndex>(std::atoi(text.c_str() + colon + 1));
}
std::string Device::str() const {
  return DeviceTypeName(type_, true) + (has_index() ? ":" + std::to_string(index_) : "");
}
std::ostream &operator<<(std::ostream &out, const Device &device) { return out << device.str(); }

namespace detail {
void warn(const std::string &message) { std::cerr << "Warning: " << message << '\n'; }
} // namespace detail

// A float cut down to its upper half, or to the exponent and mantissa of an IEEE half.
template <int MantissaBits> SmallFloat<MantissaBits>::SmallFloat(float value) {
  uint32_t bits = 0;
  std::memcpy(&bits, &value, sizeof(bits));
  if constexpr (MantissaBits == 7) {
    x = static_cast<uint16_t>(bits >> 16);
  } else {
    const auto exponent = static_cast<int>(bits >> 23 & 0xFF) - 112;
    const uint32_t sign = bits >> 16 & 0x8000;
    x = static_cast<uint16_t>(exponent <= 0    ? sign
                              : exponent >= 31 ? sign | 0x7C00
                                               : sign | static_cast<uint32_t>(exponent) << 10 | (bits >> 13 & 0x3FF));
  }
}
template <int MantissaBits> SmallFloat<MantissaBits>::operator float() const {
  uint32_t bits = static_cast<uint32_t>(x) << 16;
  if constexpr (MantissaBits == 10) {
    const uint32_t exponent = x >> 10 & 0x1F;
    bits = static_cast<uint32_t>(x & 0x8000) << 16 |
           (exponent == 0 ? 0 : (exponent == 31 ? 255 : exponent + 112) << 23) | static_cast<uint32_t>(x & 0x3FF) << 13;
  }
  float value = 0;
  std::memcpy(&value, &bits, sizeof(value));
  return value;
}
template struct SmallFloat<7>;
template struct SmallFloat<10>;

} // namespace c10

namespace c10::cuda::CUDACachingAllocator {

void *raw_alloc(size_t nbytes) {
  void *address = nullptr;
  samedevice::runtime::machine().allocate(samedevice::runtime::Memory::Device, nbytes, &address);
  TORCH_CHECK(address, "CUDA out of memory. Tried to allocate ", nbytes, " bytes");
  return address;
}
void *raw_alloc_with_stream(size_t nbytes, cudaStream_t) { return raw_alloc(nbytes); }
void raw_delete(void *ptr) { samedevice::runtime::machine().release(ptr); }

} // namespace c10::cuda::CUDACachingAllocator
