#include "DataLoaders.h"

#include "ClangVersions.h"

#include "clang/AST/DeclTemplate.h"
#include "llvm/ADT/SmallPtrSet.h"

namespace samedevice::clangfront {

using namespace clang;
using facts::kNone;
using facts::Opcode;
using facts::Slot;

bool DataLoaders::staysOnHost(QualType loader) const {
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

bool DataLoaders::movesExamples(const CXXRecordDecl *record) const {
  std::vector<const Stmt *> open;
  for (const CXXMethodDecl *method : record->methods()) {
    if (unit_.mayLack(method))
      return true;
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
      QualType owner = method ? recordType(method->getParent()) : QualType();
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
bool DataLoaders::namesDevice(const Expr *expr) const {
  facts::Type type = unit_.types().of(expr->getType()).type;
  if (type == facts::Type::Device || (type == facts::Type::Options && isa<DeclRefExpr, MemberExpr>(expr)))
    return true;
  const auto *moved = dyn_cast<CXXMemberCallExpr>(expr);
  const CXXMethodDecl *callee = moved ? moved->getMethodDecl() : nullptr;
  return callee && callee->getIdentifier() && callee->getName() == "cuda";
}

/// The user's own kind of example: a plain struct.
bool DataLoaders::isOwnExample(const CXXRecordDecl *record) const {
  return unit_.names().isUser(record) && record->hasDefinition() && record->isAggregate() && record->getNumBases() == 0;
}

Slot DataLoaders::batch(const Stmt *at, QualType type) {
  const CXXRecordDecl *record = Types::recordOf(type);
  Slot whole = facts_.newSlot(type, "", 0);
  auto begin = [&] {
    facts::Instruction &made = facts_.emit(Opcode::Object, whole, {}, at);
    if (facts_.slot(whole).cls != kNone)
      made.targets = {facts_.slot(whole).cls};
  };
  auto part = [&](StringRef name, QualType type, unsigned flags) {
    if (type.isNull() || unit_.types().of(type).type != facts::Type::Tensor)
      return;
    Slot tensor = facts_.newSlot(facts::Type::Tensor);
    facts_.emit(Opcode::New, tensor, {}, at).flags = flags | facts::kBatch;
    Slot place = facts_.field(whole, name, type, at);
    facts_.assign(place, facts_.operand(tensor, at), at);
  };
  if (record && unit_.types().isTorch(type, "data::Example")) {
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
  Kind kind = unit_.types().of(type);
  if (kind.type == facts::Type::List && unit_.types().isTorch(kind.element, "data::Example")) {
    Slot example = batch(at, kind.element);
    facts_.emit(Opcode::List, whole, {facts_.operand(example, at)}, at);
    return whole;
  }
  facts_.emit(Opcode::Unknown, whole, {}, at);
  return whole;
}

} // namespace samedevice::clangfront
