// Functions of the standard library: pairs and tuples are records, algorithms read what they are pointed at.
#include "FunctionLowering.h"

#include "StringSwitch.h"

#include "clang/AST/DeclTemplate.h"

namespace samedevice::clangfront {

using namespace clang;
using facts::kNone;
using facts::Slot;

Slot FunctionLowering::makeTuple(const Expr *whole, llvm::ArrayRef<const Expr *> args) {
  bool isExample = unit_.types().isTorch(whole->getType(), "data::Example");
  // pair(pair), tuple(tuple): a conversion
  if (args.size() == 1 && typeOf(args[0]) == facts::Type::Record && !unit_.types().refersToPart(whole->getType(), 0))
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

std::optional<Slot> FunctionLowering::standardFunction(const CallSite &site) {
  const Name name = unit_.names().of(site.callee);
  if (name.library != Name::Std)
    return std::nullopt;
  const Expr *expr = site.expr;
  const TemplateArgumentList *templateArgs = site.callee->getTemplateSpecializationArgs();
  if (name.path == "get" && !site.args.empty()) {
    Slot tuple = value(site.args[0]);
    bool byIndex =
        templateArgs && templateArgs->size() > 0 && templateArgs->get(0).getKind() == TemplateArgument::Integral;
    if (!byIndex || tuple == kNone)
      return facts_.unknown(expr);
    const std::int64_t index = templateArgs->get(0).getAsIntegral().getExtValue();
    if (typeOf(site.args[0]) == facts::Type::List)
      return elementAt(tuple, index, expr->getType(), expr);
    return facts_.field(tuple, std::to_string(index), expr->getType(), expr);
  }
  if (name.path == "make_pair" || name.path == "make_tuple" || name.path == "forward_as_tuple" ||
      name.path == "tie") // where something is assigned to it at once: assignTie
    return makeTuple(expr, site.args);
  if (name.path == "async") {
    const Slot started = startThread(expr, site.args);
    return started == kNone ? facts_.unknown(expr) : started;
  }
  if (name.path == "apply" || name.path == "invoke")
    if (const std::optional<Slot> given = applyCallable(site))
      return given;
  if (name.path == "call_once" && callOnce(site))
    return kNone;
  const bool isAllocated = name.path == "allocate_shared";
  if (isAllocated || name.path == "make_shared" || name.path == "make_unique" || name.path == "make_optional") {
    QualType type = Types::templateArgument(Types::recordOf(expr->getType()), 0);
    const llvm::ArrayRef<const Expr *> args = llvm::ArrayRef<const Expr *>(site.args).drop_front(isAllocated);
    if (!type.isNull() && type->isArrayType()) {
      evaluateAll(args);
      return typeOf(expr) == facts::Type::Pointer ? facts_.result(Opcode::Allocate, expr, {}, Mode::Host)
                                                  : facts_.unknown(expr);
    }
    const Slot made = type.isNull() ? kNone : constructElement(expr, type, args);
    return made == kNone ? facts_.unknown(expr) : made;
  }
  if (name.path == "exchange" && site.args.size() == 2) {
    Slot place = value(site.args[0]);
    Operand next = operand(site.args[1]);
    if (place == kNone)
      return facts_.unknown(expr);
    const QualType type = site.args[0]->getType();
    const Slot before = facts_.result(unit_.types().isValue(type) ? Opcode::Clone : Opcode::Copy, expr,
                                      {facts_.operand(place, site.args[0])});
    facts_.assign(place, next, expr, type);
    return before;
  }
  if (site.callee->getOverloadedOperator() == OO_LessLess ||
      site.callee->getOverloadedOperator() == OO_GreaterGreater || name.path == "getline" ||
      name.path == "from_chars") {
    readInto(site);
    return kNone;
  }
  if (name.path == "swap" && site.args.size() == 2) {
    swapPlaces(site.args[0], site.args[1], expr);
    return kNone;
  }
  bool comparesAddresses = name.path == "min" || name.path == "max" || name.path == "to_address" ||
                           name.path == "hash" || name.path == "less";
  evaluateAll(site.args);
  if (!comparesAddresses)
    readPointers(site, "std::" + name.path);
  const bool sums = (name.path == "accumulate" || name.path == "reduce") && site.args.size() > 2;
  if (const Slot sum = sums ? accumulate(site) : kNone; sum != kNone)
    return sum;
  if (const Slot found = placeFound(site); found != kNone)
    return found;
  invokeCallbacks(site);
  const bool isOfNumbers = StringSwitch<bool>(name.path)
                               .Cases({"min", "max", "clamp", "abs", "gcd", "lcm"}, true)
                               .Cases({"bit_ceil", "bit_width", "hash::operator()"}, true)
                               .Default(false);
  if (name.path == "to_string" && site.args.size() == 1) // spells it
    return facts_.unknown(expr, {operand(site.args[0])});
  return isOfNumbers ? unknownOf(expr, site.args) : facts_.unknown(expr);
}

/// `std::call_once(flag, f)` with a flag that outlives the function: who comes later finds what f has left.
bool FunctionLowering::callOnce(const CallSite &site) {
  const auto *ref = dyn_cast_or_null<DeclRefExpr>(stripped(site.arg(0)));
  const auto *flag = ref ? dyn_cast<VarDecl>(ref->getDecl()) : nullptr;
  if (!flag || !flag->hasGlobalStorage())
    return false;
  const std::string name = "call of " + globalName(flag);
  const std::uint32_t flags = flag->isStaticLocal() || !flag->isExternallyVisible() ? facts::kOwnName : 0u;
  const Slot isCalled = facts_.newSlot(facts::Type::Bool);
  facts_.emit(Opcode::IsMade, isCalled, {}, site.expr, name).flags = flags;
  const facts::BlockId first = facts_.newBlock(), after = facts_.newBlock();
  branch(isCalled, after, first, site.expr);
  facts_.enter(first);
  const Slot place = facts_.newSlot(facts::Type::Bool), done = facts_.newSlot(facts::Type::Bool);
  facts_.slot(place).reference = true;
  facts_.emit(Opcode::Global, place, {}, nullptr, name).flags = flags;
  facts_.emit(Opcode::Const, done, {}, nullptr).number = 1;
  facts_.assign(place, facts_.operand(done, nullptr), nullptr);
  invokeCallbacks(site);
  facts_.jump(facts_.current(), after);
  facts_.enter(after);
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
      facts_.assign(place, facts_.operand(facts_.unknown(argument), argument), site.expr);
  }
}

void FunctionLowering::swapPlaces(const Expr *first, const Expr *second, const Expr *whole) {
  Slot one = value(first), other = value(second);
  if (one == kNone || other == kNone || typeOf(first) == facts::Type::Other)
    return;
  Slot kept = facts_.newSlot(first->getType().getNonReferenceType(), "", 0);
  facts_.slot(kept).reference = false;
  const QualType type = first->getType();
  facts_.emit(unit_.types().isValue(type) ? Opcode::Clone : Opcode::Copy, kept, {facts_.operand(one, first)}, whole);
  facts_.assign(one, facts_.operand(other, second), whole, type);
  facts_.assign(other, facts_.operand(kept, first), whole, type);
}

} // namespace samedevice::clangfront
