// Functions of the standard library: pairs and tuples are records, algorithms read what they are pointed at.
#include "FunctionLowering.h"

#include "clang/AST/DeclTemplate.h"

namespace samedevice::clangfront {

using namespace clang;
using facts::kNone;
using facts::Slot;

Slot FunctionLowering::makeTuple(const Expr *whole, llvm::ArrayRef<const Expr *> args) {
  bool isExample = unit_.types().isTorch(whole->getType(), "data::Example");
  // pair(pair), tuple(tuple): a conversion
  if (args.size() == 1 && typeOf(args[0]) == facts::Type::Record)
    return value(args[0]);
  std::vector<std::pair<std::string, const Expr *>> fields;
  for (const Expr *argument : args) {
    std::string name = std::to_string(fields.size());
    if (isExample)
      name = fields.empty() ? "data" : "target";
    fields.emplace_back(name, argument);
  }
  return record(whole, fields);
}

bool FunctionLowering::standardFunction(const CallSite &site, Slot &slot) {
  const Name name = unit_.names().of(site.callee);
  if (name.library != Name::Std)
    return false;
  const Expr *expr = site.expr;
  const TemplateArgumentList *templateArgs = site.callee->getTemplateSpecializationArgs();
  if (name.path == "get" && !site.args.empty()) {
    Slot tuple = value(site.args[0]);
    bool byIndex =
        templateArgs && templateArgs->size() > 0 && templateArgs->get(0).getKind() == TemplateArgument::Integral;
    if (!byIndex || tuple == kNone)
      slot = unknown(expr);
    else if (typeOf(site.args[0]) == facts::Type::List)
      slot = element(tuple, nullptr, expr->getType(), expr);
    else
      slot = field(tuple, std::to_string(templateArgs->get(0).getAsIntegral().getExtValue()), expr->getType(), expr);
    return true;
  }
  if (name.path == "make_pair" || name.path == "make_tuple" || name.path == "forward_as_tuple") {
    slot = makeTuple(expr, site.args);
    return true;
  }
  if (name.path == "async") {
    slot = startThread(expr, site.args);
    if (slot == kNone)
      slot = unknown(expr);
    return true;
  }
  if ((name.path == "apply" || name.path == "invoke") && applyCallable(site, slot))
    return true;
  if (name.path == "call_once" && callOnce(site))
    return true;
  if (name.path == "tie")
    return true; // assigned to elsewhere, part by part
  if (name.path == "make_shared" || name.path == "make_unique") {
    QualType type = Types::templateArgument(Types::recordOf(expr->getType()), 0);
    if (!type.isNull() && type->isArrayType()) {
      for (const Expr *argument : site.args)
        value(argument);
      slot = typeOf(expr) == facts::Type::Pointer ? result(Opcode::Allocate, expr, {}, "host") : unknown(expr);
    } else {
      slot = type.isNull() ? unknown(expr) : constructElement(site, type, site.args);
      if (slot == kNone)
        slot = unknown(expr);
    }
    return true;
  }
  if (name.path == "exchange" && site.args.size() == 2) {
    Slot place = value(site.args[0]);
    Operand next = operand(site.args[1]);
    if (place == kNone) {
      slot = unknown(expr);
    } else {
      const QualType type = site.args[0]->getType();
      slot = result(unit_.types().isValue(type) ? Opcode::Clone : Opcode::Copy, expr, {operand(place, site.args[0])});
      assign(place, next, expr, type);
    }
    return true;
  }
  if (site.callee->getOverloadedOperator() == OO_LessLess ||
      site.callee->getOverloadedOperator() == OO_GreaterGreater || name.path == "getline" ||
      name.path == "from_chars") {
    readInto(site);
    return true;
  }
  if (name.path == "swap" && site.args.size() == 2) {
    swapPlaces(site.args[0], site.args[1], expr);
    return true;
  }
  bool comparesAddresses = name.path == "min" || name.path == "max" || name.path == "to_address" ||
                           name.path == "hash" || name.path == "less";
  for (const Expr *argument : site.args)
    value(argument);
  if (!comparesAddresses)
    readPointers(site, "std::" + name.path);
  const bool sums = (name.path == "accumulate" || name.path == "reduce") && site.args.size() > 2;
  slot = sums ? accumulate(site) : kNone;
  if (slot == kNone) {
    invokeCallbacks(site);
    slot = unknown(expr);
  }
  return true;
}

/// `std::call_once(flag, f)` with a flag that outlives the function: who comes later finds what f has left.
bool FunctionLowering::callOnce(const CallSite &site) {
  const auto *ref = dyn_cast_or_null<DeclRefExpr>(stripped(site.arg(0)));
  const auto *flag = ref ? dyn_cast<VarDecl>(ref->getDecl()) : nullptr;
  if (!flag || !flag->hasGlobalStorage())
    return false;
  const std::string name = "call of " + globalName(flag);
  const std::uint32_t flags = flag->isStaticLocal() || !flag->isExternallyVisible() ? facts::kOwnName : 0u;
  const Slot isCalled = newSlot(facts::Type::Bool);
  emit(Opcode::IsMade, isCalled, {}, site.expr, name).flags = flags;
  const facts::BlockId from = current_, first = newBlock(), after = newBlock();
  facts::Terminator &split = facts_.blocks[from].end;
  split.kind = facts::Terminator::Branch;
  split.slot = isCalled;
  split.successors = {after, first};
  split.source = unit_.source(site.expr, owner_);
  current_ = first;
  const Slot place = newSlot(facts::Type::Bool), done = newSlot(facts::Type::Bool);
  facts_.slots[place].reference = true;
  emit(Opcode::Global, place, {}, nullptr, name).flags = flags;
  emit(Opcode::Const, done, {}, nullptr).number = 1;
  assign(place, operand(done, nullptr), nullptr);
  invokeCallbacks(site);
  facts_.blocks[current_].end.kind = facts::Terminator::Jump;
  facts_.blocks[current_].end.successors = {after};
  current_ = after;
  return true;
}

/// What is read from a stream or a text (`in >> count`, std::getline) is anything from then on.
void FunctionLowering::readInto(const CallSite &site) {
  for (unsigned n = 0; n < site.args.size(); ++n) {
    const Expr *argument = site.args[n];
    const Slot place = value(argument);
    const facts::Type type = typeOf(argument);
    const bool isPlain = type == facts::Type::Int || type == facts::Type::Bool || type == facts::Type::String;
    const QualType param = site.paramType(n);
    if (place != kNone && isPlain && !param.isNull() && param->isLValueReferenceType() &&
        !param.getNonReferenceType().isConstQualified())
      assign(place, operand(unknown(argument), argument), site.expr);
  }
}

void FunctionLowering::swapPlaces(const Expr *first, const Expr *second, const Expr *whole) {
  Slot one = value(first), other = value(second);
  if (one == kNone || other == kNone || typeOf(first) == facts::Type::Other)
    return;
  Slot kept = newSlot(first->getType().getNonReferenceType(), "", 0);
  facts_.slots[kept].reference = false;
  const QualType type = first->getType();
  emit(unit_.types().isValue(type) ? Opcode::Clone : Opcode::Copy, kept, {operand(one, first)}, whole);
  assign(one, operand(other, second), whole, type);
  assign(other, operand(kept, first), whole, type);
}

} // namespace samedevice::clangfront
