#include "LaunchSpelling.h"

#include "llvm/ADT/StringExtras.h"

#include <algorithm>

namespace samedevice::clangfront {

using llvm::StringRef;

namespace {

constexpr StringRef blanks = " \t";

size_t pastBlanks(StringRef text, size_t at) { return std::min(text.find_first_not_of(" \t\r\n\\", at), text.size()); }

size_t endOf(StringRef text, StringRef mark, size_t from) {
  const size_t found = text.find(mark, from);
  return found == StringRef::npos ? text.size() : found + mark.size();
}

/// Where a comment, or a text in quotes, is over that begins at `at`; `at` itself where none does.
size_t pastAside(StringRef text, size_t at) {
  const StringRef rest = text.drop_front(at);
  const bool isInWord = at > 0 && (llvm::isAlnum(text[at - 1]) || text[at - 1] == '_');
  if (rest.starts_with("//"))
    return endOf(text, "\n", at);
  if (rest.starts_with("/*"))
    return endOf(text, "*/", at + 2);
  if (rest.starts_with("R\"") && !isInWord) {
    const StringRef delimiter = rest.drop_front(2).take_until([](char c) { return c == '('; });
    return endOf(text, (")" + delimiter + "\"").str(), at + 2);
  }
  const char quote = rest.front();
  if (quote != '"' && (quote != '\'' || isInWord)) // 1'000 is a number
    return at;
  size_t end = at + 1;
  while (end < text.size() && text[end] != quote && text[end] != '\n')
    end += text[end] == '\\' ? 2 : 1;
  return std::min(end + 1, text.size());
}

/// Where `<<<` is over, or `<< <`; nothing where there is none.
std::optional<size_t> pastAngles(StringRef text, size_t at, char angle) {
  if (at + 2 >= text.size() || text[at] != angle || text[at + 1] != angle)
    return std::nullopt;
  const size_t third = text.find_first_not_of(blanks, at + 2);
  if (third == StringRef::npos || text[third] != angle || (third + 1 < text.size() && text[third + 1] == angle))
    return std::nullopt;
  return third + 1;
}

class Launch {
public:
  Launch(std::string &text, size_t at, size_t configuration) : text_(text), at_(at), begin_(configuration) {}

  /// Where its configuration is over; nothing where it turns out to be no launch.
  std::optional<size_t> respell() {
    const std::optional<size_t> close = find();
    if (!close)
      return std::nullopt;
    const size_t end = *pastAngles(text_, *close, '>');
    gather(at_, begin_, '<');
    gather(*close, end, '>');
    for (const auto &[open, shut] : lists_) {
      const bool isEmpty = pastBlanks(text_, open + 1) >= shut;
      text_[open] = isEmpty ? '0' : '(';
      text_[shut] = isEmpty ? ' ' : ')';
    }
    return end;
  }

private:
  /// Where its configuration is closed. On the way, which of its parts are lists in braces.
  std::optional<size_t> find() {
    std::vector<std::pair<char, size_t>> open;
    bool isFirst = true; // of a part of the configuration
    for (size_t i = begin_; i < text_.size();) {
      const char c = text_[i];
      if (const size_t past = pastAside(text_, i); past != i) {
        i = past;
        continue;
      }
      if (open.empty() && (c == ')' || c == '}' || c == ']'))
        return std::nullopt;
      if (c == ';' && (open.empty() || open.back().first == 'l')) // a statement is over
        return std::nullopt;
      if (open.empty() && c == '>')
        if (const std::optional<size_t> past = pastAngles(text_, i, '>'))
          if (const size_t next = pastBlanks(text_, *past); next < text_.size() && text_[next] == '(')
            return i;
      if (c == '(' || c == '[' || c == '{') {
        open.push_back({open.empty() && isFirst && c == '{' ? 'l' : c, i});
      } else if (c == ')' || c == ']' || c == '}') {
        if (open.back().first == 'l')
          lists_.push_back({open.back().second, i});
        open.pop_back();
      }
      if (!llvm::isSpace(c) && c != '\\')
        isFirst = open.empty() && c == ',';
      ++i;
    }
    return std::nullopt;
  }

  void gather(size_t begin, size_t end, char angle) {
    std::fill(text_.begin() + begin, text_.begin() + end, ' ');
    std::fill(text_.begin() + (end - 3), text_.begin() + end, angle);
  }

  std::string &text_;
  size_t at_, begin_;
  std::vector<std::pair<size_t, size_t>> lists_;
};

/// What is launched stands before it: `kernel`, `kernel<float>`, `(*kernel)`.
bool followsName(StringRef text, size_t at) {
  const StringRef before = text.take_front(at).rtrim(" \t\r\n\\");
  return !before.empty() &&
         (llvm::isAlnum(before.back()) || before.back() == '_' || before.back() == '>' || before.back() == ')');
}

} // namespace

std::optional<std::string> launchesForClang(StringRef text) {
  if (!text.contains("<<<") && !text.contains("<< <"))
    return std::nullopt;
  std::string respelled = text.str();
  for (size_t i = 0; i < respelled.size();) {
    if (const size_t past = pastAside(respelled, i); past != i) {
      i = past;
      continue;
    }
    const std::optional<size_t> configuration =
        respelled[i] == '<' && followsName(respelled, i) ? pastAngles(respelled, i, '<') : std::nullopt;
    const std::optional<size_t> end = configuration ? Launch(respelled, i, *configuration).respell() : std::nullopt;
    i = end.value_or(i + 1);
  }
  return respelled == text ? std::nullopt : std::make_optional(std::move(respelled));
}

} // namespace samedevice::clangfront
