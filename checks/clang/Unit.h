// One translation unit on its way to facts: hands out ids for functions, classes and sources, and keeps the
// list of bodies still to be lowered.
#pragma once

#include "Backward.h"
#include "Losses.h"
#include "Lowering.h"
#include "Names.h"
#include "Quantities.h"
#include "Types.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"

#include <deque>
#include <string>
#include <vector>

namespace samedevice::clangfront {

/// What stands for a constructor that nobody wrote in this file.
enum class Unwritten : std::uint8_t {
  Implicit, ///< bases and members, as the class initializes them
  Members,  ///< members alone, behind a constructor that was inherited
  Assumed,  ///< written in another file
};

class Unit {
public:
  Unit(clang::ASTContext &context, const LoweringOptions &options, Lowered &lowered, Surroundings *surroundings,
       const Errors *errors);

  /// Walks the user's declarations, then lowers every body met on the way.
  void run();

  /// The id of a function whose body is the user's and can be seen; kNone otherwise.
  facts::FunctionId function(const clang::FunctionDecl *decl);
  /// The id of a user's function whose body is in another file; kNone where nobody could have one.
  facts::FunctionId declared(const clang::FunctionDecl *decl);
  /// Either of the two.
  facts::FunctionId functionOrDeclared(const clang::FunctionDecl *decl);
  /// What a call may reach: the function itself and, when virtual, its overriders.
  std::vector<std::uint32_t> targets(const clang::FunctionDecl *decl, bool isVirtualCall);
  facts::ClassId record(const clang::CXXRecordDecl *decl);
  /// A function that is a value: called like a lambda that has captured nothing. kNone where its body is not in sight.
  facts::ClassId callable(const clang::FunctionDecl *named);
  facts::Class &classFacts(facts::ClassId id) { return program().classes[id]; }

  /// Whether something of its body, or of its class, does not compile.
  bool mayLack(const clang::FunctionDecl *function) { return losses_.affect(function); }

  /// The constructor a class is given when its own is implicit: runs the in-class initializers.
  facts::FunctionId implicitConstructor(const clang::CXXRecordDecl *record);
  /// What a class adds to a constructor that it inherits: the initializers of its own members.
  facts::FunctionId memberInitializers(const clang::CXXRecordDecl *record);
  /// Stands for a module's constructors whose bodies are in another file: the modules declared as members are made
  /// and registered. kNone where the class, as declared, has a mind of its own about devices. `constructor`: the one
  /// that is called, if it is known.
  facts::FunctionId assumedConstructor(const clang::CXXRecordDecl *record,
                                       const clang::CXXConstructorDecl *constructor);

  facts::SourceId source(const clang::Stmt *stmt, const clang::Decl *function);
  facts::SourceId source(const clang::Decl *decl, const clang::Decl *function);
  facts::SlotInfo slot(clang::QualType type, llvm::StringRef name, facts::SourceId source);

  /// cuRAND generators whose numbers go to device memory, as far as their making is in sight.
  llvm::DenseSet<const clang::ValueDecl *> &deviceGenerators() { return deviceGenerators_; }
  /// Which functions move modules, themselves or by so many calls.
  llvm::DenseMap<std::pair<const clang::FunctionDecl *, int>, bool> &movers() { return movers_; }
  /// Where a kernel, or what it calls, names constant memory that the program fills: once for each variable.
  llvm::ArrayRef<const clang::DeclRefExpr *> constantsIn(const clang::FunctionDecl *kernel);
  void mentionDevice() { program().mentionsDevices = true; }
  /// A user's variable that a precompiled header may have defined.
  void useGlobal(const clang::VarDecl *variable);
  /// Python or the dispatcher calls it, by this name.
  void markEntry(const clang::FunctionDecl *decl, llvm::StringRef boundName);
  /// The dispatcher calls it for tensors on CUDA; with a registrar, where the library that this one is given is CUDA's.
  void markForCuda(const clang::FunctionDecl *decl, const clang::FunctionDecl *registrar);

  facts::Program &program() { return lowered_.program; }
  clang::ASTContext &context() { return context_; }
  const LoweringOptions &options() const { return options_; }
  const Promises &promises() const { return promises_; }
  Surroundings *surroundings() const { return surroundings_; }
  Names &names() { return names_; }
  Types &types() { return types_; }

private:
  void visit(const clang::Decl *decl);
  void visitScope(const clang::DeclContext *scope);
  void visitRecord(const clang::CXXRecordDecl *record);
  void visitFunction(const clang::FunctionDecl *function);
  void visitVariable(const clang::VarDecl *variable);
  void noteOverrides(const clang::CXXMethodDecl *method);
  void fillClass(facts::ClassId id, const clang::CXXRecordDecl *record);
  void describe(facts::Function &facts, const clang::FunctionDecl *decl);
  void describeOwner(facts::Function &facts, const clang::CXXMethodDecl *method);
  std::string linkName(const clang::NamedDecl *decl);
  facts::FunctionId unwrittenConstructor(const clang::CXXRecordDecl *record, const clang::CXXConstructorDecl *assumed,
                                         Unwritten how);
  bool managesDevices(const clang::CXXRecordDecl *record);
  void lowerPending();
  void lowerGlobals();
  void markQuantities();
  void markBackward();
  void markRegisteredForCuda();

  struct Pending {
    facts::FunctionId id;
    const clang::FunctionDecl *function; ///< null: a constructor of `record` that nobody wrote here
    const clang::CXXRecordDecl *record;
    Unwritten how;
  };

  clang::ASTContext &context_;
  const LoweringOptions &options_;
  Lowered &lowered_;
  Surroundings *surroundings_;
  Names names_;
  Promises promises_;
  Types types_;
  Backward backward_;
  std::vector<std::pair<facts::FunctionId, const clang::FunctionDecl *>> registered_; ///< and by whom
  Losses losses_;
  llvm::DenseSet<const clang::ValueDecl *> deviceGenerators_;
  llvm::DenseMap<std::pair<const clang::FunctionDecl *, int>, bool> movers_;
  llvm::DenseMap<const clang::FunctionDecl *, std::vector<const clang::DeclRefExpr *>> constants_; ///< of kernels
  llvm::DenseMap<const clang::Decl *, facts::FunctionId> unwritten_[3];                            ///< or classes
  llvm::DenseMap<const clang::Decl *, std::vector<const clang::CXXMethodDecl *>> overriders_;
  llvm::DenseMap<const void *, facts::SourceId> sourceIds_;
  std::deque<Pending> pending_;
  std::vector<std::pair<facts::FunctionId, const clang::FunctionDecl *>> bodies_;
  std::vector<std::pair<facts::ClassId, const clang::CXXRecordDecl *>> records_;
  std::vector<const clang::VarDecl *> globals_;
  llvm::DenseSet<const clang::VarDecl *> usedGlobals_; ///< of a precompiled header
};

} // namespace samedevice::clangfront
