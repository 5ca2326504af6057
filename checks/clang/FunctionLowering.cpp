#include "FunctionLowering.h"

#include "../facts/Names.h"
#include "ClangVersions.h"

#include "clang/AST/DeclTemplate.h"
#include "clang/Analysis/CFG.h"

namespace samedevice::clangfront {

using namespace clang;
using facts::kNone;
using facts::Slot;

// --- Values and places. -------------------------------------------------------------------------------------------

Slot FunctionLowering::element(Slot list, const Expr *index, QualType type, const Stmt *at, Mode which) {
  if (!facts_.hasElements(list))
    return list;
  const Slot place = facts_.element(list, type, at, which, index ? operand(index) : Operand());
  if (facts::isByKey(which) && !isTold(index))
    facts_.instructions().back().flags |= facts::kUntold;
  return place;
}

Slot FunctionLowering::elementAt(Slot list, std::int64_t index, QualType type, const Stmt *at) {
  const Slot place = facts_.newSlot(facts::Type::Int);
  facts_.emit(Opcode::Const, place, {}, at).number = index;
  return facts_.element(list, type, at, Mode::None, facts_.operand(place, at));
}

/// Whether facts tell all of a key. A list that changes is made of more than what they have of it.
bool FunctionLowering::isTold(const Expr *key) {
  if (!unit_.types().isTold(key->getType()))
    return false;
  const auto *named = dyn_cast<DeclRefExpr>(stripped(key));
  return typeOf(key) != facts::Type::List || !named || named->getType().isConstQualified();
}

facts::Operand FunctionLowering::operand(const Expr *expr, StringRef name) {
  Operand made;
  made.slot = value(expr);
  made.source = facts_.source(expr ? expr->IgnoreUnlessSpelledInSource() : nullptr);
  made.name = name.str();
  return made;
}

/// What is kept of an argument: a copy, where it is a structure or a container that the caller may go on using.
facts::Operand FunctionLowering::copied(const Expr *expr) {
  Operand made = operand(expr);
  if (made.slot != kNone && expr->isGLValue() && unit_.types().isValue(expr->getType()))
    made.slot = facts_.result(Opcode::Clone, expr, {made});
  return made;
}

Slot FunctionLowering::thisSlot() {
  if (!isLambdaBody_)
    return facts_.function().cls == kNone || facts_.function().paramCount == 0 ? kNone : 0;
  return kNone;
}

/// What has such a type leads to somebody's tensor, and is told where to by what it is made of, or given.
bool FunctionLowering::pointsToTensor(QualType type) {
  return unit_.types().isPointerToPlace(type) && kindOf(type).type == facts::Type::Tensor;
}

/// It leads to something of a class that facts know nothing of (an event, a stream), or to nothing: which of the two is
/// all that is known of it.
bool FunctionLowering::mayHoldUnknown(QualType type) {
  const CXXRecordDecl *direct = type->getAsCXXRecordDecl();
  return kindOf(type).type == facts::Type::Other &&
         (type->isPointerType() ? Types::recordOf(type) != nullptr : direct && unit_.types().isWrapper(direct));
}

/// The static variables of functions, and of a template's instances, are told apart by where they are declared.
std::string FunctionLowering::globalName(const VarDecl *decl) {
  std::string name = Names::qualified(decl);
  return decl->isStaticLocal() ? name + '#' + std::to_string(facts_.source(decl)) : name;
}

Slot FunctionLowering::variable(const VarDecl *decl) {
  decl = decl->getCanonicalDecl();
  if (auto found = variables_.find(decl); found != variables_.end())
    return found->second;
  if (decl->hasGlobalStorage()) {
    if (!unit_.names().isUser(decl))
      return kNone;
    unit_.useGlobal(decl);
    Slot place = facts_.newSlot(decl->getType(), "", 0);
    facts_.slot(place).reference = true;
    facts::Instruction &global = facts_.emit(Opcode::Global, place, {}, nullptr, globalName(decl));
    global.flags = decl->isStaticLocal() || !decl->isExternallyVisible() ? facts::kOwnName : 0u;
    return place;
  }
  Slot slot = facts_.newSlot(decl->getType(), decl->getName(), facts_.source(decl));
  if (pointsToTensor(decl->getType()))
    facts_.slot(slot).reference = true;
  variables_[decl] = slot;
  return slot;
}

// --- Entry points. ------------------------------------------------------------------------------------------------

void FunctionLowering::addParameters(const FunctionDecl *function) {
  if (const auto *method = dyn_cast<CXXMethodDecl>(function)) {
    isLambdaBody_ = method->getParent()->isLambda();
    if (!method->isStatic()) {
      Slot self = facts_.newSlot(recordType(method->getParent()), isLambdaBody_ ? "" : "this", 0);
      facts_.slot(self).reference = true;
      facts_.slot(self).readOnly = method->isConst();
    }
  }
  for (const ParmVarDecl *param : function->parameters()) {
    const Slot slot = variable(param);
    facts_.slot(slot).own = !param->getType()->isReferenceType() && unit_.types().isValue(param->getType());
    facts_.slot(slot).isPlain = unit_.types().isEnumerated(param->getType());
    if (auto on = unit_.promises().find(param, Promise::On))
      promised_.push_back({slot, on->what});
  }
  facts_.function().paramCount = static_cast<Slot>(facts_.function().slots.size());
}

void FunctionLowering::lowerBody(const FunctionDecl *function) {
  addParameters(function);
  Stmt *body = function->getBody();
  if (!body)
    return;
  for (const CXXRecordDecl *guard : survey_.guards())
    unit_.types().treatAsGuard(guard);
  CFG::BuildOptions options;
  options.AddInitializers = true;
  options.AddImplicitDtors = true;
  options.AddCXXDefaultInitExprInCtors = true;
  options.AddStaticInitBranches = true;
  options.AddEHEdges = survey_.hasTry();
  std::unique_ptr<CFG> cfg = CFG::buildCFG(function, body, &unit_.context(), options);
  if (!cfg)
    return;
  lowerCfg(*cfg);
  facts_.dropUnusedTemporaries();
}

void FunctionLowering::lowerUnwrittenConstructor(const CXXRecordDecl *record, Unwritten how) {
  const bool isAssumed = how == Unwritten::Assumed;
  facts_.newSlot(recordType(record), "this", 0);
  facts_.slot(0).reference = true;
  facts_.function().paramCount = 1;
  facts_.enter(facts_.newBlock());
  caching_ = false;
  for (const CXXBaseSpecifier &base : record->bases())
    if (const CXXRecordDecl *parent = base.getType()->getAsCXXRecordDecl();
        parent && unit_.names().isUser(parent) && how != Unwritten::Members) {
      if (isAssumed && parent->getDefinition())
        callSomeConstructor(0, parent->getDefinition());
      else
        callConstructor(0, nullptr, parent, {}, nullptr);
    }
  if (isAssumed)
    assumeMembers(record);
  else
    for (const FieldDecl *field : record->fields())
      initializeField(field, field->hasInClassInitializer() ? field->getInClassInitializer() : nullptr);
  facts_.end().kind = facts::Terminator::Return;
  facts_.dropUnusedTemporaries();
}

void FunctionLowering::initializeGlobal(Slot place, const VarDecl *global) {
  Operand init = operand(global->getInit());
  if (global->getType()->isReferenceType() && init.slot != kNone)
    facts_.emit(Opcode::Bind, kNone, {facts_.operand(place, nullptr), init}, global->getInit());
  else
    facts_.assign(place, init, global->getInit());
}

void FunctionLowering::lowerGlobals(const std::vector<const VarDecl *> &globals) {
  facts_.enter(facts_.newBlock());
  caching_ = false;
  for (size_t next = 0; next < globals.size(); ++next) { // one may use another that nobody had asked for
    const VarDecl *global = globals[next];
    facts_.setOwner(global);
    Slot place = variable(global);
    if (place == kNone || facts_.slot(place).type == facts::Type::Other)
      continue;
    // `place` was made before the initializer ran: the same order as the assignment it becomes.
    initializeGlobal(place, global);
  }
  facts_.end().kind = facts::Terminator::Return;
  facts_.dropUnusedTemporaries();
}

} // namespace samedevice::clangfront
