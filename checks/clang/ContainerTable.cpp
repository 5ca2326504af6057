#include "ContainerTable.h"

namespace samedevice::clangfront {

namespace {

// clang-format off
constexpr ContainerClass ofStd[] = {
    // name, element, isMap, isValue
    {"vector", 0, false, true},
    {"deque", 0, false, true},
    {"list", 0, false, true},
    {"forward_list", 0, false, false},
    {"array", 0, false, true},
    {"set", 0, false, true},
    {"multiset", 0, false, false},
    {"unordered_set", 0, false, true},
    {"queue", 0, false, true},
    {"stack", 0, false, true},
    {"priority_queue", 0, false, false},
    {"initializer_list", 0, false, false},
    {"span", 0, false, false},
    {"valarray", 0, false, false},
    {"map", 1, true, true},
    {"unordered_map", 1, true, true},
    {"multimap", 1, true, false},
    {"unordered_multimap", 1, true, false},
};
constexpr ContainerClass ofTorch[] = {
    {"ArrayRef"}, {"OptionalArrayRef"}, {"IListRef"}, {"List"}, {"SmallVector"}, {"SmallVectorImpl"},
    {"HeaderOnlyArrayRef"}, {"ivalue::TupleElements"},
    {"IListRefIterator"}, {"impl::ListIterator"},
    {"OrderedDict", 1, true},
    {"Dict", 1, true},
};
constexpr ContainerClass ofAnybody[] = {
    {"ska::flat_hash_map", 1, true}, // what a context of autograd's keeps by name is in one
};

struct Method {
  llvm::StringLiteral name;
  Access access, ofMap;
  constexpr Method(llvm::StringLiteral name, Access access) : name(name), access(access), ofMap(access) {}
  constexpr Method(llvm::StringLiteral name, Access access, Access ofMap) : name(name), access(access), ofMap(ofMap) {}
};

constexpr Method methods[] = {
    {"push_back", Access::Add},
    {"push_front", Access::Add},
    {"push", Access::Add},
    {"append", Access::Add},
    {"insert", Access::Add, Access::AddToMap},
    {"assign", Access::Add, Access::AddToMap},
    {"resize", Access::Add, Access::AddToMap},
    {"emplace_back", Access::Emplace},
    {"emplace_front", Access::Emplace},
    {"emplace", Access::Emplace, Access::EmplaceToMap},
    {"try_emplace", Access::Emplace, Access::EmplaceToMap},
    {"insert_or_assign", Access::Emplace, Access::EmplaceToMap},
    {"emplace_hint", Access::Emplace, Access::EmplaceToMap},
    {"at", Access::Element},
    {"front", Access::Element},
    {"back", Access::Element},
    {"top", Access::Element},
    {"operator[]", Access::Element},
    {"operator*", Access::Element},
    {"operator->", Access::Element},
    {"get", Access::Element},
    {"begin", Access::Begin},
    {"cbegin", Access::Begin},
    {"rbegin", Access::Begin},
    {"crbegin", Access::Begin},
    {"end", Access::Same},
    {"cend", Access::Same},
    {"rend", Access::Same},
    {"crend", Access::Same},
    {"find", Access::Same},
    {"lower_bound", Access::Same},
    {"upper_bound", Access::Same},
    {"equal_range", Access::Same},
    {"operator++", Access::Same},
    {"operator--", Access::Same},
    {"operator+", Access::Same},
    {"operator+=", Access::Same},
    {"operator-=", Access::Same},
    {"base", Access::Same},
    {"vec", Access::Same},
    {"slice", Access::Same},
    {"toVec", Access::Same},
    {"elements", Access::Same},
    {"size", Access::Size},
    {"empty", Access::Empty},
    {"clear", Access::Clear},
    {"pop_back", Access::Drop},
    {"pop_front", Access::Drop},
    {"pop", Access::Drop},
    {"erase", Access::Drop},
    {"data", Access::Data},
    {"reserve", Access::Nothing},
    {"count", Access::Nothing},
    {"contains", Access::Nothing},
    {"shrink_to_fit", Access::Nothing},
    {"capacity", Access::Nothing},
    {"max_size", Access::Nothing},
    {"key", Access::Nothing},
    {"keys", Access::Nothing},
};
// clang-format on

llvm::ArrayRef<ContainerClass> containersOf(Name::Library library) {
  switch (library) {
  case Name::Std:
    return ofStd;
  case Name::Torch:
    return ofTorch;
  case Name::Cuda:
  case Name::Other:
    break;
  }
  return {};
}

} // namespace

const ContainerClass *containerNamed(Name::Library library, llvm::StringRef path) {
  for (const llvm::ArrayRef<ContainerClass> known : {containersOf(library), llvm::ArrayRef(ofAnybody)})
    for (const ContainerClass &container : known)
      if (container.name == path)
        return &container;
  return nullptr;
}

Access accessOf(llvm::StringRef method, bool isMap) {
  const auto *found = llvm::find_if(methods, [&](const Method &known) { return known.name == method; });
  if (found == std::end(methods))
    return Access::None;
  return isMap ? found->ofMap : found->access;
}

} // namespace samedevice::clangfront
