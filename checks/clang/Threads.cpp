// Code handed to another thread: run where the thread begins, with a current device of its own, as a thread that has
// not chosen any. What a constructor starts is run at the constructor's end, since a thread waits for the object to be
// whole; but one of several that a loop starts, each for what this turn has, where it is started.
#include "FunctionLowering.h"

namespace samedevice::clangfront {

using namespace clang;
using facts::kNone;
using facts::Slot;

/// std::thread(f, arguments...), std::async([policy,] f, arguments...): f is a lambda, a function, or a method and its
/// object. The slot of what it gives; kNone where nobody can see what runs.
Slot FunctionLowering::startThread(const Expr *whole, llvm::ArrayRef<const Expr *> args) {
  bool isDeferred = false;                                    // until somebody asks for the result, who runs it then
  if (!args.empty() && typeOf(args[0]) == facts::Type::Int) { // std::launch
    const auto *policy = dyn_cast_or_null<EnumConstantDecl>(variableOf(args[0]));
    isDeferred = policy && policy->getName() == "deferred";
    args = args.drop_front();
  }
  if (args.empty())
    return kNone;
  std::optional<Callable> run = callable(args[0]);
  if (!run)
    return kNone;
  facts::Instruction start = std::move(run->call);
  start.source = facts_.source(whole);
  if (!isDeferred)
    start.flags |= facts::kThread;
  for (const Expr *argument : args.drop_front())
    start.args.push_back(operand(argument));
  if (run->isElsewhere)
    mayWriteAnywhere(start);
  if (!run->gives->isVoidType())
    start.dest = facts_.newSlot(run->gives, "", 0);
  const Slot dest = start.dest, outside = facts_.newSlot(facts::Type::Guard);
  auto &instructions = facts_.instructions();
  const auto before = static_cast<std::ptrdiff_t>(instructions.size());
  facts_.emit(Opcode::Guard, outside, {}, whole);
  if (!isDeferred)
    facts_.emit(Opcode::SetDevice, kNone, {}, whole);
  instructions.push_back(std::move(start));
  facts_.emit(Opcode::End, kNone, {facts_.operand(outside, whole)}, whole);
  if (isa<CXXConstructorDecl>(facts_.owner()) && !isInLoop()) {
    startedLate_.insert(startedLate_.end(), instructions.begin() + before, instructions.end());
    instructions.erase(instructions.begin() + before, instructions.end());
  }
  return dest;
}

void FunctionLowering::startThreads() {
  auto &instructions = facts_.instructions();
  instructions.insert(instructions.end(), startedLate_.begin(), startedLate_.end());
}

/// While a thread waits on a condition variable, others fill the containers that stand beside it.
void FunctionLowering::letOthersFill(const Expr *condition) {
  const auto *member = dyn_cast_or_null<MemberExpr>(stripped(condition));
  const CXXRecordDecl *record = member ? Types::recordOf(member->getBase()->getType()) : nullptr;
  if (!record || !record->hasDefinition())
    return;
  const Slot owner = value(member->getBase());
  for (const FieldDecl *beside : record->fields())
    if (kindOf(beside->getType()).type == facts::Type::List)
      facts_.emit(Opcode::ListAdd, kNone,
                  {facts_.operand(facts_.field(owner, beside->getName(), beside->getType(), condition), condition)},
                  condition, Mode::Others);
}

bool FunctionLowering::isThread(QualType type) {
  return unit_.types().isStd(type, "thread") || unit_.types().isStd(type, "jthread");
}

} // namespace samedevice::clangfront
