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
  const StringRef text = textOf(place.file);
  const size_t begin = std::min<size_t>(place.offset - (place.column - 1), text.size());
  return text.drop_front(begin).take_until([](char c) { return c == '\n' || c == '\r'; });
}

} // namespace samedevice::check
