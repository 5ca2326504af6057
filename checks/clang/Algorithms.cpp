// The algorithms of std: what they call, with what, and where they put what comes of it.
#include "FunctionLowering.h"

#include "StringSwitch.h"

#include "llvm/ADT/STLExtras.h"

#include <iterator>

namespace samedevice::clangfront {

using namespace clang;
using facts::kNone;
using facts::Slot;
using facts::Terminator;

/// The variable or member whose begin() this is.
static const ValueDecl *listBehind(const Expr *iterator) {
  const auto *call = dyn_cast_or_null<CXXMemberCallExpr>(stripped(iterator));
  const Expr *list = call ? stripped(call->getImplicitObjectArgument()) : nullptr;
  if (const auto *ref = dyn_cast_or_null<DeclRefExpr>(list))
    return ref->getDecl();
  const auto *member = dyn_cast_or_null<MemberExpr>(list);
  return member ? member->getMemberDecl() : nullptr;
}

/// Somebody runs the lambda, some time, with something: once, right here, with an element of the lists it is called
/// beside, or with whatever it is. The slot of what it gives; kNone where nothing was run.
Slot FunctionLowering::invokeCallbacks(const CallSite &site) {
  auto isList = [&](const Expr *argument) {
    if (typeOf(argument) == facts::Type::List)
      return !facts_.isUnknown(value(argument));
    const Slot slot = argument->getType()->isPointerType() ? value(argument) : kNone;
    return slot != kNone && facts_.slot(slot).type == facts::Type::List; // an iterator of an initializer_list
  };
  std::vector<const Expr *> lists;
  llvm::copy_if(site.args, std::back_inserter(lists), isList);
  StringRef name = site.name();
  const Expr *target = nullptr; // where an algorithm puts what the lambda, or the other list, gives
  if (lists.size() > 2 && (name == "transform" || name == "copy" || name == "copy_if" || name == "move"))
    target = lists.back();
  else if (!lists.empty() && (name == "generate" || name == "generate_n" || name == "fill"))
    target = lists.front();
  bool inPlace = target && listBehind(target) && listBehind(target) == listBehind(lists.front());
  auto put = [&](Slot made) {
    if (!target)
      return;
    if (made == kNone)
      return addOthers(value(target), site.expr);
    if (inPlace) // what was there is gone
      facts_.emit(Opcode::ListClear, kNone, {operand(target)}, site.expr);
    for (int times = inPlace ? 2 : 1; times > 0; --times) // twice: nobody knows how many
      facts_.emit(Opcode::ListAdd, kNone, {operand(target), facts_.operand(made, site.expr)}, site.expr);
    if (!inPlace)
      addOthers(value(target), site.expr);
  };
  for (const Expr *argument : site.args) // back_inserter(list), of what is not followed
    if (const CXXRecordDecl *output = Types::recordOf(argument->getType());
        output && !target && output->getName().ends_with("insert_iterator"))
      if (const Slot list = value(argument); list != kNone && typeOf(argument) == facts::Type::List)
        addOthers(list, site.expr);
  bool called = false;
  Slot given = kNone;
  for (const Expr *argument : site.args) {
    // What others do with a function's address is theirs; a std algorithm calls it.
    std::optional<Callable> callback;
    if (isa<CXXDefaultArgExpr>(argument))
      continue;
    const CXXRecordDecl *record = Types::recordOf(argument->getType());
    const bool isHandedOn = record && !callOperator(record); // an object may be there for other things than its calls
    if (isHandedOn || (site.callee && unit_.names().of(site.callee).library == Name::Std))
      callback = callable(argument);
    if (!callback)
      continue;
    facts::Instruction &call = callback->call;
    if (name == "for_each" && !lists.empty() && callback->params.size() == 1) {
      forEach(*std::move(callback), lists.front(), site.expr);
      return kNone;
    }
    const bool pairs = name == "transform" && lists.size() > 3; // first, last, where the others begin, target
    for (unsigned n = 0; n < callback->params.size(); ++n) {
      const QualType param = callback->params[n];
      const Expr *from = lists.empty() ? nullptr : pairs && n == 1 ? lists[2] : lists.front();
      Slot passed = kNone;
      if (from && kindOf(kindOf(from).element).type == kindOf(param).type)
        passed = facts_.element(value(from), param, site.expr);
      call.args.push_back(facts_.operand(passed == kNone ? anything(param, site.expr) : passed, site.expr));
    }
    given = emitCall(std::move(*callback), site.expr);
    if (name != "copy_if")
      put(given);
    called = true;
  }
  const QualType element = target ? kindOf(target).element : QualType();
  const bool areValues = !element.isNull() && unit_.types().isValue(element);
  if (target && name == "fill")
    put(copied(site.args.back()).slot);
  else if (target && !called && !inPlace && !areValues)
    facts_.emit(Opcode::ListAdd, kNone, {operand(target), operand(lists.front())}, site.expr, Mode::Each);
  else if (target && !called)
    put(facts_.element(value(lists.front()), element, site.expr));
  return given;
}

/// The loop that an algorithm stands for. The slot of where it is.
Slot FunctionLowering::loopOver(const Expr *first, const Expr *whole,
                                llvm::function_ref<void(Slot at, facts::BlockId after)> turn) {
  const Slot at = facts_.newSlot(first->getType(), "", 0);
  facts_.emit(Opcode::Copy, at, {operand(first)}, whole);
  const facts::BlockId head = facts_.newBlock(), body = facts_.newBlock(), after = facts_.newBlock();
  facts_.jump(facts_.current(), head);
  facts_.enter(head);
  const Slot more = facts_.newSlot(facts::Type::Bool);
  facts_.emit(Opcode::HasNext, more, {facts_.operand(at, first)}, whole);
  branch(more, body, after, whole);
  facts_.enter(body);
  turn(at, after);
  facts_.emit(Opcode::Advance, kNone, {facts_.operand(at, first)}, whole);
  facts_.jump(facts_.current(), head);
  facts_.enter(after);
  return at;
}

void FunctionLowering::branch(Slot condition, facts::BlockId yes, facts::BlockId no, const Expr *whole) {
  Terminator &end = facts_.end(facts_.current());
  end.kind = Terminator::Branch;
  end.slot = condition;
  end.successors = {yes, no};
  end.source = facts_.source(whole);
}

/// Every element may be given something else.
void FunctionLowering::forEach(Callable callback, const Expr *first, const Expr *whole) {
  loopOver(first, whole, [&](Slot at, facts::BlockId) {
    Slot item = facts_.element(at, callback.params[0], whole);
    if (!callback.params[0]->isReferenceType() && unit_.types().isValue(callback.params[0]))
      item = facts_.result(Opcode::Clone, first, {facts_.operand(item, first)}); // what it gets is a copy
    callback.call.args.push_back(facts_.operand(item, whole));
    emitCall(std::move(callback), whole);
  });
}

/// std::find_if, std::find_if_not: where the test said so.
Slot FunctionLowering::findFirst(Callable test, bool wanted, const Expr *first, const Expr *whole) {
  return loopOver(first, whole, [&](Slot at, facts::BlockId after) {
    test.call.args.push_back(facts_.operand(facts_.element(at, test.params[0], whole), whole));
    const Slot answer = emitCall(std::move(test), whole);
    const facts::BlockId next = facts_.newBlock();
    branch(answer, wanted ? after : next, wanted ? next : after, whole);
    facts_.enter(next);
  });
}

/// What an algorithm gives that finds a place in a list.
Slot FunctionLowering::placeFound(const CallSite &site) {
  const Expr *expr = site.expr, *first = site.arg(0);
  const StringRef name = site.name();
  const bool isOfMany = StringSwitch<bool>(name)
                            .Cases({"find", "max_element", "min_element", "lower_bound", "upper_bound"}, true)
                            .Cases({"partition_point", "adjacent_find", "find_first_of", "prev"}, true)
                            .Default(false);
  const bool isTested = name == "find_if" || name == "find_if_not";
  const bool isStep = name == "next" || name == "advance";
  if ((!isOfMany && !isTested && !isStep) || !first)
    return kNone;
  const Slot list = value(first);
  if (list == kNone || facts_.slot(list).type != facts::Type::List || facts_.isUnknown(list))
    return kNone;
  if (isStep) {
    const Slot at = stepped(expr, first, site.arg(1));
    if (name == "advance")
      facts_.assign(list, facts_.operand(at, expr), expr);
    return at;
  }
  if (isTested)
    if (std::optional<Callable> test = callable(site.arg(2)); test && test->params.size() == 1)
      return findFirst(*std::move(test), name == "find_if", first, expr);
  if (!isTested)
    invokeCallbacks(site);
  return somewhere(expr, list);
}

/// it + count, std::next(it): so many steps where somebody wrote how many.
Slot FunctionLowering::stepped(const Expr *whole, const Expr *from, const Expr *count) {
  constexpr std::int64_t most = 4;
  const Slot start = value(from);
  const std::optional<std::int64_t> steps = count ? constantInt(count, unit_.context()) : 1;
  if (!steps || *steps < 0 || *steps > most)
    return somewhere(whole, start);
  const Slot at = facts_.newSlot(from->getType(), "", 0);
  facts_.slot(at).reference = false;
  facts_.emit(Opcode::Copy, at, {facts_.operand(start, from)}, whole);
  for (std::int64_t n = 0; n < *steps; ++n)
    facts_.emit(Opcode::Advance, kNone, {facts_.operand(at, from)}, whole);
  return at;
}

/// One of the elements, nobody knows which.
Slot FunctionLowering::somewhere(const Expr *whole, Slot list) {
  const Slot at = iterate(whole, list);
  if (at != list)
    facts_.instructions().back().mode = Mode::Somewhere;
  return at;
}

/// std::accumulate(first, last, start[, f]): what was summed up so far meets an element. Once is enough: what comes of
/// it is where the next sum begins.
Slot FunctionLowering::accumulate(const CallSite &site) {
  const Expr *expr = site.expr, *first = site.arg(0), *start = site.arg(2);
  const Kind list = kindOf(first);
  Operand sum = operand(start);
  if (list.type != facts::Type::List || sum.slot == kNone || facts_.isUnknown(value(first)))
    return kNone;
  Slot item = facts_.element(value(first), list.element, expr);
  const Expr *with = site.arg(3);
  if (std::optional<Callable> combine = with ? callable(with) : std::nullopt) {
    if (combine->params.size() != 2)
      return kNone;
    combine->call.args.push_back(std::move(sum));
    combine->call.args.push_back(facts_.operand(item, expr));
    return emitCall(std::move(*combine), expr);
  }
  const CXXRecordDecl *functor = with ? Types::recordOf(with->getType()) : nullptr;
  const StringRef op = !with ? "operator+"
                       : !functor || unit_.names().of(functor).library != Name::Std
                           ? ""
                           : StringSwitch<StringRef>(functor->getName())
                                 .Case("plus", "operator+")
                                 .Case("minus", "operator-")
                                 .Case("multiplies", "operator*")
                                 .Default("");
  if (op.empty() || typeOf(expr) != facts::Type::Tensor || kindOf(list.element).type != facts::Type::Tensor)
    return kNone;
  sum.name = "self";
  return facts_.result(Opcode::Op, expr, {std::move(sum), facts_.operand(item, expr, "other")}, op);
}

} // namespace samedevice::clangfront
