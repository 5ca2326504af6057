// Data sets and what they are mapped with: how a batch comes about, where code of the user's has a part in it.
#include "FunctionLowering.h"

#include "ClangVersions.h"

#include "clang/AST/DeclTemplate.h"

namespace samedevice::clangfront {

using namespace clang;
using facts::Slot;

static constexpr llvm::StringLiteral kSet = "dataset", kTransform = "transform";

Slot FunctionLowering::nextBatch(const Stmt *at, Slot loader, QualType batch) {
  const QualType set = loaders_.setOf(loader);
  return set.isNull() ? loaders_.batch(at, batch) : batchOf(set, facts_.field(loader, kSet, set, at), at).slot;
}

/// `set.map(transform)`, `map(set, transform)`: the two of them.
Slot FunctionLowering::mappedSet(const CallSite &site) {
  const Expr *set = site.object ? site.object : site.arg(0), *transform = site.arg(site.object ? 0 : 1);
  Operand from = copied(set), with = operand(transform);
  Slot whole = facts_.newSlot(site.expr->getType(), "", 0);
  facts_.emit(Opcode::Object, whole, {}, site.expr);
  facts_.assign(facts_.field(whole, kSet, set->getType(), site.expr), std::move(from), site.expr);
  facts_.assign(facts_.field(whole, kTransform, transform->getType(), site.expr), std::move(with), site.expr);
  return whole;
}

/// `make_data_loader(set, ...)`: whoever goes through it asks the set.
Slot FunctionLowering::loaderOver(const CallSite &site) {
  const Expr *set = site.arg(0);
  Operand from = copied(set);
  evaluateAll(llvm::ArrayRef(site.args).drop_front());
  Slot loader = facts_.newSlot(site.expr->getType(), "", 0);
  facts_.emit(Opcode::List, loader, {}, site.expr);
  facts_.assign(facts_.field(loader, kSet, set->getType(), site.expr), std::move(from), site.expr);
  return loader;
}

/// The method of this name that a class of the user's has itself, or from a base of the user's.
static const CXXMethodDecl *ownMethod(Names &names, const CXXRecordDecl *record, StringRef name) {
  record = record ? record->getDefinition() : nullptr;
  if (!record || !names.isUser(record))
    return nullptr;
  for (const CXXMethodDecl *method : record->methods())
    if (!method->isStatic() && method->getNumParams() == 1 && method->getNameAsString() == name && method->hasBody())
      return method;
  for (const CXXBaseSpecifier &base : record->bases())
    if (const CXXMethodDecl *inherited = ownMethod(names, Types::recordOf(base.getType()), name))
      return inherited;
  return nullptr;
}

/// What a loader calls of a data set, or of a transform.
const CXXMethodDecl *FunctionLowering::stepOf(QualType part) {
  const CXXRecordDecl *record = Types::recordOf(part);
  for (StringRef name : {"get_batch", "get", "apply_batch", "apply", "operator()"})
    if (const CXXMethodDecl *method = ownMethod(unit_.names(), record, name); method && !unit_.mayLack(method))
      return method;
  return nullptr;
}

bool FunctionLowering::isLambdaTransform(QualType type) {
  return unit_.types().isTorch(type, "data::transforms::Lambda") ||
         unit_.types().isTorch(type, "data::transforms::BatchLambda");
}

/// Whether it is known how the batches of a set come about.
bool FunctionLowering::knowsBatches(QualType set) {
  if (set.isNull())
    return false;
  if (!unit_.types().isTorch(set, "data::datasets::MapDataset"))
    return stepOf(set) != nullptr;
  const CXXRecordDecl *map = Types::recordOf(set);
  const QualType transform = Types::templateArgument(map, 1);
  return knowsBatches(Types::templateArgument(map, 0)) &&
         (stepOf(transform) || unit_.types().isTorch(transform, "data::transforms::Stack") ||
          isLambdaTransform(transform));
}

/// A batch of the set that `from` is: what its code and that of its transforms make of one example, which stands for
/// all of them.
FunctionLowering::Batch FunctionLowering::batchOf(QualType set, Slot from, const Stmt *at) {
  if (unit_.types().isTorch(set, "data::datasets::MapDataset")) {
    const CXXRecordDecl *map = Types::recordOf(set);
    const QualType inner = Types::templateArgument(map, 0), transform = Types::templateArgument(map, 1);
    const Batch given = batchOf(inner, facts_.field(from, kSet, inner, at), at);
    return transformed(transform, facts_.field(from, kTransform, transform, at), given, at);
  }
  const CXXMethodDecl *method = stepOf(set);
  Slot request = facts_.newSlot(method->getParamDecl(0)->getType(), "", 0);
  facts_.emit(Opcode::Unknown, request, {}, at);
  return stepped(*method, from, request, at);
}

FunctionLowering::Batch FunctionLowering::transformed(QualType transform, Slot by, const Batch &given, const Stmt *at) {
  auto one = [&] { return given.isList ? facts_.element(given.slot, given.example, at) : given.slot; };
  if (isLambdaTransform(transform)) {
    const bool ofWhole = unit_.types().isTorch(transform, "data::transforms::BatchLambda");
    const QualType made = Types::templateArgument(Types::recordOf(transform), 1);
    Slot result = facts_.newSlot(made, "", 0);
    facts_.emit(Opcode::CallValue, result, {facts_.operand(by, at), facts_.operand(ofWhole ? given.slot : one(), at)},
                at);
    return ofWhole ? batchFrom(result, made) : listOfOne(result, made, at);
  }
  const CXXMethodDecl *method = stepOf(transform);
  if (!method)
    return {stacked(one(), given.example, at), given.example, false};
  if (kindOf(method->getParamDecl(0)->getType()).type == facts::Type::Tensor) { // a TensorTransform
    Slot example = one();
    Slot data = facts_.field(example, "data", method->getReturnType(), at);
    facts_.assign(data, facts_.operand(stepped(*method, by, data, at).slot, at), at);
    return given;
  }
  const bool ofEach = method->getNameAsString() == "apply";
  return stepped(*method, by, ofEach ? one() : given.slot, at);
}

/// Nobody has written this call: torch's loader makes it.
FunctionLowering::Batch FunctionLowering::stepped(const CXXMethodDecl &method, Slot self, Slot given, const Stmt *at) {
  const QualType type = method.getReturnType();
  Slot made = facts_.newSlot(type, "", 0);
  facts_.emit(Opcode::Call, made, {facts_.operand(self, at), facts_.operand(given, at)}, at).targets =
      unit_.targets(&method, false);
  const std::string name = method.getNameAsString();
  return name == "get" || name == "apply" ? listOfOne(made, type, at) : batchFrom(made, type);
}

FunctionLowering::Batch FunctionLowering::batchFrom(Slot made, QualType type) {
  const Kind kind = kindOf(type);
  return kind.type == facts::Type::List ? Batch{made, kind.element, true} : Batch{made, type, false};
}

FunctionLowering::Batch FunctionLowering::listOfOne(Slot example, QualType type, const Stmt *at) {
  Slot list = facts_.newSlot(facts::Type::List);
  facts_.slot(list).element = facts_.slot(example).type;
  facts_.emit(Opcode::List, list, {facts_.operand(example, at)}, at);
  return {list, type, true};
}

/// torch's own collation: the parts of all examples, each put together.
Slot FunctionLowering::stacked(Slot example, QualType type, const Stmt *at) {
  Slot whole = facts_.newSlot(type, "", 0);
  facts_.emit(Opcode::Object, whole, {}, at);
  const CXXRecordDecl *record = Types::recordOf(type);
  unsigned n = 0;
  for (StringRef name : {"data", "target"}) {
    const QualType part = Types::templateArgument(record, n++);
    if (part.isNull() || kindOf(part).type != facts::Type::Tensor)
      continue;
    Slot tensor = facts_.newSlot(facts::Type::Tensor);
    facts_.emit(Opcode::View, tensor, {facts_.operand(facts_.field(example, name, part, at), at)}, at, "stack");
    facts_.assign(facts_.field(whole, name, part, at), facts_.operand(tensor, at), at);
  }
  return whole;
}

} // namespace samedevice::clangfront
