// The classes that facts see as lists, and what their methods do: a row for each.
#pragma once

#include "Names.h"

namespace samedevice::clangfront {

struct ContainerClass {
  llvm::StringLiteral name;
  unsigned element = 0; ///< which template argument it holds
  bool isMap = false;   ///< it is asked by a key
  bool isValue = false; ///< a copy of it has copies of what it holds
};

/// nullptr for what is none.
const ContainerClass *containerNamed(Name::Library library, llvm::StringRef path);

/// What a method does to its list, or asks of it.
enum class Access {
  None,    ///< it is not known
  Same,    ///< the list itself stands for what it gives: an iterator behind some element, a part
  Begin,   ///< an iterator at the first element
  Size,    ///< how many there are
  Empty,   ///< whether there are none
  Element, ///< one of them
  Add,     ///< one comes in; of a map, an entry
  AddToMap,
  Emplace, ///< one is made in it
  EmplaceToMap,
  Clear,
  Drop,   ///< one goes
  Data,   ///< a pointer to its memory
  Nothing ///< nothing that facts know of
};

Access accessOf(llvm::StringRef method, bool isMap);

} // namespace samedevice::clangfront
