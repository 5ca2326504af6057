#include "SourceLines.h"

#include "Program.h"

using namespace llvm;

namespace samedevice::check {

StringRef SourceLines::textOf(StringRef file) {
  auto [known, isNew] = texts_.try_emplace(file);
  if (isNew)
    known->second = textOfFile(file);
  return known->second;
}

StringRef SourceLines::at(const Place &place) {
  if (place.column == 0)
    return {};
  StringRef text = textOf(place.file);
  for (int line = 1; line < place.line; ++line)
    text = text.split('\n').second;
  return text.take_until([](char c) { return c == '\n' || c == '\r'; });
}

} // namespace samedevice::check
