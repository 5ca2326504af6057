// Which element of a list is meant, or which entry of a map: an index below the first key is a position, above it are
// the keys of maps, by what they are, packed into the 28 bits that a Place has for it.
#pragma once

#include "Value.h"

#include <cstdint>
#include <optional>

namespace samedevice::analysis {

/// An entry under a key of which nothing is known.
std::uint32_t unknownKey();
/// The entry under this key: a text, a number, a device, or whatever a variable holds; nothing, if it has no identity.
std::optional<std::uint32_t> keyed(const Value &key);

bool isKey(std::uint32_t element);       ///< an entry of a map, not a position
bool isDeviceKey(std::uint32_t element); ///< ... whose key is a device, or made of one
/// What kind of device such a key is.
DeviceValue::Kind deviceKindOf(std::uint32_t element);
bool isSymbolKey(std::uint32_t element); ///< ... whose key is whatever a variable holds: it may equal any other
/// A small number that tells apart most keys of one map.
std::uint32_t digestOf(std::uint32_t element);

} // namespace samedevice::analysis
