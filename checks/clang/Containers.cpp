// Containers and wrappers as facts see them: wrappers are transparent, containers are lists. How they are made:
// MadeContainers.cpp.
#include "FunctionLowering.h"

#include "ContainerTable.h"
#include "StringSwitch.h"

#include "clang/AST/DeclTemplate.h"

namespace samedevice::clangfront {

using namespace clang;
using facts::kNone;
using facts::Slot;

namespace {

/// Which element such a method gives: any, but for these.
facts::Mode whichOf(llvm::StringRef method) {
  return StringSwitch<facts::Mode>(method)
      .Cases({"back", "top"}, facts::Mode::Back)
      .Case("front", facts::Mode::Front)
      .Default(facts::Mode::None);
}

} // namespace

/// A call of a list's method.
struct FunctionLowering::ListCall {
  const CallSite &site;
  std::string name;
  Slot list;
  QualType element;
  bool isMap;
};

std::optional<Slot> FunctionLowering::containerCall(const CallSite &site) {
  const auto *method = dyn_cast<CXXMethodDecl>(site.callee);
  const CXXRecordDecl *direct = method && site.object ? Types::recordOf(site.object->getType()) : nullptr;
  if (!direct)
    return std::nullopt;
  const Expr *expr = site.expr, *object = site.object;
  const std::string name = site.callee->getNameAsString();
  Types &types = unit_.types();
  if (isa<CXXConversionDecl>(method) && types.isStd(object->getType(), "function")) {
    Slot callable = value(object);
    return callable == kNone ? facts_.unknown(expr)
                             : facts_.result(Opcode::IsDefined, expr, {facts_.operand(callable, object)});
  }
  if (types.isWrapper(direct) || !types.held(direct).isNull() || types.isTorch(object->getType(), "OrderedDict::Item"))
    return wrapperCall(site, direct);
  const Name owner = unit_.names().of(method->getParent());
  if (owner.library == Name::Std && (owner.path == "basic_ostream" || owner.path == "basic_istream")) {
    value(object);
    if (name == "write" || name == "read")
      readPointers(site, "std::ostream::" + name);
    else
      readInto(site);
    return facts_.unknown(expr);
  }
  if (owner.library == Name::Std && llvm::StringRef(owner.path).starts_with("condition_variable") &&
      llvm::StringRef(name).starts_with("wait"))
    letOthersFill(object);
  const facts::Type type = typeOf(object);
  if (type == facts::Type::String && owner.library == Name::Std) {
    value(object);
    readPointers(site, "std::string");
    return facts_.unknown(expr);
  }
  if (type != facts::Type::List)
    return std::nullopt;
  const bool isLoader = direct->hasDefinition() && unit_.names().of(direct).library == Name::Torch &&
                        llvm::StringRef(unit_.names().of(direct).path).starts_with("data::");
  return isLoader ? loaderCall(site, direct) : listCall(site, direct);
}

/// Wrappers are transparent: what is in one is where it is.
Slot FunctionLowering::wrapperCall(const CallSite &site, const CXXRecordDecl *wrapper) {
  const Expr *expr = site.expr, *object = site.object;
  const std::string name = site.callee->getNameAsString();
  const Slot inner = value(object);
  const bool isTest = isa<CXXConversionDecl>(site.callee) ? typeOf(expr) == facts::Type::Bool
                                                          : name == "has_value" || name == "defined" || name == "valid";
  if (isTest)
    return inner == kNone ? facts_.unknown(expr)
                          : facts_.result(Opcode::IsDefined, expr, {facts_.operand(inner, object)});
  if (name == "is_empty" && inner != kNone) {
    Slot defined = facts_.newSlot(facts::Type::Bool);
    facts_.emit(Opcode::IsDefined, defined, {facts_.operand(inner, object)}, expr);
    return facts_.result(Opcode::Not, expr, {facts_.operand(defined, expr)});
  }
  if (name == "reset") {
    endOwned(object, expr);
    Operand next = site.args.empty() || isa<CXXDefaultArgExpr>(site.args[0]) ? Operand() : operand(site.args[0]);
    if (next.slot == kNone) {
      next.slot = facts_.newSlot(facts::Type::Other);
      facts_.emit(Opcode::Null, next.slot, {}, expr);
    }
    facts_.assign(inner, next, expr);
    return kNone;
  }
  if (name == "emplace") {
    QualType type = Types::templateArgument(wrapper, 0);
    facts_.assign(inner, facts_.operand(constructElement(expr, type, site.args), expr), expr);
    return inner;
  }
  if (name == "key" || name == "use_count")
    return facts_.unknown(expr);
  if (name == "swap")
    return callUnknown(site);
  if (name == "operator[]" && inner != kNone)
    return facts_.slot(inner).type == facts::Type::Pointer ? dereference(expr, object, site.arg(0))
                                                           : element(inner, site.arg(0), expr->getType(), expr);
  if ((name == "operator*" || name == "operator->") && typeOf(object) == facts::Type::Pointer)
    return name == "operator*" ? dereference(expr, object, nullptr) : inner;
  const bool isWhole = typeOf(expr) == facts::Type::Tensor || typeOf(expr) == facts::Type::Record;
  if (name == "value_or" && inner != kNone && isWhole) {
    Operand otherwise = operand(site.arg(0));
    Slot given = facts_.newSlot(facts::Type::Bool);
    facts_.emit(Opcode::IsDefined, given, {facts_.operand(inner, object)}, expr);
    return choose(expr, given, [&] { return facts_.operand(inner, object); }, [&] { return otherwise; });
  }
  evaluateAll(site.args); // get, value, operator*, operator->, lock, release, ptr, pair
  return inner;
}

Slot FunctionLowering::isEmpty(const Expr *asked, Slot list) {
  if (list == kNone)
    return facts_.unknown(asked);
  Slot size = facts_.newSlot(facts::Type::Int), zero = facts_.newSlot(facts::Type::Int);
  facts_.emit(Opcode::Size, size, {facts_.operand(list, asked)}, asked);
  facts_.emit(Opcode::Const, zero, {}, asked);
  return facts_.result(Opcode::Compare, asked, {facts_.operand(size, asked), facts_.operand(zero, asked)}, Mode::Equal);
}

Slot FunctionLowering::loaderCall(const CallSite &site, const CXXRecordDecl *loader) {
  const std::string name = site.callee->getNameAsString();
  const Slot list = value(site.object);
  if (name == "begin" && list != kNone) {
    const QualType set = Types::templateArgument(loader, 0);
    if (loaders_.staysOnHost(site.object->getType()))
      loaders_.add(list, {});
    else if (knowsBatches(set))
      loaders_.add(list, set);
  }
  if (name == "operator*" || name == "operator->")
    return loaders_.has(list) ? nextBatch(site.expr, list, Types::templateArgument(loader, 0))
                              : facts_.unknown(site.expr);
  return name == "end" || name == "begin" || name == "operator++" ? list : facts_.unknown(site.expr);
}

Slot FunctionLowering::listCall(const CallSite &site, const CXXRecordDecl *container) {
  const Expr *expr = site.expr, *object = site.object;
  const std::string name = site.callee->getNameAsString();
  const bool isMap = unit_.types().isMap(container);
  const Access access = accessOf(name, isMap);
  const ListCall call{site, name, value(object), kindOf(object).element, isMap};
  const Slot list = call.list;
  if (name == "swap" && site.args.size() == 1) {
    swapPlaces(object, site.args[0], expr);
    return kNone;
  }
  if (access == Access::None && !site.callee->isOverloadedOperator())
    return callUnknown(site);
  if (access == Access::None) {
    evaluateAll(site.args);
    return facts_.unknown(expr);
  }
  if (access == Access::Data && typeOf(expr) == facts::Type::Pointer)
    return list == kNone ? facts_.result(Opcode::Allocate, expr, {}, Mode::Host)
                         : facts_.result(Opcode::Pointer, expr, {facts_.operand(list, object)}, name);
  if (isThread(call.element) && access == Access::Emplace) {
    startThread(expr, site.args);
    return facts_.unknown(expr);
  }
  if (access == Access::Drop)
    return dropFromList(call, container->getName());
  const facts::Type held = call.element.isNull() ? facts::Type::Other : kindOf(call.element).type;
  const bool holdsPlain =
      (held == facts::Type::Other && !isStream(call.element)) || held == facts::Type::Int || held == facts::Type::Bool;
  const bool isQuery = access == Access::Same || access == Access::Begin || access == Access::Size ||
                       access == Access::Empty || access == Access::Element;
  if (holdsPlain && !isQuery) {
    readPointers(site, "std::" + container->getName().str() + "::" + name);
    return facts_.unknown(expr);
  }
  if (isMap && list != kNone && site.args.size() == 1 && (name == "find" || name == "count" || name == "contains")) {
    const Slot found = iterate(expr, list, site.args[0]);
    if (name == "find")
      return found;
    Slot there = facts_.newSlot(facts::Type::Bool);
    facts_.emit(Opcode::HasNext, there, {facts_.operand(found, expr)}, expr);
    return there;
  }
  if (name == "operator+" && site.args.size() == 1 && list != kNone && !holdsPlain)
    return stepped(expr, object, site.args[0]);
  switch (access) {
  case Access::Same:
  case Access::Data:
    evaluateAll(site.args);
    return list;
  case Access::Begin:
    return iterate(expr, list);
  case Access::Size:
    return list == kNone ? facts_.unknown(expr) : facts_.result(Opcode::Size, expr, {facts_.operand(list, object)});
  case Access::Empty:
    return isEmpty(expr, list);
  case Access::Element:
    return elementOf(call);
  case Access::Add:
    addToList(call);
    return kNone;
  case Access::Emplace:
    add(call, facts_.operand(constructElement(expr, call.element, site.args), expr));
    return expr->getType()->isVoidType() || list == kNone ? kNone : facts_.element(list, expr->getType(), expr);
  case Access::AddToMap:
    if (isOwnParameters(object) && site.args.size() == 2)
      return registerParameter(cast<MemberExpr>(stripped(object)), site.args[0], site.args[1], expr);
    for (const Expr *argument : site.args)
      if (!addEntry(expr, list, argument, call.element) && argument == site.args.back() &&
          typeOf(argument) != facts::Type::List)
        addUnderKey(expr, list, site.args.front(), copied(argument), call.element); // OrderedDict::insert(key, value)
    return list;
  case Access::EmplaceToMap:
    return emplaceToMap(call);
  case Access::Clear:
    if (list != kNone)
      facts_.emit(Opcode::ListClear, kNone, {facts_.operand(list, object)}, expr);
    return kNone;
  default:
    evaluateAll(site.args);
    return facts_.unknown(expr);
  }
}

Slot FunctionLowering::dropFromList(const ListCall &call, StringRef container) {
  const CallSite &site = call.site;
  evaluateAll(site.args);
  const bool isFirst = (call.name == "erase" && site.args.size() == 1 && isBegin(site.args[0])) ||
                       call.name == "pop_front" || (call.name == "pop" && container == "queue");
  const bool isLast = call.name == "pop_back" || (call.name == "pop" && container == "stack");
  if (call.list != kNone)
    facts_.emit(Opcode::ListDrop, kNone, {facts_.operand(call.list, site.object)}, site.expr,
                isFirst  ? Mode::Front
                : isLast ? Mode::Back
                         : Mode::None);
  return facts_.unknown(site.expr);
}

Slot FunctionLowering::elementOf(const ListCall &call) {
  const Expr *expr = call.site.expr;
  if (call.list == kNone)
    return facts_.unknown(expr);
  QualType type = expr->getType();
  const CXXRecordDecl *entry = Types::recordOf(type);
  const bool isMapEntry =
      entry && unit_.types().isStd(type, "pair") && Types::templateArgument(entry, 0).isConstQualified();
  if (isMapEntry)
    type = Types::templateArgument(entry, 1);
  const bool isIndexed = call.name == "operator[]" || call.name == "at";
  if (!isIndexed)
    return facts_.element(call.list, type, expr, whichOf(call.name));
  return call.isMap ? underKey(expr, call.list, call.site.arg(0), type)
                    : element(call.list, call.site.arg(0), type, expr);
}

void FunctionLowering::add(const ListCall &call, Operand item, Mode how) {
  if (call.list != kNone && item.slot != kNone)
    facts_.emit(Opcode::ListAdd, kNone, {facts_.operand(call.list, call.site.object), std::move(item)}, call.site.expr,
                how);
}

/// push_back(x), insert(where, x), insert(where, first, last), resize(n, x)
void FunctionLowering::addToList(const ListCall &call) {
  const CallSite &site = call.site;
  const Expr *item = nullptr;
  for (const Expr *argument : site.args)
    if (!isa<CXXDefaultArgExpr>(argument)) {
      facts::Type type = typeOf(argument);
      value(argument);
      if (type != facts::Type::Int)
        item = argument;
    }
  if (!item) {
    if (call.name == "resize" && call.list != kNone && !site.args.empty())
      makeRoom(call.list, call.element, constantInt(site.args[0], unit_.context()), site.expr);
    return;
  }
  Operand added = copied(item);
  added.mayWrite = isPointer(item);
  // Iterators may be pointers to elements: then it is what they lead into that says so.
  const std::size_t count = site.args.size();
  const bool isOfTwo = count > 1 && item == site.args[count - 1] && item->getType()->isPointerType() &&
                       unit_.context().hasSameUnqualifiedType(site.args[count - 2]->getType(), item->getType());
  const bool isRange =
      added.slot != kNone && kindOf(call.element).type != facts::Type::List &&
      (typeOf(item) == facts::Type::List || (isOfTwo && facts_.slot(added.slot).type == facts::Type::List));
  if (isRange && !unit_.types().isValue(call.element)) {
    add(call, std::move(added), Mode::Each);
    return;
  }
  if (isRange)
    added.slot =
        facts_.result(Opcode::Clone, item, {facts_.operand(facts_.element(added.slot, call.element, site.expr), item)});
  add(call, std::move(added));
  // resize(n, item), assign(n, item), insert(where, n, item)
  if (const Expr *times = count > 1 ? site.args[count - 2] : nullptr;
      times && !call.isMap && call.list != kNone && typeOf(times) == facts::Type::Int)
    addOthers(call.list, site.expr);
}

Slot FunctionLowering::emplaceToMap(const ListCall &call) {
  const CallSite &site = call.site;
  llvm::ArrayRef<const Expr *> rest = site.args;
  if (!rest.empty()) {
    value(rest.front());
    rest = rest.drop_front();
  }
  Operand made = facts_.operand(constructElement(site.expr, call.element, rest), site.expr);
  if (site.args.empty()) {
    add(call, std::move(made));
    return call.list;
  }
  addUnderKey(site.expr, call.list, site.args.front(), std::move(made), call.element);
  return iterate(site.expr, call.list, site.args.front());
}

/// m[key]
Slot FunctionLowering::underKey(const Expr *whole, Slot map, const Expr *key, QualType type) {
  return element(map, key, type, whole, Mode::Key);
}

/// m[key] = item
void FunctionLowering::addUnderKey(const Expr *whole, Slot map, const Expr *key, Operand item, QualType type) {
  if (map == kNone || item.slot == kNone)
    return;
  if (value(key) == kNone)
    facts_.emit(Opcode::ListAdd, kNone, {facts_.operand(map, whole), std::move(item)}, whole);
  else
    facts_.assign(element(map, key, type, whole, Mode::Put), std::move(item), whole);
}

/// A pair that goes into a map; false where it is none.
bool FunctionLowering::addEntry(const Expr *whole, Slot map, const Expr *entry, QualType type) {
  if (const auto [key, item] = writtenPair(entry); item) {
    addUnderKey(whole, map, key, copied(item), type);
    return true;
  }
  const Slot pair = value(entry);
  const bool isPair = pair != kNone && typeOf(entry) == facts::Type::Record;
  if (isPair && map != kNone)
    facts_.emit(Opcode::ListAdd, kNone,
                {facts_.operand(map, whole), facts_.operand(facts_.field(pair, "1", type, whole), whole)}, whole);
  return isPair;
}

/// Key and value of what is written `{key, value}` or make_pair(key, value); else neither.
std::pair<const Expr *, const Expr *> FunctionLowering::writtenPair(const Expr *entry) {
  const Expr *inner = stripped(entry);
  while (const auto *copy = dyn_cast_or_null<CXXConstructExpr>(inner)) {
    if (copy->getNumArgs() != 1)
      break;
    inner = stripped(copy->getArg(0));
  }
  if (const auto *pair = dyn_cast_or_null<CXXConstructExpr>(inner); pair && pair->getNumArgs() == 2)
    return {pair->getArg(0), pair->getArg(1)};
  if (const auto *made = dyn_cast_or_null<CallExpr>(inner);
      made && made->getNumArgs() == 2 && CallSite::of(made).name() == "make_pair")
    return {made->getArg(0), made->getArg(1)};
  return {nullptr, nullptr};
}

/// A pointer to what lives elsewhere: whoever finds it in a list writes to that.
bool FunctionLowering::isPointer(const Expr *expr) {
  QualType type = expr->getType();
  if (!type->isPointerType())
    return pointsToTensor(type);
  return !type->getPointeeType().isConstQualified() && typeOf(expr) != facts::Type::Pointer;
}

} // namespace samedevice::clangfront
