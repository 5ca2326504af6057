// Containers that are made: of what is written, of numbers, of pointers.
#include "FunctionLowering.h"

namespace samedevice::clangfront {

using namespace clang;
using facts::kNone;
using facts::Slot;

/// What a container, an optional or a smart pointer is to hold; something that is there, whatever its class.
Slot FunctionLowering::constructElement(const Expr *whole, QualType type, llvm::ArrayRef<const Expr *> args) {
  if (type.isNull())
    return kNone;
  Kind wanted = kindOf(type);
  bool copies = args.size() == 1 && wanted.type == typeOf(args[0]) && wanted.type != facts::Type::Other;
  // A trainer made from its settings, a module made from one that it is to hold: only one of its own kind is copied.
  if (copies && wanted.record && unit_.names().isUser(wanted.record))
    copies = isOrDerivesFrom(kindOf(args[0]->getType()).record, wanted.record);
  if (copies)
    return copied(args[0]).slot;
  const CXXRecordDecl *record = type->getAsCXXRecordDecl();
  if (!record)
    return args.size() == 1 ? value(args[0]) : kNone;
  const Slot made = constructType(whole, type, args, nullptr);
  if (typeOf(whole) != facts::Type::Other || kindOf(type).type != facts::Type::Other)
    return made;
  const Slot something = facts_.newSlot(facts::Type::Other); // not what `whole` is: emplace() hands out a reference
  facts_.emit(Opcode::Object, something, {}, whole);
  return something;
}

Slot FunctionLowering::constructContainer(const Expr *whole, QualType type, llvm::ArrayRef<const Expr *> args) {
  const CXXRecordDecl *record = type->getAsCXXRecordDecl();
  bool isText = kindOf(type).type == facts::Type::String;
  std::string name = Names::qualified(record);
  if (isText)
    name = "std::string";
  const auto *written = args.empty() ? nullptr : dyn_cast_or_null<CXXStdInitializerListExpr>(stripped(args[0]));
  const auto *entries = written ? dyn_cast_or_null<InitListExpr>(stripped(written->getSubExpr())) : nullptr;
  if (entries && unit_.types().isMap(record))
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
  const bool areInto = args.size() == 2 && args[0]->getType()->isPointerType() && // iterators of an initializer_list
                       args[1]->getType()->isPointerType() && first != kNone &&
                       facts_.slot(first).type == facts::Type::List;
  bool wraps = !args.empty() && first != kNone && (areInto || typeOf(args[0]) == facts::Type::List);
  if (wraps && args.size() == 1)
    return first;
  if (wraps) {
    const Slot copy = facts_.result(Opcode::Clone, whole, {facts_.operand(first, args[0])});
    const bool areBetween = !areInto && typeOf(args[1]) == facts::Type::List;
    if (areBetween && !(isBegin(args[0]) && isEnd(args[1]))) // some of them
      facts_.emit(Opcode::ListDrop, kNone, {facts_.operand(copy, whole)}, whole);
    if (name.find("set") != std::string::npos) // where equal ones are one
      addOthers(copy, whole);
    return copy;
  }
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
  // vector(n, item), and what iterators that are no list's lead through.
  const bool isRepeated = args.size() >= 2 && typeOf(args[0]) == facts::Type::Int;
  const bool isThrough = items.empty() && args.size() >= 2;
  const Slot list = facts_.result(Opcode::List, whole, std::move(items));
  if (isRepeated || isThrough)
    addOthers(list, whole);
  return list;
}

/// Others come in, as those that are there or whatever they are: nobody knows how many.
void FunctionLowering::addOthers(Slot list, const Expr *whole) {
  facts_.emit(Opcode::ListAdd, kNone, {facts_.operand(list, whole)}, whole, Mode::Others);
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
  else
    facts_.emit(Opcode::ListAdd, kNone, {facts_.operand(list, whole)}, whole).number = count.value_or(0);
}

} // namespace samedevice::clangfront
