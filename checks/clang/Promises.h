// What a project says of code that cannot be seen: `[[clang::annotate("samedevice:...")]]` on a declaration
// (checks/include/samedevice/annotations.h has macros), or the option DeviceAnnotations for code one cannot touch.
#pragma once

#include "Lowering.h"

#include "clang/AST/Decl.h"

#include <map>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

namespace samedevice::clangfront {

struct Promise {
  enum Kind {
    On,           ///< "on=cuda:1": a function's result, a parameter or a member lives there
    Like,         ///< "like=input": a function's result lives where that parameter does
    ReadOnHost,   ///< "host": the tensors and pointers given to it are read on the host
    UsedOnDevice, ///< "device": the pointers given to it are used by a kernel
    MovesTo,      ///< "moves=device": the modules and tensors given to it go where that parameter says
    MovedUnseen,  ///< "moved": a member that is moved where nobody can see it
    ChecksCuda,   ///< "checks-cuda": returns only if the tensors given to it are on CUDA
    Guarded,      ///< "guarded": a function is only called with the device of its tensors current
    Guards,       ///< "guard": an object of this class, or a call, makes its argument's device the current one
  };
  Kind kind;
  std::string what; ///< behind the "="
};

class Promises {
public:
  explicit Promises(const LoweringOptions &options);

  /// The promise of this kind about a declaration, if there is one.
  std::optional<Promise> find(const clang::NamedDecl *decl, Promise::Kind kind) const;

private:
  /// All of them; asked for at every call, so each declaration is read once.
  const std::vector<Promise> &of(const clang::NamedDecl *decl) const;

  /// "ns::function", "ns::function(parameter)", "ns::Class::member"
  std::multimap<std::string, Promise> named_;
  mutable std::unordered_map<const clang::NamedDecl *, std::vector<Promise>> known_; // they stay where they are
};

} // namespace samedevice::clangfront
