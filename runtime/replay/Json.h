// JSON as in RFC 8259, read into memory: strict, with limits, so that any file is safe to read.
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace samedevice::runtime {

struct JsonMember;

struct Json {
  enum class Kind { Null, Bool, Integer, Real, String, Array, Object };

  Kind kind = Kind::Null;
  bool boolean = false;
  std::int64_t integer = 0;
  double real = 0;
  std::string text;
  std::vector<Json> items;
  std::vector<JsonMember> members;

  /// Null when there is no such member.
  const Json *find(std::string_view name) const;
};

struct JsonMember {
  std::string name;
  Json value;
};

struct JsonError : std::runtime_error {
  JsonError(std::size_t line, const std::string &what)
      : std::runtime_error("line " + std::to_string(line) + ": " + what) {}
};

/// Every document in `text`, one after the other. Throws JsonError.
std::vector<Json> readJson(std::string_view text);

/// A string as JSON writes it, quotes included.
std::string jsonString(std::string_view text);

} // namespace samedevice::runtime
