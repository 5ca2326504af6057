// C++ types seen as facts see them: wrappers looked through, the rest sorted into a dozen kinds.
#pragma once

#include "Lowering.h"
#include "Names.h"
#include "Promises.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/Type.h"
#include "llvm/ADT/DenseSet.h"

#include <optional>

namespace samedevice::clangfront {

struct Kind {
  facts::Type type = facts::Type::Other;
  const clang::CXXRecordDecl *record = nullptr; ///< the class itself, for Module, Record, Guard, Optimizer
  clang::QualType element;                      ///< for List
};

class Types {
public:
  Types(clang::ASTContext &context, const LoweringOptions &options, Names &names, const Promises &promises)
      : context_(context), options_(options), names_(names), promises_(promises) {}

  Kind of(clang::QualType type);

  /// The type behind references, pointers to classes, holders, smart pointers and optionals.
  clang::QualType target(clang::QualType type);

  bool isModule(const clang::CXXRecordDecl *record);
  /// What torch calls it: Linear, for torch::nn::LinearImpl.
  static std::string moduleName(const clang::CXXRecordDecl *record);
  /// LinearImpl for Linear, where Linear is any class derived from ModuleHolder<LinearImpl>.
  clang::QualType held(const clang::CXXRecordDecl *record);
  bool isHolder(clang::QualType type);
  /// shared_ptr, unique_ptr, optional, reference_wrapper and their like.
  bool isWrapper(const clang::CXXRecordDecl *record);
  /// Named in the options as a project's own kind of tensor, or of module: its methods mean what torch's do.
  bool isOwnTensor(const clang::CXXRecordDecl *record) { return isNamed(record, options_.tensorTypes); }
  bool isOwnModule(const clang::CXXRecordDecl *record) { return isNamed(record, options_.moduleBases); }
  bool derivesFrom(const clang::CXXRecordDecl *record, llvm::StringRef torchPath);

  /// The tensors that an options object of torch's may hold, by the names of their setters.
  std::vector<std::string> optionTensors(const clang::CXXRecordDecl *record);

  bool isTorch(clang::QualType type, llvm::StringRef path);
  /// Whether facts say nothing of such a value, nor of a part of it.
  bool isLeftOut(clang::QualType type);
  /// CUDA's own `cudaStream_t`.
  static bool isCudaStream(clang::QualType type);
  /// thrust::device_ptr and what iterates over a device_vector.
  static bool isDevicePointer(clang::QualType type);
  bool isStd(clang::QualType type, llvm::StringRef path);
  /// Of random numbers, optional or not.
  bool isGenerator(clang::QualType type);
  /// Facts tell all that such a key is: numbers, texts, devices, and what is made of these. A pointer or a handle may
  /// lead to whatever belongs to a device.
  bool isTold(clang::QualType key, int depth = 0);
  /// A structure of the user's, a container, or an optional one: assigning to it copies its contents.
  bool isValue(clang::QualType type);
  /// A number by its enumerators; PyTorch's kinds of device are devices.
  bool isEnumerated(clang::QualType type) {
    return type.getNonReferenceType()->isEnumeralType() && of(type).type == facts::Type::Int;
  }
  /// A pointer, or a std::shared_ptr or reference_wrapper, whose copies lead to the same one.
  bool isPointerToPlace(clang::QualType type);
  /// A pair or a tuple, whose structures and containers are all its own.
  bool isTupleOfValues(clang::QualType type);
  /// Whether a pair or a tuple has a reference there: what is elsewhere, as std::tie has it.
  bool refersToPart(clang::QualType tuple, unsigned index);
  /// A variable of this class was declared by one of the project's guard macros.
  void treatAsGuard(const clang::CXXRecordDecl *record) { guards_.insert(record->getCanonicalDecl()); }
  /// The class of a value, behind references and pointers only.
  static const clang::CXXRecordDecl *recordOf(clang::QualType type);
  static clang::QualType templateArgument(const clang::CXXRecordDecl *record, unsigned index);
  /// A container that is asked by a key.
  bool isMap(const clang::CXXRecordDecl *record);
  /// The N of std::array<T, N>.
  static std::optional<std::int64_t> arraySize(const clang::CXXRecordDecl *record);

private:
  bool isNumber(const clang::CXXRecordDecl *record);
  Kind ofRecord(const clang::CXXRecordDecl *record);
  std::optional<Kind> ofTorch(const clang::CXXRecordDecl *record, llvm::StringRef path);
  std::optional<Kind> ofStd(const clang::CXXRecordDecl *record, llvm::StringRef path);
  clang::QualType iteratedBy(const clang::CXXRecordDecl *record);
  bool isNamed(const clang::CXXRecordDecl *record, const std::vector<std::string> &list);

  clang::ASTContext &context_;
  const LoweringOptions &options_;
  Names &names_;
  const Promises &promises_;
  llvm::DenseMap<const clang::CXXRecordDecl *, bool> modules_;
  llvm::DenseSet<const clang::CXXRecordDecl *> guards_; ///< classes that were found out to be guards
};

} // namespace samedevice::clangfront
