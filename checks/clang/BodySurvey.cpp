#include "BodySurvey.h"

#include "Ast.h"

namespace samedevice::clangfront {

using namespace clang;

namespace {

/// `p[i].x` is as much of `p[i]` as is looked at.
bool isMemberOf(const Stmt *parent) {
  const auto *access = dyn_cast<MemberExpr>(parent);
  return access && !access->isArrow();
}

/// A kernel's parameter that is a reference takes an address: nothing is read on the way.
bool isBoundToReference(const CallExpr *call, const Stmt *given) {
  const FunctionDecl *callee = call->getDirectCallee();
  for (unsigned n = 0; callee && n < call->getNumArgs() && n < callee->getNumParams(); ++n)
    if (call->getArg(n) == given)
      return callee->getParamDecl(n)->getType()->isReferenceType();
  return false;
}

/// Whether a class does something with what it is made of. A structure that does not is its maker's to use.
bool hasMethods(const CXXRecordDecl *record) {
  return llvm::any_of(record->methods(), [](const CXXMethodDecl *method) {
    return !method->isImplicit() && !isa<CXXConstructorDecl, CXXDestructorDecl>(method);
  });
}

/// The `if` that is all that another one's branch consists of: together they are one condition.
const IfStmt *onlyStatement(const Stmt *branch) {
  if (const auto *block = dyn_cast_or_null<CompoundStmt>(branch))
    branch = block->size() == 1 ? block->body_front() : nullptr;
  const auto *inner = dyn_cast_or_null<IfStmt>(branch);
  return inner && !inner->getElse() ? inner : nullptr;
}

} // namespace

BodySurvey::BodySurvey(Unit &unit, const FunctionDecl *function) : unit_(unit), function_(function) {
  const Stmt *body = function ? function->getBody() : nullptr;
  if (!body)
    return;
  survey(body);
  hasTry_ = isa<CXXTryStmt>(body);
  for (const auto &entry : parents_)
    hasTry_ = hasTry_ || isa<CXXTryStmt>(entry.first);
  if (const auto *constructor = dyn_cast<CXXConstructorDecl>(function))
    for (const CXXCtorInitializer *init : constructor->inits())
      if (init->getInit())
        survey(init->getInit());
}

void BodySurvey::surveyStatement(const Stmt *stmt) {
  if (const auto *declaration = dyn_cast_or_null<DeclStmt>(stmt))
    if (comesFromMacro(declaration->getBeginLoc(), unit_.options().guardMacros, unit_.context()))
      for (const Decl *declared : declaration->decls())
        if (const auto *variable = dyn_cast<VarDecl>(declared))
          if (const CXXRecordDecl *record = variable->getType()->getAsCXXRecordDecl())
            guards_.push_back(record);
  const auto *expr = dyn_cast_or_null<Expr>(stmt);
  if (!expr)
    return;
  while (true) {
    expr = expr->IgnoreParenImpCasts();
    if (const auto *full = dyn_cast<FullExpr>(expr))
      expr = full->getSubExpr();
    else if (const auto *temporary = dyn_cast<CXXBindTemporaryExpr>(expr))
      expr = temporary->getSubExpr();
    else
      break;
  }
  if (const auto *comma = dyn_cast<BinaryOperator>(expr); comma && comma->getOpcode() == BO_Comma) {
    surveyStatement(comma->getLHS());
    surveyStatement(comma->getRHS());
  } else if (const auto *choice = dyn_cast<ConditionalOperator>(expr)) {
    surveyStatement(choice->getTrueExpr());
    surveyStatement(choice->getFalseExpr());
  } else {
    discarded_.insert(expr);
    // `options.device(d).dtype(t);`: each gives new options, all of which are gone.
    for (const Expr *before = optionsBefore(expr); before; before = optionsBefore(before))
      discarded_.insert(before);
    if (const Expr *made = stripped(expr); made && made->isPRValue() && made->getType()->isRecordType())
      passing_.insert(made);
  }
}

void BodySurvey::survey(const Stmt *stmt) {
  if (!stmt)
    return;
  if (const auto *block = dyn_cast<CompoundStmt>(stmt)) {
    for (const Stmt *child : block->body())
      surveyStatement(child);
  } else if (const auto *branch = dyn_cast<IfStmt>(stmt)) {
    surveyStatement(branch->getThen());
    surveyStatement(branch->getElse());
  } else if (const auto *loop = dyn_cast<ForStmt>(stmt)) {
    surveyStatement(loop->getInit());
    surveyStatement(loop->getInc());
    surveyStatement(loop->getBody());
    surveyIndexLoop(loop);
  } else if (const auto *loop = dyn_cast<WhileStmt>(stmt)) {
    surveyStatement(loop->getBody());
  } else if (const auto *loop = dyn_cast<DoStmt>(stmt)) {
    surveyStatement(loop->getBody());
  } else if (const auto *loop = dyn_cast<CXXForRangeStmt>(stmt)) {
    surveyStatement(loop->getBody());
  } else if (const auto *label = dyn_cast<SwitchCase>(stmt)) {
    surveyStatement(label->getSubStmt());
  } else if (const auto *label = dyn_cast<LabelStmt>(stmt)) {
    surveyStatement(label->getSubStmt());
  } else if (const auto *comma = dyn_cast<BinaryOperator>(stmt)) {
    if (comma->getOpcode() == BO_Comma)
      surveyStatement(comma->getLHS());
    if (comma->isLogicalOp())
      armOf_[comma->getRHS()->IgnoreParens()] = comma;
  } else if (const auto *choice = dyn_cast<ConditionalOperator>(stmt)) {
    armOf_[choice->getTrueExpr()->IgnoreParens()] = choice;
    armOf_[choice->getFalseExpr()->IgnoreParens()] = choice;
  }
  if (const auto *lambda = dyn_cast<LambdaExpr>(stmt)) {
    for (const Expr *init : lambda->capture_inits())
      if (init) {
        parents_[init] = lambda;
        survey(init);
      }
    return;
  }
  for (const Stmt *child : stmt->children())
    if (child) {
      parents_[child] = stmt;
      survey(child);
    }
  if (const auto *condition = dyn_cast<Expr>(stmt); condition && isTruth(condition))
    noteAsked(condition);
}

/// The variables in a condition, other than those of conditions in it, which were noted before.
void BodySurvey::noteAsked(const Stmt *condition) {
  if (const auto *ref = dyn_cast<DeclRefExpr>(condition))
    asked_.insert(ref->getDecl()->getCanonicalDecl());
  for (const Stmt *part : condition->children())
    if (const auto *expr = dyn_cast_or_null<Expr>(part); expr && !isTruth(expr))
      noteAsked(expr);
}

bool BodySurvey::isOfLoop(const Expr *condition) const {
  const Stmt *inner = condition, *parent = parents_.lookup(condition);
  for (; parent; inner = parent, parent = parents_.lookup(parent)) {
    if (const auto *loop = dyn_cast<ForStmt>(parent))
      return loop->getCond() == inner;
    if (const auto *loop = dyn_cast<WhileStmt>(parent))
      return loop->getCond() == inner;
    if (const auto *loop = dyn_cast<DoStmt>(parent))
      return loop->getCond() == inner;
    if (!isa<Expr>(parent))
      return isa<CXXForRangeStmt>(parent) && cast<CXXForRangeStmt>(parent)->getCond() == inner;
  }
  return false;
}

// --- What becomes of a value. -------------------------------------------------------------------------------------

bool BodySurvey::isWrittenTo(const Expr *expr) const {
  const Stmt *child = expr;
  for (const Stmt *parent = parents_.lookup(child); parent; child = parent, parent = parents_.lookup(child)) {
    if (const auto *op = dyn_cast<BinaryOperator>(parent))
      return op->isAssignmentOp() && op->getLHS() == child;
    if (const auto *op = dyn_cast<CXXOperatorCallExpr>(parent))
      return op->getOperator() == OO_Equal && op->getArg(0) == child;
    if (const auto *op = dyn_cast<UnaryOperator>(parent))
      return op->isIncrementDecrementOp();
    if (!isa<ParenExpr>(parent) && !isMemberOf(parent))
      return false;
  }
  return false;
}

bool BodySurvey::isAlwaysDone(const Expr *expr) const {
  for (const Stmt *parent = parents_.lookup(expr); parent; parent = parents_.lookup(parent))
    if (isa<IfStmt, SwitchStmt, ForStmt, WhileStmt, DoStmt, CXXForRangeStmt, AbstractConditionalOperator>(parent))
      return false;
  return true;
}

bool BodySurvey::isAddressOnly(const Expr *expr) const {
  const Stmt *child = expr;
  for (const Stmt *parent = parents_.lookup(child); parent; child = parent, parent = parents_.lookup(child)) {
    if (const auto *op = dyn_cast<UnaryOperator>(parent))
      return op->getOpcode() == UO_AddrOf;
    if (isa<UnaryExprOrTypeTraitExpr>(parent))
      return true;
    if (const auto *launch = dyn_cast<CUDAKernelCallExpr>(parent))
      return isBoundToReference(launch, child);
    const auto *cast = dyn_cast<CastExpr>(parent); // float3 as const float3 is the same object
    const bool isRead = !cast || (cast->getCastKind() != CK_NoOp && cast->getCastKind() != CK_DerivedToBase);
    if (!isa<ParenExpr>(parent) && !isMemberOf(parent) && isRead)
      return false;
  }
  return false;
}

bool BodySurvey::pointerOutlives(const Expr *expr) const {
  const Stmt *child = expr;
  for (const Stmt *parent = parents_.lookup(child); parent; child = parent, parent = parents_.lookup(child)) {
    if (isa<DeclStmt>(parent) || isa<ReturnStmt>(parent))
      return true;
    if (const auto *op = dyn_cast<BinaryOperator>(parent)) {
      if (op->getOpcode() == BO_Assign)
        return op->getRHS() == child;
      if (!op->isAdditiveOp())
        return false;
      continue;
    }
    if (!isa<ParenExpr>(parent) && !isa<CastExpr>(parent) && !isa<FullExpr>(parent) &&
        !isa<MaterializeTemporaryExpr>(parent))
      return false;
  }
  return false;
}

/// The initializer of a variable that nothing mentions again.
bool BodySurvey::isNeverRead(const Expr *initializer) const {
  for (const Stmt *parent = parents_.lookup(initializer); parent; parent = parents_.lookup(parent)) {
    if (const auto *declaration = dyn_cast<DeclStmt>(parent)) {
      const auto *variable = declaration->isSingleDecl() ? dyn_cast<VarDecl>(declaration->getSingleDecl()) : nullptr;
      return variable && !variable->isReferenced() && !variable->isUsed();
    }
    if (!isa<CastExpr, FullExpr, MaterializeTemporaryExpr, CXXConstructExpr, CXXMemberCallExpr, MemberExpr>(parent))
      return false;
  }
  return false;
}

/// `: stream_(getStreamFromPool())`, `stream_ = getCurrentCUDAStream()`: what will run on it, and on whose tensors, is
/// seen where a method launches on it.
bool BodySurvey::isKeptInMember(const Expr *made) const {
  if (const auto *method = dyn_cast_or_null<CXXMethodDecl>(function_); method && !hasMethods(method->getParent()))
    return false;
  const Stmt *child = made;
  for (const Stmt *parent = parents_.lookup(child); parent; child = parent, parent = parents_.lookup(child)) {
    const Expr *target = nullptr;
    if (const auto *op = dyn_cast<BinaryOperator>(parent); op && op->getOpcode() == BO_Assign)
      target = op->getLHS();
    else if (const auto *call = dyn_cast<CXXOperatorCallExpr>(parent); call && call->getOperator() == OO_Equal)
      target = call->getArg(0);
    const auto *member = dyn_cast_or_null<MemberExpr>(target ? stripped(target) : nullptr);
    if (target)
      return target != child && member && isa_and_nonnull<CXXThisExpr>(stripped(member->getBase()));
    if (!isa<CastExpr, FullExpr, MaterializeTemporaryExpr, CXXConstructExpr, CXXMemberCallExpr, MemberExpr>(parent))
      return false;
  }
  return isa_and_nonnull<CXXConstructorDecl>(function_); // only initializers are in no statement
}

/// `switch (attributes.type)`, `return attributes.type`: anything but a comparison.
bool BodySurvey::isAnswerPassedOn(const ValueDecl *attributes) const {
  for (const auto &[stmt, parent] : parents_) {
    const auto *access = dyn_cast<MemberExpr>(stmt);
    const auto *ref = access ? dyn_cast<DeclRefExpr>(stripped(access->getBase())) : nullptr;
    if (!ref || ref->getDecl() != attributes || access->getMemberDecl()->getName() != "type")
      continue;
    const Stmt *user = parent;
    while (isa<CastExpr, ParenExpr>(user) && parents_.count(user))
      user = parents_.lookup(user);
    const auto *comparison = dyn_cast<BinaryOperator>(user);
    if (!comparison || !comparison->isComparisonOp())
      return true;
  }
  return false;
}

/// Whether `std::move(owner)` is somewhere: then the object may outlive it.
bool BodySurvey::isGivenAway(const VarDecl *owner) const {
  for (const auto &[stmt, parent] : parents_) {
    const auto *ref = dyn_cast<DeclRefExpr>(stmt);
    const auto *call = ref && ref->getDecl() == owner ? dyn_cast<CallExpr>(parent) : nullptr;
    const FunctionDecl *callee = call ? call->getDirectCallee() : nullptr;
    if (callee && callee->getIdentifier() && (callee->getName() == "move" || callee->getName() == "forward"))
      return true;
    const auto *access = ref && ref->getDecl() == owner ? dyn_cast<MemberExpr>(parent) : nullptr;
    if (access && access->getMemberDecl()->getIdentifier() && access->getMemberDecl()->getName() == "release")
      return true;
  }
  return false;
}

// --- Conditions and loops. ----------------------------------------------------------------------------------------

/// The short circuit around this one that comes to the same end without looking at its other side.
bool BodySurvey::isChosenFrom(const Expr *made) const {
  const Stmt *parent = parents_.lookup(made);
  while (isa_and_nonnull<ImplicitCastExpr, CXXBindTemporaryExpr, MaterializeTemporaryExpr, ParenExpr>(parent))
    parent = parents_.lookup(parent);
  return isa_and_nonnull<ConditionalOperator>(parent);
}

const BinaryOperator *BodySurvey::decidedBy(const BinaryOperator *logical) const {
  const Stmt *parent = parents_.lookup(logical);
  while (isa_and_nonnull<ParenExpr>(parent))
    parent = parents_.lookup(parent);
  const auto *outer = dyn_cast_or_null<BinaryOperator>(parent);
  bool isSame = outer && outer->getOpcode() == logical->getOpcode() && stripped(outer->getLHS()) == logical;
  return isSame ? outer : nullptr;
}

BodySurvey::Part BodySurvey::partOf(const Expr *condition) const {
  Part known{condition};
  auto leaveOpen = [&](bool value) { // the rest of the condition decides
    for (std::optional<bool> *answer : {&known.ifTrue, &known.ifFalse})
      if (*answer == value)
        answer->reset();
  };
  auto isAround = [](const Stmt *stmt) { return isa<ParenExpr, CastExpr, FullExpr>(stmt); };
  const Stmt *inner = condition, *parent = parents_.lookup(condition);
  for (; parent; inner = parent, parent = parents_.lookup(parent)) {
    const auto *logical = dyn_cast<BinaryOperator>(parent);
    if (!isAround(parent) && (!logical || !logical->isLogicalOp()))
      break;
    if (!logical)
      continue;
    if (logical->getLHS() == inner)
      leaveOpen(logical->getOpcode() == BO_LAnd);
    known.whole = logical;
  }
  const auto *branch = dyn_cast_or_null<IfStmt>(parent);
  if (branch && branch->getCond() == inner && !branch->getElse()) {
    if (onlyStatement(branch->getThen())) {
      leaveOpen(true);
      known.whole = branch;
    }
    for (const Stmt *around = parents_.lookup(branch); around; around = parents_.lookup(around)) {
      const auto *outer = dyn_cast<IfStmt>(around);
      if (outer && (outer->getElse() || onlyStatement(outer->getThen()) != branch))
        break;
      if (!outer && !isa<CompoundStmt>(around))
        break;
      if (outer)
        known.whole = branch = outer;
    }
  }
  return known;
}

bool BodySurvey::isLoopIndex(const Expr *expr) const { return indexLoops_.count(variableOf(expr)); }
bool BodySurvey::isCounter(const Expr *expr) const { return counters_.count(variableOf(expr)); }
bool BodySurvey::countsGpus(const Expr *expr) const { return gpuCounters_.count(variableOf(expr)); }

} // namespace samedevice::clangfront
