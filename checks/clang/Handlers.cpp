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

/// Where a module is moved to by this call; nullptr where it does no such thing.
const Expr *FunctionLowering::movedTo(const Stmt *thrower) {
  const auto *call = dyn_cast_or_null<CXXMemberCallExpr>(thrower);
  const CXXMethodDecl *method = call ? call->getMethodDecl() : nullptr;
  if (!method || !method->getIdentifier() || method->getName() != "to" ||
      typeOf(call->getImplicitObjectArgument()) != facts::Type::Module)
    return nullptr;
  for (const Expr *argument : call->arguments())
    if (typeOf(argument) == facts::Type::Device)
      return argument;
  return nullptr;
}

/// Whether somebody moves modules there, or in a function of the user's that is called there.
bool FunctionLowering::movesModules(const Stmt *code, int depth) {
  if (!code || movedTo(code))
    return code;
  if (const auto *call = dyn_cast<CallExpr>(code))
    if (const FunctionDecl *callee = call->getDirectCallee();
        callee && depth > 0 && unit_.names().isUser(callee) && movesModules(callee, depth - 1))
      return true;
  return llvm::any_of(code->children(), [&](const Stmt *child) { return movesModules(child, depth); });
}

bool FunctionLowering::movesModules(const FunctionDecl *function, int depth) {
  auto &known = unit_.movers();
  if (const auto found = known.find({function, depth}); found != known.end())
    return found->second;
  const bool moves = movesModules(function->getBody(), depth);
  known[{function, depth}] = moves;
  return moves;
}

/// A call of a function of the user's that moves modules at the end of a block; else nullptr.
const CallExpr *FunctionLowering::callThatMoves(const CFGBlock &block) {
  const auto *call = dyn_cast_or_null<CallExpr>(lastStatement(block));
  constexpr int deep = 3;
  const FunctionDecl *callee = call ? call->getDirectCallee() : nullptr;
  return callee && unit_.names().isUser(callee) && movesModules(callee, deep) ? call : nullptr;
}

/// What it was given may have come any part of the way.
void FunctionLowering::leaveHalfDone(const CallExpr *call) {
  const CallSite site = CallSite::of(call);
  Operands given;
  auto add = [&](const Expr *expr) {
    const facts::Type type = expr && isPlain(expr) ? typeOf(expr) : facts::Type::Other;
    const bool isMovable = type == facts::Type::Module || type == facts::Type::Record || type == facts::Type::List ||
                           type == facts::Type::Tensor;
    const Slot slot = isMovable ? value(expr) : kNone;
    if (slot == kNone)
      return;
    given.push_back(facts_.operand(slot, expr));
    given.back().mayWrite = true;
  };
  add(site.object);
  for (const Expr *argument : site.args)
    add(argument);
  if (!given.empty())
    facts_.emit(Opcode::CallUnknown, kNone, std::move(given), call);
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
    const bool isMove = movedTo(lastStatement(*last)) || callThatMoves(*last);
    (isMove ? throwingAtFirst_ : throwing_).insert(last);
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
    for (auto later = llvm::find(throwers, &block); later != throwers.end(); ++later) {
      if (const Expr *device = movedTo(lastStatement(**later)); device && isPlain(device))
        if (Slot where = value(device); where != kNone)
          facts_.requireOn(where, "cpu", device);
      if (const CallExpr *call = callThatMoves(**later))
        leaveHalfDone(call);
    }
    cache_ = computed;
    facts_.jump(facts_.current(), blocks_[handlers]);
    break;
  }
  facts_.enter(rest);
}

} // namespace samedevice::clangfront
