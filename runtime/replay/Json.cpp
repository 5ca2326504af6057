#include "Json.h"

#include <algorithm>
#include <charconv>
#include <cstdio>

namespace samedevice::runtime {

namespace {

// What a findings file needs is far below these. A value takes a hundred times the two bytes that it may be written in.
constexpr int kMaxDepth = 16;
constexpr std::size_t kMaxMembers = 100, kMaxValues = 2'000'000;

class Reader {
public:
  explicit Reader(std::string_view text) : text_(text) {}

  std::vector<Json> documents() {
    std::vector<Json> all;
    for (skipSpace(); !atEnd(); skipSpace())
      all.push_back(value(0));
    return all;
  }

private:
  bool atEnd() const { return at_ == text_.size(); }
  char peek() const { return atEnd() ? '\0' : text_[at_]; }

  [[noreturn]] void fail(const std::string &what) const {
    const auto line = 1 + std::count(text_.begin(), text_.begin() + static_cast<std::ptrdiff_t>(at_), '\n');
    throw JsonError(static_cast<std::size_t>(line), atEnd() ? what + ", but the file ends" : what);
  }

  void skipSpace() {
    while (!atEnd() && std::string_view(" \t\r\n").find(peek()) != std::string_view::npos)
      ++at_;
  }

  void expect(char wanted) {
    if (peek() != wanted || atEnd())
      fail(std::string("expected '") + wanted + "'");
    ++at_;
  }

  bool accept(std::string_view word) {
    if (text_.substr(at_, word.size()) != word)
      return false;
    at_ += word.size();
    return true;
  }

  Json value(int depth) {
    if (depth > kMaxDepth)
      fail("nested too deeply");
    if (++values_ > kMaxValues)
      fail("more than " + std::to_string(kMaxValues) + " values");
    Json json;
    if (peek() == '{') {
      object(json, depth);
    } else if (peek() == '[') {
      array(json, depth);
    } else if (peek() == '"') {
      json.kind = Json::Kind::String;
      json.text = string();
    } else if (accept("true")) {
      json.kind = Json::Kind::Bool;
      json.boolean = true;
    } else if (accept("false")) {
      json.kind = Json::Kind::Bool;
    } else if (!accept("null")) {
      number(json);
    }
    return json;
  }

  void object(Json &json, int depth) {
    json.kind = Json::Kind::Object;
    expect('{');
    skipSpace();
    if (peek() == '}') {
      ++at_;
      return;
    }
    while (true) {
      skipSpace();
      std::string name = string();
      if (json.find(name))
        fail("member \"" + name + "\" stands twice");
      skipSpace();
      expect(':');
      skipSpace();
      if (json.members.size() == kMaxMembers)
        fail("an object of more than " + std::to_string(kMaxMembers) + " members");
      json.members.push_back({std::move(name), value(depth + 1)});
      skipSpace();
      if (peek() != ',')
        break;
      ++at_;
    }
    expect('}');
  }

  void array(Json &json, int depth) {
    json.kind = Json::Kind::Array;
    expect('[');
    skipSpace();
    if (peek() == ']') {
      ++at_;
      return;
    }
    while (true) {
      skipSpace();
      json.items.push_back(value(depth + 1));
      skipSpace();
      if (peek() != ',')
        break;
      ++at_;
    }
    expect(']');
  }

  void number(Json &json) {
    const std::size_t begin = at_;
    const auto digits = [&] {
      if (peek() < '0' || peek() > '9')
        fail("expected a value");
      while (peek() >= '0' && peek() <= '9')
        ++at_;
    };
    if (peek() == '-')
      ++at_;
    const bool leadingZero = peek() == '0';
    const std::size_t whole = at_;
    digits();
    if (leadingZero && at_ - whole > 1)
      fail("a number cannot begin with 0");
    json.kind = Json::Kind::Integer;
    if (peek() == '.') {
      json.kind = Json::Kind::Real;
      ++at_;
      digits();
    }
    if (peek() == 'e' || peek() == 'E') {
      json.kind = Json::Kind::Real;
      ++at_;
      if (peek() == '+' || peek() == '-')
        ++at_;
      digits();
    }
    const char *first = text_.data() + begin, *last = text_.data() + at_;
    const auto result = json.kind == Json::Kind::Integer ? std::from_chars(first, last, json.integer)
                                                         : std::from_chars(first, last, json.real);
    if (result.ec != std::errc())
      fail("a number is too large");
  }

  std::string string() {
    expect('"');
    std::string out;
    while (peek() != '"') {
      if (atEnd() || static_cast<unsigned char>(peek()) < 0x20)
        fail("expected '\"' at the end of a text");
      if (peek() == '\\') {
        ++at_;
        escape(out);
      } else {
        out += text_[at_++];
      }
    }
    ++at_;
    return out;
  }

  void escape(std::string &out) {
    static constexpr std::string_view kNames = "\"\\/bfnrt", kMeanings = "\"\\/\b\f\n\r\t";
    const std::size_t simple = atEnd() ? std::string_view::npos : kNames.find(peek());
    if (simple != std::string_view::npos) {
      out += kMeanings[simple];
      ++at_;
      return;
    }
    std::uint32_t code = unicode();
    if (code >= 0xD800 && code < 0xDC00 && accept("\\")) {
      const std::uint32_t low = unicode();
      if (low < 0xDC00 || low > 0xDFFF)
        fail("half a surrogate pair");
      code = 0x10000 + ((code - 0xD800) << 10) + (low - 0xDC00);
    }
    if (code >= 0xD800 && code < 0xE000)
      fail("half a surrogate pair");
    appendUtf8(out, code);
  }

  std::uint32_t unicode() {
    expect('u');
    std::uint32_t code = 0;
    const std::string_view digits = text_.substr(at_, 4);
    const auto result = std::from_chars(digits.data(), digits.data() + digits.size(), code, 16);
    if (digits.size() != 4 || result.ptr != digits.data() + 4)
      fail("expected four hexadecimal digits");
    at_ += 4;
    return code;
  }

  static void appendUtf8(std::string &out, std::uint32_t code) {
    const auto tail = [&](int shift) { out += static_cast<char>(0x80 | (code >> shift & 0x3F)); };
    if (code < 0x80) {
      out += static_cast<char>(code);
    } else if (code < 0x800) {
      out += static_cast<char>(0xC0 | code >> 6);
      tail(0);
    } else if (code < 0x10000) {
      out += static_cast<char>(0xE0 | code >> 12);
      tail(6), tail(0);
    } else {
      out += static_cast<char>(0xF0 | code >> 18);
      tail(12), tail(6), tail(0);
    }
  }

  std::string_view text_;
  std::size_t at_ = 0;
  std::size_t values_ = 0;
};

} // namespace

const Json *Json::find(std::string_view name) const {
  for (const auto &[key, value] : members)
    if (key == name)
      return &value;
  return nullptr;
}

std::vector<Json> readJson(std::string_view text) { return Reader(text).documents(); }

std::string jsonString(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') {
      out += '\\';
      out += c;
    } else if (static_cast<unsigned char>(c) < 0x20) {
      char escaped[8];
      std::snprintf(escaped, sizeof(escaped), "\\u%04x", static_cast<unsigned>(c));
      out += escaped;
    } else {
      out += c;
    }
  }
  return out + '"';
}

} // namespace samedevice::runtime
