// llvm::StringSwitch, of which no form takes several words in all versions of LLVM.
#pragma once

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringRef.h"

#include <initializer_list>
#include <optional>

namespace samedevice::clangfront {

template <typename Value> class StringSwitch {
public:
  explicit StringSwitch(llvm::StringRef text) : text_(text) {}

  // Named as in LLVM, so that the newer one can take its place. NOLINTBEGIN(readability-identifier-naming)
  StringSwitch &Case(llvm::StringRef word, Value value) { return Cases({word}, value); }
  StringSwitch &Cases(std::initializer_list<llvm::StringRef> words, Value value) {
    if (!chosen_ && llvm::is_contained(words, text_))
      chosen_ = value;
    return *this;
  }
  Value Default(Value other) const { return chosen_ ? *chosen_ : other; }
  // NOLINTEND(readability-identifier-naming)

private:
  llvm::StringRef text_;
  std::optional<Value> chosen_;
};

} // namespace samedevice::clangfront
