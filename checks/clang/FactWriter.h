// Writes the facts of one function: its slots, its blocks, and the instructions of the block that is being written.
// What an expression means is decided by others; all of them write through this.
#pragma once

#include "Unit.h"

#include "clang/AST/ExprCXX.h"

#include <utility>

namespace samedevice::clangfront {

using Operands = std::vector<facts::Operand>;

class FactWriter {
public:
  FactWriter(Unit &unit, const clang::Decl *owner, facts::Function &function)
      : unit_(unit), owner_(owner), function_(function) {}

  facts::Function &function() { return function_; }
  /// What the function is the body of; of globals, the one that is being made.
  const clang::Decl *owner() const { return owner_; }
  void setOwner(const clang::Decl *owner) { owner_ = owner; }
  template <typename Node> facts::SourceId source(const Node *node) {
    return omitted_ && node ? unit_.source(omitted_, owner_) : unit_.source(node, owner_);
  }
  /// What stands for an argument that a call leaves out is written at that call, whatever it says in the declaration.
  /// Gives what was left out before.
  const clang::Expr *setOmitted(const clang::Expr *omitted) { return std::exchange(omitted_, omitted); }

  /// The device that has just been made for an argument is one that nobody wrote at the call.
  void markOmitted(facts::Slot device);

  // Slots.
  facts::Slot newSlot(clang::QualType type, llvm::StringRef name, facts::SourceId source);
  facts::Slot newSlot(facts::Type type);
  facts::SlotInfo &slot(facts::Slot slot) { return function_.slots[slot]; }
  /// A named variable or a reference, as against a temporary that holds a value of its own.
  bool isPlace(facts::Slot slot) const {
    return !function_.slots[slot].name.empty() || function_.slots[slot].reference;
  }
  /// A temporary that holds nothing we know.
  bool isUnknown(facts::Slot slot) const { return slot == facts::kNone || unknowns_.count(slot) != 0; }
  facts::Operand operand(facts::Slot slot, const clang::Stmt *at, llvm::StringRef name = "");

  // Blocks. What is emitted goes into the one that was entered.
  facts::BlockId newBlock();
  facts::BlockId current() const { return current_; }
  void enter(facts::BlockId block) { current_ = block; }
  std::vector<facts::Instruction> &instructions() { return function_.blocks[current_].instructions; }
  facts::Terminator &end() { return end(current_); }
  facts::Terminator &end(facts::BlockId block) { return function_.blocks[block].end; }
  void jump(facts::BlockId from, facts::BlockId to);
  /// From here on, the condition holds.
  void require(facts::Slot condition);
  /// From here on, the tensor, module or device is there.
  void requireOn(facts::Slot place, llvm::StringRef device, const clang::Stmt *at);

  // Instructions.
  facts::Instruction &emit(facts::Opcode opcode, facts::Slot dest, Operands args, const clang::Stmt *at,
                           llvm::StringRef text = "");
  facts::Instruction &emit(facts::Opcode opcode, facts::Slot dest, Operands args, const clang::Stmt *at,
                           facts::Mode mode);
  /// Emits with a fresh temporary of the expression's type as destination.
  facts::Instruction &emitResult(facts::Opcode opcode, const clang::Expr *expr, Operands args,
                                 llvm::StringRef text = "");
  facts::Slot result(facts::Opcode opcode, const clang::Expr *expr, Operands args, llvm::StringRef text = "",
                     std::uint32_t flags = 0);
  facts::Slot result(facts::Opcode opcode, const clang::Expr *expr, Operands args, facts::Mode mode);
  /// Anything, made of these.
  facts::Slot unknown(const clang::Expr *expr, Operands of = {});
  facts::Slot null(const clang::Expr *expr);
  facts::Slot device(const clang::Expr *at, llvm::StringRef text, bool isShared = false);
  facts::Slot field(facts::Slot base, llvm::StringRef name, clang::QualType type, const clang::Stmt *at);
  facts::Slot field(facts::Slot base, llvm::StringRef name, facts::Type type, const clang::Stmt *at);
  /// Whether it has elements, as far as facts go. The result of a script's call stands for whatever it is made of.
  bool hasElements(facts::Slot list) { return list != facts::kNone && slot(list).type != facts::Type::Tensor; }
  /// One of its elements: any, or as `which` says and the index.
  facts::Slot element(facts::Slot list, clang::QualType type, const clang::Stmt *at,
                      facts::Mode which = facts::Mode::None, facts::Operand index = {});
  void assign(facts::Slot place, facts::Operand value, const clang::Stmt *at);
  /// To a place of this type: structures and containers take over what the other holds.
  void assign(facts::Slot place, facts::Operand value, const clang::Stmt *at, clang::QualType type);
  /// Gives the value to a named variable, without a copy where it is a temporary that can become the variable.
  void moveInto(facts::Slot variable, facts::Slot value, const clang::Stmt *at, bool canBecome);

  /// Names of places that nobody went to.
  void dropUnusedTemporaries();

private:
  facts::Slot newPlace(facts::Slot slot);
  void assign(facts::Slot place, facts::Operand value, const clang::Stmt *at, facts::Mode how);

  Unit &unit_;
  const clang::Decl *owner_;
  const clang::Expr *omitted_ = nullptr;
  facts::Function &function_;
  facts::BlockId current_ = 0;
  llvm::DenseSet<facts::Slot> unknowns_;
};

} // namespace samedevice::clangfront
