#include "ElementKey.h"

namespace samedevice::analysis {
namespace {

// What the key is, and its own bits.
constexpr std::uint32_t kKey = 1u << 27;
constexpr std::uint32_t kDevice = 1u << 24, kSymbol = 1u << 23, kNumber = 1u << 22;
constexpr std::uint32_t kTextBits = kNumber - 1, kSymbolBits = kSymbol - 1;
constexpr std::uint32_t kDeviceKindShift = 20, kDeviceBits = (1u << kDeviceKindShift) - 1;

} // namespace

std::uint32_t unknownKey() { return kKey; }

std::optional<std::uint32_t> keyed(const Value &key) {
  const auto number = static_cast<std::uint32_t>(key.number);
  if (key.has(Value::kConstant) && key.kind == Value::String)
    return kKey | (number & kTextBits);
  if (key.has(Value::kConstant) && key.kind == Value::Int)
    return kKey | kNumber | (number & kTextBits);
  if ((key.kind == Value::Device || key.has(Value::kOfDevice)) && key.device.kind != DeviceValue::Unknown) {
    const bool isSymbol = key.device.kind == DeviceValue::Symbol;
    const auto which = isSymbol ? key.device.symbol : static_cast<std::uint32_t>(key.device.index + 1);
    return kKey | kDevice | static_cast<std::uint32_t>(key.device.kind) << kDeviceKindShift | (which & kDeviceBits);
  }
  if (key.symbol && !key.has(Value::kOfSize))
    return kKey | kSymbol | (key.symbol & kSymbolBits);
  return std::nullopt;
}

bool isKey(std::uint32_t element) { return (element & kKey) != 0; }
bool isDeviceKey(std::uint32_t element) { return (element & kDevice) != 0; }
DeviceValue::Kind deviceKindOf(std::uint32_t element) {
  return static_cast<DeviceValue::Kind>(element >> kDeviceKindShift & 0xf);
}
bool isSymbolKey(std::uint32_t element) { return (element & kSymbol) != 0; }
std::uint32_t digestOf(std::uint32_t element) { return element & 0xff; }

} // namespace samedevice::analysis
