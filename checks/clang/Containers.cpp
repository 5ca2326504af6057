// Containers and wrappers as facts see them: wrappers are transparent, containers are lists.
#include "FunctionLowering.h"

#include "StringSwitch.h"

#include "clang/AST/DeclTemplate.h"

namespace samedevice::clangfront {

using namespace clang;
using facts::kNone;
using facts::Slot;

namespace {

enum class Access {
  None,
  Same,
  Begin,
  Size,
  Empty,
  Element,
  Add,
  Emplace,
  AddToMap,
  EmplaceToMap,
  Clear,
  Drop,
  Data,
  Nothing
};

Access accessOf(llvm::StringRef name, bool isMap) {
  return StringSwitch<Access>(name)
      .Cases({"push_back", "push_front", "push", "append"}, Access::Add)
      .Cases({"emplace_back", "emplace_front"}, Access::Emplace)
      .Cases({"insert", "assign", "resize"}, isMap ? Access::AddToMap : Access::Add)
      .Cases({"emplace", "try_emplace", "insert_or_assign", "emplace_hint"},
             isMap ? Access::EmplaceToMap : Access::Emplace)
      .Cases({"at", "front", "back", "top", "operator[]", "operator*", "operator->", "get"}, Access::Element)
      .Cases({"begin", "cbegin", "rbegin", "crbegin"}, Access::Begin)
      .Case("size", Access::Size)
      .Case("empty", Access::Empty)
      .Cases({"end", "cend", "rend", "crend"}, Access::Same)
      .Cases({"find", "lower_bound", "upper_bound", "operator++", "operator--", "operator+", "operator+="},
             Access::Same)
      .Cases({"operator-=", "base", "vec", "slice", "toVec", "elements", "equal_range"}, Access::Same)
      .Case("clear", Access::Clear)
      .Cases({"pop_back", "pop_front", "pop", "erase"}, Access::Drop)
      .Case("data", Access::Data)
      .Cases({"reserve", "count", "contains"}, Access::Nothing)
      .Cases({"shrink_to_fit", "capacity", "max_size", "key", "keys"}, Access::Nothing)
      .Default(Access::None);
}

/// `v.begin()`, maybe as another kind of iterator.
bool isBegin(const Expr *where) {
  where = stripped(where);
  while (const auto *converted = dyn_cast_or_null<CXXConstructExpr>(where))
    where = converted->getNumArgs() > 0 ? stripped(converted->getArg(0)) : nullptr;
  const auto *call = dyn_cast_or_null<CXXMemberCallExpr>(where);
  const CXXMethodDecl *method = call ? call->getMethodDecl() : nullptr;
  return method && method->getIdentifier() && method->getName() == "begin";
}

/// Which element such a method gives: any, but for these.
llvm::StringRef whichOf(llvm::StringRef method) {
  return StringSwitch<llvm::StringRef>(method).Cases({"back", "top"}, "back").Case("front", "front").Default("");
}

bool isMapClass(const CXXRecordDecl *record) {
  const StringRef name = record->getName();
  return name.contains("map") || name == "OrderedDict" || name == "Dict";
}

} // namespace

bool FunctionLowering::containerCall(const CallSite &site, Slot &slot) {
  const auto *method = dyn_cast<CXXMethodDecl>(site.callee);
  if (!method || !site.object)
    return false;
  const Expr *expr = site.expr, *object = site.object;
  std::string name = site.callee->getNameAsString();
  const CXXRecordDecl *direct = Types::recordOf(object->getType());
  if (!direct)
    return false;
  Types &types = unit_.types();
  if (isa<CXXConversionDecl>(method) && types.isStd(object->getType(), "function")) {
    Slot callable = value(object);
    slot = callable == kNone ? facts_.unknown(expr)
                             : facts_.result(Opcode::IsDefined, expr, {facts_.operand(callable, object)});
    return true;
  }
  if (types.isWrapper(direct) || !types.held(direct).isNull() ||
      types.isTorch(object->getType(), "OrderedDict::Item")) {
    Slot inner = value(object);
    bool isTest = isa<CXXConversionDecl>(method) ? typeOf(expr) == facts::Type::Bool
                                                 : name == "has_value" || name == "defined" || name == "valid";
    if (isTest) {
      slot = inner == kNone ? facts_.unknown(expr)
                            : facts_.result(Opcode::IsDefined, expr, {facts_.operand(inner, object)});
    } else if (name == "is_empty" && inner != kNone) {
      Slot defined = facts_.newSlot(facts::Type::Bool);
      facts_.emit(Opcode::IsDefined, defined, {facts_.operand(inner, object)}, expr);
      slot = facts_.result(Opcode::Not, expr, {facts_.operand(defined, expr)});
    } else if (name == "reset") {
      endOwned(object, expr);
      Operand next = site.args.empty() || isa<CXXDefaultArgExpr>(site.args[0]) ? Operand() : operand(site.args[0]);
      if (next.slot == kNone) {
        next.slot = facts_.newSlot(facts::Type::Other);
        facts_.emit(Opcode::Null, next.slot, {}, expr);
      }
      facts_.assign(inner, next, expr);
    } else if (name == "emplace") {
      QualType type = Types::templateArgument(direct, 0);
      facts_.assign(inner, facts_.operand(constructElement(site, type, site.args), expr), expr);
      slot = inner;
    } else if (name == "key" || name == "use_count") {
      slot = facts_.unknown(expr);
    } else if (name == "swap") {
      slot = callUnknown(site);
    } else if (name == "operator[]" && inner != kNone) {
      slot = facts_.slot(inner).type == facts::Type::Pointer ? dereference(expr, object, site.arg(0))
                                                             : element(inner, site.arg(0), expr->getType(), expr);
    } else if ((name == "operator*" || name == "operator->") && typeOf(object) == facts::Type::Pointer) {
      slot = name == "operator*" ? dereference(expr, object, nullptr) : inner;
    } else if (name == "value_or" && inner != kNone && typeOf(expr) == facts::Type::Tensor) {
      Operand otherwise = operand(site.arg(0));
      Slot given = facts_.newSlot(facts::Type::Bool);
      facts_.emit(Opcode::IsDefined, given, {facts_.operand(inner, object)}, expr);
      slot = choose(expr, given, [&] { return facts_.operand(inner, object); }, [&] { return otherwise; });
    } else { // get, value, operator*, operator->, lock, release, ptr, pair
      for (const Expr *argument : site.args)
        value(argument);
      slot = inner;
    }
    return true;
  }
  const Name owner = unit_.names().of(method->getParent());
  if (owner.library == Name::Std && (owner.path == "basic_ostream" || owner.path == "basic_istream")) {
    value(object);
    if (name == "write" || name == "read")
      readPointers(site, "std::ostream::" + name);
    else
      readInto(site);
    slot = facts_.unknown(expr);
    return true;
  }
  if (owner.library == Name::Std && llvm::StringRef(owner.path).starts_with("condition_variable") &&
      llvm::StringRef(name).starts_with("wait"))
    letOthersFill(object);
  Kind kind = kindOf(object);
  if (kind.type == facts::Type::String && owner.library == Name::Std) {
    value(object);
    readPointers(site, "std::string");
    slot = facts_.unknown(expr);
    return true;
  }
  if (kind.type != facts::Type::List)
    return false;
  Slot list = value(object);
  bool isLoader = direct->hasDefinition() && unit_.names().of(direct).library == Name::Torch &&
                  llvm::StringRef(unit_.names().of(direct).path).starts_with("data::");
  if (isLoader) {
    if (name == "begin" && list != kNone) {
      const QualType set = Types::templateArgument(direct, 0);
      if (loaderStaysOnHost(object->getType()))
        loaders_[list] = {};
      else if (knowsBatches(set))
        loaders_[list] = set;
    }
    if (name == "operator*" || name == "operator->")
      slot = loaders_.count(list) ? nextBatch(expr, list, Types::templateArgument(direct, 0)) : facts_.unknown(expr);
    else
      slot = name == "end" || name == "begin" || name == "operator++" ? list : facts_.unknown(expr);
    return true;
  }
  bool holdsPlain = kind.element.isNull() || kindOf(kind.element).type == facts::Type::Other ||
                    kindOf(kind.element).type == facts::Type::Int || kindOf(kind.element).type == facts::Type::Bool;
  StringRef container = direct->getName();
  const bool isMap = isMapClass(direct);
  Access access = accessOf(name, isMap);
  if (name == "swap" && site.args.size() == 1) {
    swapPlaces(object, site.args[0], expr);
    slot = kNone;
    return true;
  }
  if (access == Access::None && !site.callee->isOverloadedOperator()) {
    slot = callUnknown(site);
    return true;
  }
  if (access == Access::None) {
    for (const Expr *argument : site.args)
      value(argument);
    slot = facts_.unknown(expr);
    return true;
  }
  if (access == Access::Data && typeOf(expr) == facts::Type::Pointer) {
    slot = list == kNone ? facts_.result(Opcode::Allocate, expr, {}, "host")
                         : facts_.result(Opcode::Pointer, expr, {facts_.operand(list, object)}, name);
    return true;
  }
  if (isThread(kind.element) && access == Access::Emplace) {
    startThread(expr, site.args);
    slot = facts_.unknown(expr);
    return true;
  }
  if (access == Access::Drop) {
    for (const Expr *argument : site.args)
      value(argument);
    const bool isFirst = (name == "erase" && site.args.size() == 1 && isBegin(site.args[0])) || name == "pop_front" ||
                         (name == "pop" && container == "queue");
    const bool isLast = name == "pop_back" || (name == "pop" && container == "stack");
    if (list != kNone)
      facts_.emit(Opcode::ListDrop, kNone, {facts_.operand(list, object)}, expr,
                  isFirst  ? "front"
                  : isLast ? "back"
                           : "");
    slot = facts_.unknown(expr);
    return true;
  }
  bool isQuery = access == Access::Same || access == Access::Begin || access == Access::Size ||
                 access == Access::Empty || access == Access::Element;
  if (holdsPlain && !isQuery) {
    readPointers(site, "std::" + container.str() + "::" + name);
    slot = facts_.unknown(expr);
    return true;
  }
  auto add = [&](Operand item) {
    if (list != kNone && item.slot != kNone)
      facts_.emit(Opcode::ListAdd, kNone, {facts_.operand(list, object), std::move(item)}, expr);
  };
  if (isMap && list != kNone && site.args.size() == 1 && (name == "find" || name == "count" || name == "contains")) {
    slot = iterate(expr, list, site.args[0]);
    if (name != "find") {
      Slot there = facts_.newSlot(facts::Type::Bool);
      facts_.emit(Opcode::HasNext, there, {facts_.operand(slot, expr)}, expr);
      slot = there;
    }
    return true;
  }
  switch (access) {
  case Access::Same:
  case Access::Data:
    for (const Expr *argument : site.args)
      value(argument);
    slot = list;
    break;
  case Access::Begin:
    slot = iterate(expr, list);
    break;
  case Access::Size:
    slot = list == kNone ? facts_.unknown(expr) : facts_.result(Opcode::Size, expr, {facts_.operand(list, object)});
    break;
  case Access::Empty: {
    if (list == kNone) {
      slot = facts_.unknown(expr);
      break;
    }
    Slot size = facts_.newSlot(facts::Type::Int), zero = facts_.newSlot(facts::Type::Int);
    facts_.emit(Opcode::Size, size, {facts_.operand(list, object)}, expr);
    facts_.emit(Opcode::Const, zero, {}, expr);
    slot = facts_.result(Opcode::Compare, expr, {facts_.operand(size, expr), facts_.operand(zero, expr)}, "==");
    break;
  }
  case Access::Element: {
    QualType type = expr->getType();
    const CXXRecordDecl *entry = Types::recordOf(type);
    bool isMapEntry = entry && types.isStd(type, "pair") && Types::templateArgument(entry, 0).isConstQualified();
    if (isMapEntry)
      type = Types::templateArgument(entry, 1);
    bool indexed = name == "operator[]" || name == "at";
    if (list == kNone)
      slot = facts_.unknown(expr);
    else
      slot = indexed && isMap ? underKey(expr, list, site.arg(0), type)
             : indexed        ? element(list, site.arg(0), type, expr)
                              : facts_.element(list, type, expr, whichOf(name));
    break;
  }
  case Access::Add: {
    // push_back(x), insert(where, x), insert(where, first, last), resize(n, x)
    const Expr *item = nullptr;
    for (const Expr *argument : site.args)
      if (!isa<CXXDefaultArgExpr>(argument)) {
        facts::Type type = typeOf(argument);
        value(argument);
        if (type != facts::Type::Int)
          item = argument;
      }
    if (!item) {
      if (name == "resize" && list != kNone && !site.args.empty())
        makeRoom(list, kind.element, constantInt(site.args[0], unit_.context()), expr);
      break;
    }
    Operand added = copied(item);
    added.mayWrite = isPointer(item);
    bool isRange = typeOf(item) == facts::Type::List && kindOf(kind.element).type != facts::Type::List;
    if (isRange && added.slot != kNone) {
      added.slot = facts_.element(added.slot, kind.element, expr);
      if (types.isValue(kind.element))
        added.slot = facts_.result(Opcode::Clone, item, {added});
    }
    add(std::move(added));
    break;
  }
  case Access::Emplace:
    add(facts_.operand(constructElement(site, kind.element, site.args), expr));
    if (!expr->getType()->isVoidType() && list != kNone)
      slot = facts_.element(list, expr->getType(), expr);
    break;
  case Access::AddToMap:
    for (const Expr *argument : site.args)
      if (!addEntry(expr, list, argument, kind.element) && argument == site.args.back() &&
          typeOf(argument) != facts::Type::List)
        addUnderKey(expr, list, site.args.front(), copied(argument), kind.element); // OrderedDict::insert(key, value)
    slot = list;
    break;
  case Access::EmplaceToMap: {
    llvm::SmallVector<const Expr *, 4> rest(site.args.begin(), site.args.end());
    if (!rest.empty()) {
      value(rest.front());
      rest.erase(rest.begin());
    }
    Operand made = facts_.operand(constructElement(site, kind.element, rest), expr);
    if (site.args.empty())
      add(std::move(made));
    else
      addUnderKey(expr, list, site.args.front(), std::move(made), kind.element);
    slot = site.args.empty() ? list : iterate(expr, list, site.args.front());
    break;
  }
  case Access::Clear:
    if (list != kNone)
      facts_.emit(Opcode::ListClear, kNone, {facts_.operand(list, object)}, expr);
    break;
  default:
    for (const Expr *argument : site.args)
      value(argument);
    slot = facts_.unknown(expr);
    break;
  }
  return true;
}

/// m[key]
Slot FunctionLowering::underKey(const Expr *whole, Slot map, const Expr *key, QualType type) {
  return element(map, key, type, whole, "key");
}

/// m[key] = item
void FunctionLowering::addUnderKey(const Expr *whole, Slot map, const Expr *key, Operand item, QualType type) {
  if (map == kNone || item.slot == kNone)
    return;
  if (value(key) == kNone)
    facts_.emit(Opcode::ListAdd, kNone, {facts_.operand(map, whole), std::move(item)}, whole);
  else
    facts_.assign(underKey(whole, map, key, type), std::move(item), whole);
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
      made && made->getNumArgs() == 2 && siteOf(made).name() == "make_pair")
    return {made->getArg(0), made->getArg(1)};
  return {nullptr, nullptr};
}

/// A pointer to what lives elsewhere: whoever finds it in a list writes to that.
bool FunctionLowering::isPointer(const Expr *expr) {
  QualType type = expr->getType();
  return type->isPointerType() && !type->getPointeeType().isConstQualified() && typeOf(expr) != facts::Type::Pointer;
}

Slot FunctionLowering::constructElement(const CallSite &site, QualType type, llvm::ArrayRef<const Expr *> args) {
  if (type.isNull())
    return kNone;
  Kind wanted = kindOf(type);
  bool copies = args.size() == 1 && wanted.type == typeOf(args[0]) && wanted.type != facts::Type::Other;
  // A module made from another module may as well hold it: only one of its own kind is copied.
  if (copies && wanted.type == facts::Type::Module && kindOf(args[0]->getType()).record != wanted.record &&
      wanted.record && unit_.names().isUser(wanted.record))
    copies = false;
  if (copies)
    return copied(args[0]).slot;
  const CXXRecordDecl *record = type->getAsCXXRecordDecl();
  if (!record)
    return args.size() == 1 ? value(args[0]) : kNone;
  return constructType(site.expr, type, args, nullptr);
}

Slot FunctionLowering::constructContainer(const Expr *whole, QualType type, llvm::ArrayRef<const Expr *> args) {
  const CXXRecordDecl *record = type->getAsCXXRecordDecl();
  bool isText = kindOf(type).type == facts::Type::String;
  std::string name = Names::qualified(record);
  if (isText)
    name = "std::string";
  const auto *written = args.empty() ? nullptr : dyn_cast_or_null<CXXStdInitializerListExpr>(stripped(args[0]));
  const auto *entries = written ? dyn_cast_or_null<InitListExpr>(stripped(written->getSubExpr())) : nullptr;
  if (entries && isMapClass(record))
    return constructMap(whole, type, entries);
  Slot first = kNone;
  bool fromPointer = false;
  for (const Expr *argument : args) {
    const Expr *inner = stripped(argument);
    Slot slot = value(argument);
    if (argument == args.front())
      first = slot;
    if (!fromPointer && inner && typeOf(inner) == facts::Type::Pointer && slot != kNone) {
      fromPointer = true;
      bool keepsView = name == "std::span" || name == "c10::ArrayRef";
      if (keepsView)
        return facts_.result(Opcode::HostView, whole, {facts_.operand(slot, argument)}, name);
      readOnHost(argument, whole, name, false);
    }
  }
  if (isText)
    return args.size() == 1 && first != kNone && !fromPointer ? first : facts_.unknown(whole);
  Kind element = kindOf(kindOf(type).element);
  bool wraps = !args.empty() && first != kNone && typeOf(args[0]) == facts::Type::List;
  if (wraps)
    return args.size() == 1 ? first : facts_.result(Opcode::Clone, whole, {facts_.operand(first, args[0])});
  Operands items;
  for (const Expr *argument : args)
    if (typeOf(argument) == element.type && element.type != facts::Type::Other && element.type != facts::Type::Int &&
        element.type != facts::Type::Bool)
      if (Operand item = operand(argument); item.slot != kNone)
        items.push_back(std::move(item));
  const bool isCounted = args.size() == 1 && typeOf(args[0]) == facts::Type::Int;
  const std::optional<std::int64_t> size = args.empty() ? Types::arraySize(record) : std::nullopt;
  if (size || isCounted)
    return listOfDefaults(whole, kindOf(type).element, size ? size : constantInt(args[0], unit_.context()));
  return facts_.result(Opcode::List, whole, std::move(items));
}

/// map{{key, value}, ...}
Slot FunctionLowering::constructMap(const Expr *whole, QualType type, const InitListExpr *entries) {
  const Slot map = facts_.result(Opcode::List, whole, {});
  for (const Expr *entry : entries->inits())
    addEntry(whole, map, entry, kindOf(type).element);
  return map;
}

/// vector(n), array, T[n]: elements that nobody wrote.
Slot FunctionLowering::listOfDefaults(const Expr *whole, QualType element, std::optional<std::int64_t> count) {
  const Slot list = facts_.result(Opcode::List, whole, {});
  makeRoom(list, element, count, whole);
  return list;
}

/// Objects of the user's are built, two where nobody knows how many; what has no constructor of theirs comes into being
/// when it is gone to.
void FunctionLowering::makeRoom(Slot list, QualType type, std::optional<std::int64_t> count, const Expr *whole) {
  constexpr std::int64_t mostBuilt = 4;
  const Kind element = kindOf(type);
  if (element.type == facts::Type::Record && element.record && unit_.names().isUser(element.record))
    for (std::int64_t n = std::min(count.value_or(2), mostBuilt); n > 0; --n)
      facts_.emit(
          Opcode::ListAdd, kNone,
          {facts_.operand(list, whole), facts_.operand(constructUser(whole, element.record, {}, nullptr), whole)},
          whole);
  else if (element.type == facts::Type::Tensor || element.type == facts::Type::Module ||
           element.type == facts::Type::List || element.type == facts::Type::Record)
    facts_.emit(Opcode::ListAdd, kNone, {facts_.operand(list, whole)}, whole).number = count.value_or(0);
}

} // namespace samedevice::clangfront
