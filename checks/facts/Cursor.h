// Reads one line of the facts' text form. After the first failure every read yields something empty, so that
// the grammar can be written straight down and checked once per line.
#pragma once

#include <cctype>
#include <charconv>
#include <cstdint>
#include <string>
#include <string_view>

namespace samedevice::facts {

/// How much of the front of `text` is a name that needs no quotes: Net::forward, ~Net, x.
inline std::size_t bareNameLength(std::string_view text) {
  auto isWordAt = [&](std::size_t i) {
    return i < text.size() && (std::isalnum(static_cast<unsigned char>(text[i])) || text[i] == '_' || text[i] == '~');
  };
  if (!isWordAt(0) || std::isdigit(static_cast<unsigned char>(text[0])))
    return 0;
  std::size_t end = 1;
  while (isWordAt(end) || (text.substr(end, 2) == "::" && isWordAt(end + 2)))
    end += isWordAt(end) ? 1 : 2;
  return end;
}

/// The same for an instruction's text, which may be more than a name: cuda:1, host-to-device, operator+=.
inline std::size_t bareTextLength(std::string_view text) {
  for (std::string_view attribute : {"text=", "number=", "targets="})
    if (text.substr(0, attribute.size()) == attribute)
      return 0;
  const std::size_t end = text.find_first_of(" \t\n(),\"[]@;|\\");
  return end == text.npos ? text.size() : end;
}

class Cursor {
public:
  explicit Cursor(std::string_view line) : rest_(line) {}

  bool failed() const { return !error_.empty(); }
  const std::string &error() const { return error_; }
  void fail(std::string message) {
    if (!failed())
      error_ = std::move(message);
    rest_ = {};
  }

  std::string_view rest() const { return rest_; }
  bool atEnd() {
    skipSpace();
    return rest_.empty();
  }
  bool startsWith(std::string_view text) {
    skipSpace();
    return rest_.substr(0, text.size()) == text;
  }
  bool eat(std::string_view text) {
    if (!startsWith(text))
      return false;
    rest_.remove_prefix(text.size());
    return true;
  }
  /// A whole word: `eatWord("of")` does not eat the front of `offset`.
  bool eatWord(std::string_view word) {
    if (!startsWith(word) || bareNameLength(rest_) > word.size() || rest_.substr(word.size(), 1) == "-")
      return false;
    rest_.remove_prefix(word.size());
    return true;
  }
  void expect(std::string_view text) {
    if (!failed() && !eat(text))
      fail("expected '" + std::string(text) + "' before '" + std::string(rest_) + "'");
  }
  void expectEnd() {
    if (!failed() && !atEnd())
      fail("cannot read '" + std::string(rest_) + "'");
  }

  bool atQuote() { return startsWith("\""); }

  /// A name, quoted or not; empty where there is none.
  std::string name() {
    skipSpace();
    return atQuote() ? string() : take(bareNameLength(rest_));
  }
  std::string text() {
    skipSpace();
    return atQuote() ? string() : take(bareTextLength(rest_));
  }
  /// An opcode, a flag: letters, digits and hyphens.
  std::string kebab() {
    skipSpace();
    std::size_t end = 0;
    while (end < rest_.size() && (std::isalnum(static_cast<unsigned char>(rest_[end])) || rest_[end] == '-'))
      ++end;
    return take(end);
  }
  std::string string() {
    expect("\"");
    std::string result;
    while (!rest_.empty() && rest_[0] != '"') {
      const bool escaped = rest_[0] == '\\' && rest_.size() > 1;
      const char c = rest_[escaped ? 1 : 0];
      result += escaped && c == 'n' ? '\n' : c;
      rest_.remove_prefix(escaped ? 2 : 1);
    }
    expect("\"");
    return result;
  }
  template <typename Integer> Integer number() {
    skipSpace();
    Integer value = 0;
    auto [end, status] = std::from_chars(rest_.data(), rest_.data() + rest_.size(), value);
    if (status != std::errc{}) {
      fail("expected a number before '" + std::string(rest_) + "'");
      return 0;
    }
    rest_.remove_prefix(static_cast<std::size_t>(end - rest_.data()));
    return value;
  }
  bool atNumber() {
    skipSpace();
    const std::size_t sign = !rest_.empty() && rest_[0] == '-';
    return rest_.size() > sign && std::isdigit(static_cast<unsigned char>(rest_[sign]));
  }
  /// `@12`, or 0.
  std::uint32_t source() { return eat("@") ? number<std::uint32_t>() : 0; }

private:
  void skipSpace() {
    while (!rest_.empty() && std::isspace(static_cast<unsigned char>(rest_[0])))
      rest_.remove_prefix(1);
  }
  std::string take(std::size_t length) {
    std::string result(rest_.substr(0, length));
    rest_.remove_prefix(length);
    return result;
  }

  std::string_view rest_;
  std::string error_;
};

} // namespace samedevice::facts
