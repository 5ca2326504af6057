// What the two halves of the text form's parser share; not for others.
#pragma once

#include "Cursor.h"
#include "Names.h"

#include <map>
#include <string>
#include <vector>

namespace samedevice::facts::detail {

struct Line {
  std::string_view text;
  std::size_t number;
};

using Numbering = std::map<std::string, std::uint32_t>;

struct Names {
  Numbering functions, classes;
};

/// `x`, then `x#2`: what the next thing of that name is called.
inline std::string keyOf(const std::string &name, const Numbering &taken) {
  std::string key = name;
  for (int count = 2; taken.count(key); ++count)
    key = name + "#" + std::to_string(count);
  return key;
}

inline std::string key(Cursor &cursor) {
  std::string name = cursor.name();
  if (cursor.eat("#"))
    name += "#" + std::to_string(cursor.number<int>());
  return name;
}

inline std::string slotKey(Cursor &cursor) {
  return cursor.eat("%") ? "%" + std::to_string(cursor.number<Slot>()) : key(cursor);
}

inline std::string slotName(const std::string &key) {
  return key.empty() || key[0] == '%' ? std::string() : key.substr(0, key.rfind('#'));
}

inline std::uint32_t reference(Cursor &cursor, const Numbering &known, std::string_view what) {
  const std::string name = key(cursor);
  auto found = known.find(name);
  if (found != known.end())
    return found->second;
  cursor.fail("unknown " + std::string(what) + " '" + name + "'");
  return kNone;
}

inline void references(Cursor &cursor, std::vector<std::uint32_t> &into, const Numbering &known, std::string_view what,
                       std::string_view separator = ",") {
  do
    into.push_back(reference(cursor, known, what));
  while (cursor.eat(separator));
}

/// `const ref list of tensor`, `own list of own record Pair`, all but the source.
inline void type(Cursor &cursor, SlotInfo &info, const Names &names) {
  info.readOnly = cursor.eatWord("const");
  info.reference = cursor.eatWord("ref");
  info.own = cursor.eatWord("own");
  info.isPlain = cursor.eatWord("plain");
  const std::string word = cursor.kebab();
  if (auto named = typeNamed(word))
    info.type = *named;
  else
    cursor.fail("unknown type '" + word + "'");
  if (Cursor ahead = cursor; ahead.eatWord("of")) {
    info.ownElements = ahead.eatWord("own");
    if (info.ownElements)
      cursor = ahead;
    if (auto element = ahead.atQuote() ? std::nullopt : typeNamed(ahead.kebab())) {
      info.element = *element;
      cursor = ahead;
    }
  }
  Cursor ahead = cursor;
  const bool isQuoted = ahead.atQuote();
  const std::string cls = ahead.name();
  if (isQuoted || (!cls.empty() && !isFunctionAttribute(cls)))
    info.cls = reference(cursor, names.classes, "class");
}

/// Returns what is wrong, and in `at` where; empty if nothing is.
std::string parseBody(Program &program, const Names &names, FunctionId id, const std::vector<Line> &lines, Line &at);

} // namespace samedevice::facts::detail
