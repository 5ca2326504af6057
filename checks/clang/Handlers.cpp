// What a handler finds: every call in a `try` block may throw. Two moments stand for all of them: before anything was
// done, and when only the last thing was left to do.
#include "FunctionLowering.h"

#include "clang/AST/ExprCXX.h"
#include "clang/Analysis/CFG.h"

namespace samedevice::clangfront {

using namespace clang;
using facts::kNone;
using facts::Slot;
using facts::Terminator;

namespace {

/// `std::cout << "moved"`: nobody means that by what may fail.
bool isPrinting(const Stmt *thrower) {
  const auto *call = dyn_cast_or_null<CXXOperatorCallExpr>(thrower);
  return call && call->getOperator() == OO_LessLess;
}

/// What can be asked again elsewhere: names, members, literals, and what is made of them.
bool isPlain(const Expr *expr) {
  expr = stripped(expr);
  if (const auto *construction = dyn_cast_or_null<CXXConstructExpr>(expr))
    return llvm::all_of(construction->arguments(), isPlain);
  if (const auto *member = dyn_cast_or_null<MemberExpr>(expr))
    return isPlain(member->getBase());
  return isa_and_nonnull<DeclRefExpr, CXXThisExpr, StringLiteral, IntegerLiteral, CXXDefaultArgExpr>(expr);
}

} // namespace

bool FunctionLowering::isTryBlock(const CFGBlock *block) {
  return isa_and_nonnull<CXXTryStmt>(block->getTerminatorStmt());
}

/// Beside a `try`, a block ends with the call that may throw.
const Stmt *FunctionLowering::lastStatement(const CFGBlock &block) {
  for (const CFGElement &element : llvm::reverse(block))
    if (auto stmt = element.getAs<CFGStmt>())
      return stmt->getStmt();
  return nullptr;
}

/// Where a module is moved to by the call at the end of a block; nullptr where none is.
const Expr *FunctionLowering::movedTo(const CFGBlock &block) {
  const auto *call = dyn_cast_or_null<CXXMemberCallExpr>(lastStatement(block));
  const CXXMethodDecl *method = call ? call->getMethodDecl() : nullptr;
  if (!method || !method->getIdentifier() || method->getName() != "to" ||
      typeOf(call->getImplicitObjectArgument()) != facts::Type::Module)
    return nullptr;
  for (const Expr *argument : call->arguments())
    if (typeOf(argument) == facts::Type::Device)
      return argument;
  return nullptr;
}

void FunctionLowering::findThrowers(const std::vector<const CFGBlock *> &order) {
  for (const CFGBlock *block : order)
    for (const CFGBlock::AdjacentBlock &next : block->succs())
      if (const CFGBlock *handlers = next.getReachableBlock(); handlers && isTryBlock(handlers))
        throwers_[handlers].push_back(block);
  for (const auto &[handlers, throwers] : throwers_) {
    const CFGBlock *last = throwers.back();
    for (const CFGBlock *block : llvm::reverse(throwers))
      if (!isPrinting(lastStatement(*block))) {
        last = block;
        break;
      }
    throwingAtFirst_.insert(throwers.front());
    // A module either comes to its new place or it does not; what else was called may have done part of its work.
    (movedTo(*last) ? throwingAtFirst_ : throwing_).insert(last);
  }
}

/// The way to the handlers from a call that has done nothing yet. A module was not moved, because it could not be:
/// where the program goes on, nothing else gets there either.
void FunctionLowering::throwAtFirst(const CFGBlock &block) {
  const facts::BlockId rest = facts_.newBlock();
  for (const CFGBlock::AdjacentBlock &next : block.succs()) {
    const CFGBlock *handlers = next.getReachableBlock();
    if (!handlers || !isTryBlock(handlers))
      continue;
    const facts::BlockId thrown = facts_.newBlock();
    Terminator &end = facts_.end();
    end.kind = Terminator::Any;
    end.successors = {rest, thrown};
    facts_.enter(thrown);
    const auto computed = cache_; // what is computed on this way is not known on the other
    const std::vector<const CFGBlock *> &throwers = throwers_[handlers];
    for (auto later = llvm::find(throwers, &block); later != throwers.end(); ++later)
      if (const Expr *device = movedTo(**later); device && isPlain(device))
        if (Slot where = value(device); where != kNone)
          facts_.requireOn(where, "cpu", device);
    cache_ = computed;
    facts_.jump(facts_.current(), blocks_[handlers]);
    break;
  }
  facts_.enter(rest);
}

} // namespace samedevice::clangfront
