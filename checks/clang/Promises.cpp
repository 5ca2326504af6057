#include "Promises.h"

#include "FunctionLowering.h"
#include "StringSwitch.h"

#include "clang/AST/Attr.h"
#include "clang/Lex/Lexer.h"

namespace samedevice::clangfront {

using namespace clang;
using facts::kNone;
using facts::Slot;

namespace {

std::optional<Promise> parsed(StringRef text) {
  auto [word, what] = text.trim().split('=');
  std::optional<Promise::Kind> kind = StringSwitch<std::optional<Promise::Kind>>(word.trim())
                                          .Case("on", Promise::On)
                                          .Case("like", Promise::Like)
                                          .Case("host", Promise::ReadOnHost)
                                          .Case("device", Promise::UsedOnDevice)
                                          .Case("moves", Promise::MovesTo)
                                          .Case("moved", Promise::MovedUnseen)
                                          .Case("checks-cuda", Promise::ChecksCuda)
                                          .Case("guarded", Promise::Guarded)
                                          .Case("guard", Promise::Guards)
                                          .Default(std::nullopt);
  if (!kind)
    return std::nullopt;
  return Promise{*kind, what.trim().str()};
}

} // namespace

Promises::Promises(const LoweringOptions &options) {
  for (const std::string &entry : options.annotations) { // "vendor::decode on=cpu"
    auto [name, text] = StringRef(entry).trim().split(' ');
    if (std::optional<Promise> promise = parsed(text))
      named_.emplace(name.str(), *promise);
  }
  auto add = [&](const std::vector<std::string> &names, Promise::Kind kind) {
    for (const std::string &name : names)
      named_.emplace(name, Promise{kind, {}});
  };
  add(options.hostFunctions, Promise::ReadOnHost);
  add(options.deviceFunctions, Promise::UsedOnDevice);
  add(options.guardTypes, Promise::Guards);
}

const std::vector<Promise> &Promises::of(const NamedDecl *decl) const {
  auto [place, isNew] = known_.try_emplace(decl);
  std::vector<Promise> &promises = place->second;
  if (!isNew)
    return promises;
  for (const auto *attribute : decl->specific_attrs<AnnotateAttr>()) {
    StringRef text = attribute->getAnnotation();
    if (text.consume_front("samedevice:"))
      if (std::optional<Promise> promise = parsed(text))
        promises.push_back(*promise);
  }
  if (named_.empty())
    return promises;
  std::string name = Names::qualified(decl);
  if (const auto *parameter = dyn_cast<ParmVarDecl>(decl)) {
    const auto *function = dyn_cast<FunctionDecl>(parameter->getDeclContext());
    if (!function)
      return promises;
    name = Names::qualified(function) + "(" + parameter->getNameAsString() + ")";
  }
  auto [begin, end] = named_.equal_range(name);
  for (auto it = begin; it != end; ++it)
    promises.push_back(it->second);
  return promises;
}

std::optional<Promise> Promises::find(const NamedDecl *decl, Promise::Kind kind) const {
  if (decl)
    for (const Promise &promise : of(decl))
      if (promise.kind == kind)
        return promise;
  return std::nullopt;
}

// --- How promises are kept, instruction by instruction. -----------------------------------------------------------

/// The argument that a promise names, or the device it says.
facts::Operand FunctionLowering::placeNamed(const CallSite &site, StringRef name) {
  if (name == "this" && site.object)
    return operand(site.object);
  for (unsigned i = 0; i < site.args.size(); ++i)
    if (site.paramName(i) == name)
      return operand(site.args[i]);
  bool isDevice = name == "cpu" || name.starts_with("cuda");
  return facts_.operand(isDevice ? facts_.device(site.expr, name) : kNone, nullptr);
}

std::optional<Slot> FunctionLowering::promisedCall(const CallSite &site) {
  const Promises &promises = unit_.promises();
  const FunctionDecl *callee = site.callee;
  auto promised = [&](Promise::Kind kind) { return promises.find(callee, kind); };
  bool isKept = false;
  Slot slot = kNone;
  llvm::SmallVector<const Expr *, 8> given(site.args.begin(), site.args.end());
  if (site.object)
    given.push_back(site.object);
  auto ofType = [&](facts::Type type, auto &&use) {
    for (const Expr *argument : given)
      if (typeOf(argument) == type)
        if (Operand passed = operand(argument); passed.slot != kNone)
          use(passed, argument);
  };

  bool allOnHost = promised(Promise::ReadOnHost).has_value(), allOnDevice = promised(Promise::UsedOnDevice).has_value();
  for (unsigned i = 0; i < site.args.size(); ++i) {
    const ParmVarDecl *parameter = i < callee->getNumParams() ? callee->getParamDecl(i) : nullptr;
    const Expr *argument = site.args[i];
    facts::Type type = typeOf(argument);
    bool isMemory = type == facts::Type::Pointer || type == facts::Type::Tensor;
    if (isMemory && (allOnHost || promises.find(parameter, Promise::ReadOnHost))) {
      readOnHost(argument, site.expr, site.name(), false);
      isKept = true;
    } else if (type == facts::Type::Pointer && (allOnDevice || promises.find(parameter, Promise::UsedOnDevice))) {
      if (Operand used = operand(argument); used.slot != kNone)
        facts_.emit(Opcode::DeviceUse, kNone, {used}, site.expr, site.name());
      isKept = true;
    }
  }
  isKept = isKept || allOnHost || allOnDevice;

  if (promised(Promise::ChecksCuda) ||
      comesFromMacro(site.expr->getBeginLoc(), unit_.options().checkMacros, unit_.context())) {
    isKept = true;
    ofType(facts::Type::Tensor,
           [&](const Operand &tensor, const Expr *at) { facts_.requireOn(tensor.slot, "cuda", at); });
  }
  if (promised(Promise::Guards) ||
      comesFromMacro(site.expr->getBeginLoc(), unit_.options().guardMacros, unit_.context())) {
    isKept = true;
    ofType(facts::Type::Tensor, [&](const Operand &tensor, const Expr *) {
      Slot where = facts_.newSlot(facts::Type::Device);
      facts_.emit(Opcode::DeviceOf, where, {tensor}, site.expr);
      facts_.emit(Opcode::SetDevice, kNone, {facts_.operand(where, site.expr)}, site.expr);
    });
    for (facts::Type type : {facts::Type::Device, facts::Type::Int})
      ofType(type,
             [&](const Operand &which, const Expr *) { facts_.emit(Opcode::SetDevice, kNone, {which}, site.expr); });
  }
  if (auto moves = promised(Promise::MovesTo)) {
    isKept = true;
    if (Operand to = placeNamed(site, moves->what); to.slot != kNone) {
      ofType(facts::Type::Module, [&](const Operand &module, const Expr *) {
        facts_.emit(Opcode::MoveModule, kNone, {module, to}, site.expr);
      });
      ofType(facts::Type::Tensor, [&](const Operand &tensor, const Expr *argument) {
        if (!argument->isLValue() || argument->getType().isConstQualified())
          return;
        Slot moved = facts_.newSlot(facts::Type::Tensor);
        facts_.emit(Opcode::Move, moved, {tensor, to}, site.expr);
        facts_.assign(tensor.slot, facts_.operand(moved, site.expr), site.expr);
      });
    }
  }
  auto like = promised(Promise::Like), on = promised(Promise::On);
  if (like && typeOf(site.expr) == facts::Type::Tensor) {
    isKept = true;
    Operand model = placeNamed(site, like->what);
    slot =
        model.slot == kNone ? facts_.unknown(site.expr) : facts_.result(Opcode::Like, site.expr, {model}, site.name());
  } else if (on && typeOf(site.expr) == facts::Type::Tensor) {
    isKept = true;
    slot =
        facts_.newSlot(site.expr->getType(), site.name(), 0); // named: what is learnt of it must have a place to stay
    facts_.emit(Opcode::Unknown, slot, {}, site.expr);
    facts_.requireOn(slot, on->what, site.expr);
  } else if (isKept) {
    slot = site.expr->getType()->isVoidType() ? kNone : facts_.unknown(site.expr);
  }
  return isKept ? std::optional(slot) : std::nullopt;
}

} // namespace samedevice::clangfront
