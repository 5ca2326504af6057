// Devices and tensor options, however they are spelled.
#include "FunctionLowering.h"

#include "StringSwitch.h"

namespace samedevice::clangfront {

using namespace clang;
using facts::kNone;
using facts::Slot;

namespace {

const StringLiteral *literalString(const Expr *expr) { return dyn_cast_or_null<StringLiteral>(converted(expr)); }

} // namespace

const char *FunctionLowering::literalDeviceType(const Expr *expr) {
  const auto *ref = dyn_cast_or_null<DeclRefExpr>(expr);
  if (!ref || typeOf(ref) != facts::Type::Device)
    return nullptr;
  const NamedDecl *decl = ref->getDecl();
  if (!decl->getIdentifier())
    return nullptr;
  const auto *variable = dyn_cast<VarDecl>(decl);
  if (variable ? unit_.names().of(decl).library != Name::Torch : !isa<EnumConstantDecl>(decl))
    return nullptr;
  llvm::StringRef name = decl->getName();
  if (variable && !name.consume_front("k"))
    return nullptr;
  return StringSwitch<const char *>(name)
      .Case("CPU", "cpu")
      .Case("CUDA", "cuda")
      .Case("HIP", "hip")
      .Case("XLA", "xla")
      .Case("MPS", "mps")
      .Case("XPU", "xpu")
      .Cases({"Meta", "META"}, "meta")
      .Case("Vulkan", "vulkan")
      .Case("Metal", "metal")
      .Case("HPU", "hpu")
      .Case("MKLDNN", "mkldnn")
      .Cases({"PrivateUse1", "PRIVATEUSE1"}, "privateuseone")
      .Default(nullptr);
}

/// A number with a name, written down once for many places.
static bool isNamedConstant(const Expr *expr) {
  const auto *ref = dyn_cast_or_null<DeclRefExpr>(stripped(expr));
  const auto *constant = ref ? dyn_cast<VarDecl>(ref->getDecl()) : nullptr;
  return constant ? constant->hasGlobalStorage() : ref && isa<EnumConstantDecl>(ref->getDecl());
}

Slot FunctionLowering::deviceFrom(const Expr *expr) {
  facts::Type type = typeOf(expr);
  if (type == facts::Type::String) {
    unit_.mentionDevice();
    if (const StringLiteral *text = literalString(expr))
      return facts_.device(expr, text->getString());
    Slot parsed = facts_.newSlot(facts::Type::Device);
    Operand from = operand(expr);
    facts_.emit(Opcode::DeviceParse, parsed, {from}, expr);
    return parsed;
  }
  return type == facts::Type::Device ? withoutNumber(expr, value(expr)) : kNone;
}

/// A device made of a kind alone, `x.device().type()`: which of the GPUs it was is lost.
Slot FunctionLowering::withoutNumber(const Expr *expr, Slot type) {
  if (!expr->getType().getNonReferenceType()->isEnumeralType() || literalDeviceType(stripped(expr)))
    return type;
  Slot made = facts_.newSlot(facts::Type::Device);
  facts_.emit(Opcode::DeviceMake, made, {facts_.operand(type, expr)}, expr);
  return made;
}

Slot FunctionLowering::makeDevice(const Expr *whole, llvm::ArrayRef<const Expr *> args) {
  unit_.mentionDevice();
  if (args.empty()) {
    Slot slot = facts_.newSlot(facts::Type::Device);
    facts_.emit(Opcode::Unknown, slot, {}, whole);
    return slot;
  }
  const bool isKind = typeOf(args[0]) == facts::Type::Device;
  Slot type = isKind ? value(args[0]) : deviceFrom(args[0]);
  if (type == kNone) {
    value(args[0]);
    type = facts_.newSlot(facts::Type::Device);
    facts_.emit(Opcode::Unknown, type, {}, whole);
    return type;
  }
  const bool isNumbered = args.size() > 1 && !isOmitted(args[1]);
  std::optional<std::int64_t> index = isNumbered ? constantInt(args[1], unit_.context()) : std::nullopt;
  if (!isNumbered || (index && *index < 0))
    return withoutNumber(args[0], type);
  if (const char *literal = literalDeviceType(stripped(args[0])); literal && index) {
    const std::string text = llvm::StringRef(literal) == "cpu" ? literal : literal + (":" + std::to_string(*index));
    return facts_.device(whole, text, isNamedConstant(args[1]));
  }
  Slot made = facts_.newSlot(facts::Type::Device);
  facts_.emit(Opcode::DeviceMake, made, {facts_.operand(type, args[0]), operand(args[1])}, whole);
  return made;
}

Slot FunctionLowering::makeOptions(const Expr *whole, llvm::ArrayRef<const Expr *> args) {
  Operands given;
  if (!args.empty() && !isOmitted(args[0])) {
    // TensorOptions(kCUDA), TensorOptions("cuda:1"), TensorOptions({kCUDA, 1}); a dtype sets no device.
    facts::Type type = typeOf(args[0]);
    if (type == facts::Type::Device || type == facts::Type::String) {
      Slot where = args.size() > 1 ? makeDevice(whole, args) : deviceFrom(args[0]);
      if (where != kNone)
        given.push_back(facts_.operand(where, args[0]));
    } else {
      value(args[0]);
    }
  }
  Slot slot = facts_.newSlot(facts::Type::Options);
  facts_.emit(Opcode::Options, slot, std::move(given), whole);
  return slot;
}

Slot FunctionLowering::optionsWord(const CallSite &site, const Word &word) {
  const Expr *expr = site.expr;
  Slot base = site.object ? value(site.object) : kNone;
  bool isGetter = site.object && site.args.empty();
  if (isGetter) {
    if (word.meaning == Meaning::OptionsDevice && base != kNone)
      return facts_.result(Opcode::DeviceOf, expr, {facts_.operand(base, site.object)});
    return facts_.unknown(expr);
  }
  auto with = [&](Operands extra, std::uint32_t flags) {
    Slot slot = facts_.newSlot(facts::Type::Options);
    const bool isDropped = base != kNone && survey_.isDiscarded(expr);
    const Expr *named = site.object;
    if (isDropped) // the ones that somebody means to change
      for (const Expr *before = stripped(named); before; before = optionsBefore(before))
        named = before;
    if (base != kNone)
      extra.insert(extra.begin(), facts_.operand(base, named));
    facts_.emit(base == kNone ? Opcode::Options : Opcode::OptionsWith, slot, std::move(extra), expr).flags =
        flags | (isDropped ? facts::kDiscarded : 0u);
    return slot;
  };
  switch (word.meaning) {
  case Meaning::OptionsDevice: {
    const Expr *first = site.arg(0);
    // The setter takes optional<Device>: look at what was written for it.
    Slot where = site.args.size() > 1 ? makeDevice(expr, site.args) : (first ? value(first) : kNone);
    if (where != kNone && site.args.size() == 1)
      where = withoutNumber(converted(first), where);
    if (where == kNone)
      return facts_.unknown(expr);
    return with({facts_.operand(where, first)}, 0);
  }
  case Meaning::OptionsIndex: {
    Slot type = facts_.device(expr, "cuda");
    std::optional<std::int64_t> index =
        site.arg(0) ? constantInt(stripped(site.arg(0)), unit_.context()) : std::nullopt;
    Slot where;
    if (index) {
      where = facts_.device(expr, "cuda:" + std::to_string(*index));
    } else {
      where = facts_.newSlot(facts::Type::Device);
      facts_.emit(Opcode::DeviceMake, where, {facts_.operand(type, expr), operand(site.arg(0))}, expr);
    }
    return with({facts_.operand(where, site.arg(0))}, 0);
  }
  case Meaning::OptionsPinned: {
    bool pinned = false;
    const Expr *flag = converted(site.arg(0));
    bool isBool = flag && !flag->isValueDependent() && flag->getType()->isBooleanType();
    bool isConstant = isBool && flag->EvaluateAsBooleanCondition(pinned, unit_.context());
    Slot whether = isBool && !isConstant ? value(flag) : kNone;
    bool mayBePinned = pinned || whether != kNone;
    if (!mayBePinned)
      return base != kNone ? base : with({}, 0);
    Slot host = facts_.device(expr, "cpu"); // only the CPU's memory can be pinned
    Operands choice{facts_.operand(host, expr)};
    if (whether != kNone)
      choice.push_back(facts_.operand(whether, flag));
    return with(std::move(choice), facts::kPinned);
  }
  default:
    evaluateAll(site.args);
    return base != kNone ? base : with({}, 0); // setters return a new value; on devices they say nothing
  }
}

} // namespace samedevice::clangfront
