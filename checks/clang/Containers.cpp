// The standard library as facts see it: wrappers are transparent, containers are lists, pairs and tuples are
// records, algorithms read what they are pointed at.
#include "FunctionLowering.h"

#include "clang/AST/DeclTemplate.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/StringSwitch.h"

namespace samedevice::clangfront {

using namespace clang;
using facts::kNone;
using facts::Opcode;
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
  Data,
  Nothing
};

Access accessOf(llvm::StringRef name, bool isMap) {
  return llvm::StringSwitch<Access>(name)
      .Cases("push_back", "push_front", "push", "append", Access::Add)
      .Cases("emplace_back", "emplace_front", Access::Emplace)
      .Cases("insert", "assign", "resize", isMap ? Access::AddToMap : Access::Add)
      .Cases("emplace", "try_emplace", "insert_or_assign", "emplace_hint",
             isMap ? Access::EmplaceToMap : Access::Emplace)
      .Cases("at", "front", "back", "top", "operator[]", "operator*", "operator->", "get", Access::Element)
      .Cases("begin", "cbegin", "rbegin", "crbegin", Access::Begin)
      .Case("size", Access::Size)
      .Case("empty", Access::Empty)
      .Cases("end", "cend", "rend", "crend", Access::Same)
      .Cases("find", "lower_bound", "upper_bound", "operator++", "operator--", "operator+", "operator+=", Access::Same)
      .Cases("operator-=", "base", "vec", "slice", "toVec", "elements", "equal_range", Access::Same)
      .Case("clear", Access::Clear)
      .Case("data", Access::Data)
      .Cases("erase", "pop_back", "pop_front", "pop", "reserve", "count", "contains", Access::Nothing)
      .Cases("shrink_to_fit", "capacity", "max_size", "key", "keys", Access::Nothing)
      .Default(Access::None);
}

} // namespace

// --- Members of containers, iterators, wrappers. ------------------------------------------------------------------

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
    slot = callable == kNone ? unknown(expr) : result(Opcode::IsDefined, expr, {operand(callable, object)});
    return true;
  }
  if (types.isWrapper(direct) || !types.held(direct).isNull() ||
      types.isTorch(object->getType(), "OrderedDict::Item")) {
    Slot inner = value(object);
    bool isTest = isa<CXXConversionDecl>(method) ? typeOf(expr) == facts::Type::Bool
                                                 : name == "has_value" || name == "defined" || name == "valid";
    if (isTest) {
      slot = inner == kNone ? unknown(expr) : result(Opcode::IsDefined, expr, {operand(inner, object)});
    } else if (name == "is_empty" && inner != kNone) {
      Slot defined = newSlot(facts::Type::Bool);
      emit(Opcode::IsDefined, defined, {operand(inner, object)}, expr);
      slot = result(Opcode::Not, expr, {operand(defined, expr)});
    } else if (name == "reset") {
      endOwned(object, expr);
      Operand next = site.args.empty() || isa<CXXDefaultArgExpr>(site.args[0]) ? Operand() : operand(site.args[0]);
      if (next.slot == kNone) {
        next.slot = newSlot(facts::Type::Other);
        emit(Opcode::Null, next.slot, {}, expr);
      }
      assign(inner, next, expr);
    } else if (name == "emplace") {
      QualType type = Types::templateArgument(direct, 0);
      assign(inner, operand(constructElement(site, type, site.args), expr), expr);
      slot = inner;
    } else if (name == "key" || name == "use_count") {
      slot = unknown(expr);
    } else if (name == "swap") {
      slot = callUnknown(site);
    } else if (name == "operator[]" && inner != kNone) {
      slot = facts_.slots[inner].type == facts::Type::Pointer ? dereference(expr, object, site.arg(0))
                                                              : element(inner, site.arg(0), expr->getType(), expr);
    } else if ((name == "operator*" || name == "operator->") && typeOf(object) == facts::Type::Pointer) {
      slot = name == "operator*" ? dereference(expr, object, nullptr) : inner;
    } else { // get, value, value_or, operator*, operator->, lock, release, ptr, pair
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
      for (const Expr *argument : site.args)
        value(argument);
    slot = unknown(expr);
    return true;
  }
  Kind kind = kindOf(object);
  if (kind.type == facts::Type::String && owner.library == Name::Std) {
    value(object);
    readPointers(site, "std::string");
    slot = unknown(expr);
    return true;
  }
  if (kind.type != facts::Type::List)
    return false;
  Slot list = value(object);
  bool isLoader = direct->hasDefinition() && unit_.names().of(direct).library == Name::Torch &&
                  llvm::StringRef(unit_.names().of(direct).path).starts_with("data::");
  if (isLoader) {
    if (name == "begin" && list != kNone && loaderStaysOnHost(object->getType()))
      loaders_.insert(list);
    if (name == "operator*" || name == "operator->")
      slot = loaders_.count(list) ? loaderBatch(expr, Types::templateArgument(direct, 0)) : unknown(expr);
    else
      slot = name == "end" || name == "begin" || name == "operator++" ? list : unknown(expr);
    return true;
  }
  bool holdsPlain = kind.element.isNull() || kindOf(kind.element).type == facts::Type::Other ||
                    kindOf(kind.element).type == facts::Type::Int || kindOf(kind.element).type == facts::Type::Bool;
  StringRef container = direct->getName();
  bool isMap = container.contains("map") || container == "OrderedDict" || container == "Dict";
  Access access = accessOf(name, isMap);
  if (access == Access::None && !site.callee->isOverloadedOperator()) {
    slot = callUnknown(site);
    return true;
  }
  if (access == Access::None) {
    for (const Expr *argument : site.args)
      value(argument);
    slot = unknown(expr);
    return true;
  }
  if (access == Access::Data && typeOf(expr) == facts::Type::Pointer) {
    slot = list == kNone ? result(Opcode::Allocate, expr, {}, "host")
                         : result(Opcode::Pointer, expr, {operand(list, object)}, name);
    return true;
  }
  if (isThread(kind.element) && access == Access::Emplace) {
    startThread(expr, site.args);
    slot = unknown(expr);
    return true;
  }
  bool isQuery = access == Access::Same || access == Access::Begin || access == Access::Size ||
                 access == Access::Empty || access == Access::Element;
  if (holdsPlain && !isQuery) {
    readPointers(site, "std::" + container.str() + "::" + name);
    slot = unknown(expr);
    return true;
  }
  auto add = [&](Operand item) {
    if (list != kNone && item.slot != kNone)
      emit(Opcode::ListAdd, kNone, {operand(list, object), std::move(item)}, expr);
  };
  auto under = [&](const Expr *key, QualType type) { // m[key]
    Slot place = element(list, key, type, expr);
    auto &instructions = facts_.blocks[current_].instructions;
    if (!instructions.empty() && instructions.back().opcode == Opcode::Element && instructions.back().dest == place)
      instructions.back().text = "key";
    return place;
  };
  auto addUnder = [&](const Expr *key, Operand item) { // m[key] = item
    if (value(key) == kNone || list == kNone || item.slot == kNone)
      return add(std::move(item));
    assign(under(key, kind.element), std::move(item), expr);
  };
  if (isMap && list != kNone && site.args.size() == 1 && (name == "find" || name == "count" || name == "contains")) {
    slot = iterate(expr, list, site.args[0]);
    if (name != "find") {
      Slot there = newSlot(facts::Type::Bool);
      emit(Opcode::HasNext, there, {operand(slot, expr)}, expr);
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
    slot = list == kNone ? unknown(expr) : result(Opcode::Size, expr, {operand(list, object)});
    break;
  case Access::Empty: {
    if (list == kNone) {
      slot = unknown(expr);
      break;
    }
    Slot size = newSlot(facts::Type::Int), zero = newSlot(facts::Type::Int);
    emit(Opcode::Size, size, {operand(list, object)}, expr);
    emit(Opcode::Const, zero, {}, expr);
    slot = result(Opcode::Compare, expr, {operand(size, expr), operand(zero, expr)}, "==");
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
      slot = unknown(expr);
    else
      slot = indexed && isMap ? under(site.arg(0), type) : element(list, indexed ? site.arg(0) : nullptr, type, expr);
    bool isLast = name == "back" || (name == "top" && list != kNone);
    bool isFirst = name == "front";
    if ((isLast || isFirst) && !facts_.blocks[current_].instructions.empty() &&
        facts_.blocks[current_].instructions.back().dest == slot)
      facts_.blocks[current_].instructions.back().text = isLast ? "back" : "front";
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
    if (!item)
      break;
    Operand added = operand(item);
    added.mayWrite = isPointer(item);
    bool isRange = typeOf(item) == facts::Type::List && kindOf(kind.element).type != facts::Type::List;
    if (isRange && added.slot != kNone)
      added.slot = element(added.slot, nullptr, kind.element, expr);
    add(std::move(added));
    break;
  }
  case Access::Emplace:
    add(operand(constructElement(site, kind.element, site.args), expr));
    if (!expr->getType()->isVoidType() && list != kNone)
      slot = element(list, nullptr, expr->getType(), expr);
    break;
  case Access::AddToMap:
    for (const Expr *argument : site.args) {
      const Expr *inner = stripped(argument);
      const Expr *first = nullptr, *second = nullptr;
      while (const auto *copy = dyn_cast_or_null<CXXConstructExpr>(inner)) {
        if (copy->getNumArgs() != 1)
          break;
        inner = stripped(copy->getArg(0));
      }
      if (const auto *pair = dyn_cast_or_null<CXXConstructExpr>(inner); pair && pair->getNumArgs() == 2)
        first = pair->getArg(0), second = pair->getArg(1);
      else if (const auto *made = dyn_cast_or_null<CallExpr>(inner);
               made && made->getNumArgs() == 2 && siteOf(made).name() == "make_pair")
        first = made->getArg(0), second = made->getArg(1);
      Slot whole = value(argument);
      if (second)
        addUnder(first, operand(second));
      else if (typeOf(argument) == facts::Type::Record && whole != kNone)
        add(operand(field(whole, "1", kind.element, expr), expr));
      else if (&argument == site.args.end() - 1 && whole != kNone && typeOf(argument) != facts::Type::List)
        addUnder(site.args.front(), operand(argument)); // OrderedDict::insert(key, value)
    }
    slot = list;
    break;
  case Access::EmplaceToMap: {
    llvm::SmallVector<const Expr *, 4> rest(site.args.begin(), site.args.end());
    if (!rest.empty()) {
      value(rest.front());
      rest.erase(rest.begin());
    }
    Operand made = operand(constructElement(site, kind.element, rest), expr);
    if (site.args.empty())
      add(std::move(made));
    else
      addUnder(site.args.front(), std::move(made));
    slot = site.args.empty() ? list : iterate(expr, list, site.args.front());
    break;
  }
  case Access::Clear:
    if (list != kNone)
      emit(Opcode::ListClear, kNone, {operand(list, object)}, expr);
    break;
  default:
    for (const Expr *argument : site.args)
      value(argument);
    slot = unknown(expr);
    break;
  }
  return true;
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
    return value(args[0]);
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
        return result(Opcode::HostView, whole, {operand(slot, argument)}, name);
      readOnHost(argument, whole, name, false);
    }
  }
  if (isText)
    return args.size() == 1 && first != kNone && !fromPointer ? first : unknown(whole);
  Kind element = kindOf(kindOf(type).element);
  bool wraps = !args.empty() && first != kNone && typeOf(args[0]) == facts::Type::List;
  if (wraps)
    return args.size() == 1 ? first : result(Opcode::Clone, whole, {operand(first, args[0])});
  Operands items;
  for (const Expr *argument : args)
    if (typeOf(argument) == element.type && element.type != facts::Type::Other && element.type != facts::Type::Int &&
        element.type != facts::Type::Bool)
      if (Operand item = operand(argument); item.slot != kNone)
        items.push_back(std::move(item));
  return result(Opcode::List, whole, std::move(items));
}

// --- Pairs and tuples. --------------------------------------------------------------------------------------------

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

// --- Functions of std. --------------------------------------------------------------------------------------------

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
      slot = result(Opcode::Copy, expr, {operand(place, site.args[0])});
      assign(place, next, expr);
    }
    return true;
  }
  if (site.callee->getOverloadedOperator() == OO_LessLess ||
      site.callee->getOverloadedOperator() == OO_GreaterGreater) {
    for (const Expr *argument : site.args)
      value(argument);
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
  invokeCallbacks(site);
  slot = unknown(expr);
  return true;
}

void FunctionLowering::swapPlaces(const Expr *first, const Expr *second, const Expr *whole) {
  Slot one = value(first), other = value(second);
  if (one == kNone || other == kNone || typeOf(first) == facts::Type::Other)
    return;
  Slot kept = newSlot(first->getType().getNonReferenceType(), "", 0);
  facts_.slots[kept].reference = false;
  emit(Opcode::Copy, kept, {operand(one, first)}, whole);
  assign(one, operand(other, second), whole);
  assign(other, operand(kept, first), whole);
}

// --- Data loaders. ------------------------------------------------------------------------------------------------

bool FunctionLowering::loaderStaysOnHost(QualType loader) {
  // Batches are on the CPU unless some class of the user's on the way (a collation, a transform) moves them.
  std::vector<QualType> types{loader.getNonReferenceType()};
  for (int budget = 64; !types.empty() && budget > 0; --budget) {
    QualType type = types.back();
    types.pop_back();
    const CXXRecordDecl *record = Types::recordOf(type);
    if (!record)
      continue;
    if (unit_.names().isUser(record)) {
      bool isPart = unit_.types().derivesFrom(record, "data::datasets::BatchDataset") ||
                    unit_.types().derivesFrom(record, "data::transforms::BatchTransform");
      if (!isOwnExample(record) && (!isPart || movesExamples(record)))
        return false;
      continue;
    }
    if (unit_.names().of(record).path.find("Lambda") != std::string::npos)
      return false; // a function of the user's: its type does not say which
    for (unsigned i = 0;; ++i) {
      QualType argument = Types::templateArgument(record, i);
      if (argument.isNull())
        break;
      types.push_back(argument);
    }
  }
  return true;
}

bool FunctionLowering::movesExamples(const CXXRecordDecl *record) {
  std::vector<const Stmt *> open;
  for (const CXXMethodDecl *method : record->methods()) {
    std::string name = method->getNameAsString();
    bool makes = StringRef(name).starts_with("get") || StringRef(name).starts_with("apply") || name == "operator()";
    const auto *constructor = dyn_cast<CXXConstructorDecl>(method); // of a data set that is kept on the GPU
    if (constructor && !constructor->isImplicit())
      for (const CXXCtorInitializer *initializer : constructor->inits())
        open.push_back(initializer->getInit());
    if ((makes || constructor) && method->getBody())
      open.push_back(method->getBody());
  }
  llvm::SmallPtrSet<const Stmt *, 8> seen; // bodies of what is called on the way
  while (!open.empty()) {
    const Stmt *stmt = open.back();
    open.pop_back();
    if (!stmt || isa<CXXDefaultArgExpr>(stmt))
      continue;
    if (const auto *expr = dyn_cast<Expr>(stmt); expr && namesDevice(expr))
      return true;
    if (const auto *call = dyn_cast<CallExpr>(stmt)) {
      const FunctionDecl *callee = call->getDirectCallee();
      const auto *method = dyn_cast_or_null<CXXMethodDecl>(callee);
      QualType owner = method ? QualType(method->getParent()->getTypeForDecl(), 0) : QualType();
      if (!callee || (method && unit_.types().isStd(owner, "function")))
        return true; // whatever was put there
      if (unit_.names().isUser(callee) && callee->getBody() && seen.insert(callee->getBody()).second)
        open.push_back(callee->getBody());
    }
    open.insert(open.end(), stmt->child_begin(), stmt->child_end());
  }
  return false;
}

/// Options put together from a dtype say nothing; a variable of options may hold a device.
bool FunctionLowering::namesDevice(const Expr *expr) {
  facts::Type type = typeOf(expr);
  if (type == facts::Type::Device || (type == facts::Type::Options && isa<DeclRefExpr, MemberExpr>(expr)))
    return true;
  const auto *moved = dyn_cast<CXXMemberCallExpr>(expr);
  const CXXMethodDecl *callee = moved ? moved->getMethodDecl() : nullptr;
  return callee && callee->getIdentifier() && callee->getName() == "cuda";
}

/// The user's own kind of example: a plain struct.
bool FunctionLowering::isOwnExample(const CXXRecordDecl *record) {
  return unit_.names().isUser(record) && record->isAggregate() && record->getNumBases() == 0;
}

Slot FunctionLowering::loaderBatch(const Stmt *at, QualType batch) {
  const CXXRecordDecl *record = Types::recordOf(batch);
  Slot whole = newSlot(batch, "", 0);
  auto begin = [&] {
    facts::Instruction &made = emit(Opcode::Object, whole, {}, at);
    if (facts_.slots[whole].cls != kNone)
      made.targets = {facts_.slots[whole].cls};
  };
  auto part = [&](StringRef name, QualType type, unsigned flags) {
    if (type.isNull() || kindOf(type).type != facts::Type::Tensor)
      return;
    Slot tensor = newSlot(facts::Type::Tensor);
    emit(Opcode::New, tensor, {}, at, "DataLoader batch").flags = flags;
    Slot place = field(whole, name, type, at);
    assign(place, operand(tensor, at), at);
  };
  if (record && unit_.types().isTorch(batch, "data::Example")) {
    begin();
    part("data", Types::templateArgument(record, 0), facts::kRankN);
    part("target", Types::templateArgument(record, 1), facts::kRankN);
    return whole;
  }
  if (record && isOwnExample(record)) {
    begin();
    for (const FieldDecl *member : record->fields())
      part(member->getName(), member->getType(), 0);
    return whole;
  }
  Kind kind = kindOf(batch);
  if (kind.type == facts::Type::List && unit_.types().isTorch(kind.element, "data::Example")) {
    Slot example = loaderBatch(at, kind.element);
    emit(Opcode::List, whole, {operand(example, at)}, at);
    return whole;
  }
  emit(Opcode::Unknown, whole, {}, at);
  return whole;
}

} // namespace samedevice::clangfront
