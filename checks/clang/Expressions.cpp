// Expressions that are no calls. Operators and assignments: Operators.cpp.
#include "ClangVersions.h"
#include "FunctionLowering.h"

#include "clang/AST/Attr.h"
#include "clang/AST/DeclTemplate.h"

namespace samedevice::clangfront {

using namespace clang;
using facts::kNone;
using facts::Slot;

namespace {

constexpr int maxDepth = 400;

} // namespace

/// dynamic_cast<T *>(x), x->as<T>(): x, or nothing where it is known to be something else.
Slot FunctionLowering::downcast(const Expr *whole, const Expr *from) {
  const CXXRecordDecl *wanted = Types::recordOf(whole->getType());
  if (wanted && unit_.types().isWrapper(wanted)) // shared_ptr<T>
    wanted = Types::recordOf(Types::templateArgument(wanted, 0));
  Slot slot = value(from);
  if (slot == kNone || !wanted || whole->isGLValue() || !unit_.names().isUser(wanted))
    return slot;
  Slot cast = facts_.newSlot(whole->getType(), "", 0);
  facts_.emit(Opcode::Cast, cast, {facts_.operand(slot, from)}, whole).targets = {unit_.record(wanted)};
  return cast;
}

Slot FunctionLowering::value(const Expr *expr) {
  expr = stripped(expr);
  if (!expr || depth_ > maxDepth)
    return kNone;
  // A list in parentheses or braces has no type until it is known what it makes.
  const bool isBroken = expr->containsErrors() || expr->getType().isNull();
  if (!isBroken && (expr->isTypeDependent() || expr->isValueDependent()))
    return kNone;
  if (caching_)
    if (auto found = cache_.find(expr); found != cache_.end())
      return found->second;
  ++depth_;
  Slot slot = isBroken ? unresolved(expr) : compute(expr);
  if (!isBroken) {
    slot = ask(expr, slot);
    reopenWritten(expr);
  }
  --depth_;
  if (caching_)
    cache_[expr] = slot;
  return slot;
}

void FunctionLowering::evaluateAll(llvm::ArrayRef<const Expr *> expressions) {
  for (const Expr *expr : expressions)
    value(expr);
}

void FunctionLowering::evaluateWritten(llvm::ArrayRef<const Expr *> arguments) {
  for (const Expr *argument : arguments)
    if (!isOmitted(argument))
      value(argument);
}

Slot FunctionLowering::valueUncached(const Expr *expr) {
  bool before = caching_;
  caching_ = false;
  Slot slot = value(expr);
  caching_ = before;
  return slot;
}

Slot FunctionLowering::compute(const Expr *expr) {
  if (const auto *kernel = dyn_cast<CUDAKernelCallExpr>(expr))
    return kernelLaunch(kernel);
  if (const auto *callExpr = dyn_cast<CallExpr>(expr))
    return call(callExpr);
  if (const auto *ref = dyn_cast<DeclRefExpr>(expr))
    return declRef(ref);
  if (const auto *access = dyn_cast<MemberExpr>(expr))
    return member(access);
  if (const auto *construction = dyn_cast<CXXConstructExpr>(expr))
    return construct(construction);
  if (const auto *self = dyn_cast<CXXThisExpr>(expr))
    return isLambdaBody_ ? captured(nullptr, self) : thisSlot();
  if (const auto *gone = dyn_cast<CXXDeleteExpr>(expr)) {
    if (!gone->isArrayForm())
      endOwned(gone->getArgument(), gone);
    return kNone;
  }
  if (const auto *op = dyn_cast<UnaryOperator>(expr))
    return unary(op);
  if (const auto *op = dyn_cast<BinaryOperator>(expr))
    return binary(op);
  if (const auto *rewritten = dyn_cast<CXXRewrittenBinaryOperator>(expr)) {
    // Since C++20 `a != b` may stand for `!(a == b)`.
    const auto form = rewritten->getDecomposedForm();
    const auto *inner = dyn_cast_or_null<CXXOperatorCallExpr>(form.InnerBinOp);
    const FunctionDecl *callee = inner ? inner->getDirectCallee() : nullptr;
    if (form.Opcode == BO_NE && callee && !unit_.names().isUser(callee))
      return compare(expr, BO_NE, form.LHS, form.RHS);
    return value(rewritten->getSemanticForm());
  }
  if (const auto *cast = dyn_cast<CXXDynamicCastExpr>(expr))
    return downcast(cast, cast->getSubExpr());
  if (const auto *cast = dyn_cast<CastExpr>(expr))
    return toBool(cast);
  if (isa<ConditionalOperator>(expr) || isa<BinaryConditionalOperator>(expr))
    return merged(expr);
  if (const auto *subscript = dyn_cast<ArraySubscriptExpr>(expr))
    return dereference(expr, subscript->getBase(), subscript->getIdx());
  if (const auto *list = dyn_cast<InitListExpr>(expr))
    return initList(list);
  if (const auto *list = dyn_cast<CXXStdInitializerListExpr>(expr))
    return value(list->getSubExpr());
  if (const auto *list = dyn_cast<CXXParenListInitExpr>(expr)) {
    for (const Expr *init : const_cast<CXXParenListInitExpr *>(list)->getInitExprs())
      value(init);
    return facts_.unknown(expr);
  }
  if (const auto *lambdaExpr = dyn_cast<LambdaExpr>(expr))
    return lambda(lambdaExpr);
  if (const auto *made = dyn_cast<CXXNewExpr>(expr))
    return newExpr(made);
  if (const auto *omitted = dyn_cast<CXXDefaultArgExpr>(expr)) {
    const Expr *outer = facts_.setOmitted(omitted);
    const Slot slot = valueUncached(omitted->getExpr());
    facts_.markOmitted(slot);
    facts_.setOmitted(outer);
    return slot;
  }
  if (const auto *defaulted = dyn_cast<CXXDefaultInitExpr>(expr))
    return valueUncached(defaulted->getExpr());
  if (isa<CXXNullPtrLiteralExpr>(expr) || isa<GNUNullExpr>(expr)) {
    Slot slot = facts_.newSlot(facts::Type::Other);
    facts_.emit(Opcode::Null, slot, {}, expr);
    return slot;
  }
  if (isa<IntegerLiteral>(expr) || isa<CharacterLiteral>(expr)) {
    const auto *number = dyn_cast<IntegerLiteral>(expr);
    Slot slot = facts_.newSlot(facts::Type::Int);
    facts_.emit(Opcode::Const, slot, {}, expr).number =
        number ? static_cast<std::int64_t>(number->getValue().getLimitedValue(INT64_MAX))
               : static_cast<std::int64_t>(cast<CharacterLiteral>(expr)->getValue());
    return slot;
  }
  if (const auto *literal = dyn_cast<CXXBoolLiteralExpr>(expr)) {
    Slot slot = facts_.newSlot(facts::Type::Bool);
    facts_.emit(Opcode::Const, slot, {}, expr).number = literal->getValue();
    return slot;
  }
  if (const auto *literal = dyn_cast<StringLiteral>(expr)) {
    Slot slot = facts_.newSlot(facts::Type::String);
    facts_.emit(Opcode::Const, slot, {}, expr, literal->isOrdinary() || literal->isUTF8() ? literal->getString() : "");
    return slot;
  }
  if (const auto *made = dyn_cast<CXXScalarValueInitExpr>(expr)) {
    facts::Type type = typeOf(made);
    if (type == facts::Type::Bool || type == facts::Type::Int)
      return facts_.result(Opcode::Const, made, {});
    return facts_.unknown(made);
  }
  if (isa<ImplicitValueInitExpr>(expr)) {
    facts::Type type = typeOf(expr);
    // An array in a record is a part of it, which leads nowhere.
    return type == facts::Type::Other || expr->getType()->isArrayType() ? kNone : facts_.result(Opcode::Null, expr, {});
  }
  if (isa<UnresolvedLookupExpr>(expr) || isa<UnaryExprOrTypeTraitExpr>(expr) || isa<CXXNoexceptExpr>(expr) ||
      isa<CXXTypeidExpr>(expr))
    return facts_.unknown(expr);
  for (const Stmt *child : expr->children())
    if (const auto *part = dyn_cast_or_null<Expr>(child))
      value(part);
  return expr->getType()->isVoidType() ? kNone : facts_.unknown(expr);
}

Slot FunctionLowering::anything(QualType type, const Expr *at) {
  const Slot slot = facts_.newSlot(type, "", 0);
  facts_.emit(Opcode::Unknown, slot, {}, at);
  return slot;
}

/// Code that does not compile, for want of a header, say. It may do anything to what it names, and to the object whose
/// method it stands in.
Slot FunctionLowering::unresolved(const Expr *broken) {
  Operands args;
  auto touch = [&](Operand touched) {
    touched.mayWrite = true;
    if (touched.slot != kNone)
      args.push_back(std::move(touched));
  };
  if (Slot self = thisSlot(); self != kNone && facts_.slot(self).name == "this")
    touch(facts_.operand(self, broken));
  std::vector<Callable> called;
  for (const Stmt *part : broken->children())
    if (const auto *expr = dyn_cast_or_null<Expr>(part)) {
      touch(operand(expr));
      std::optional<Callable> callback = Types::recordOf(expr->getType()) ? callable(expr) : std::nullopt;
      if (callback)
        called.push_back(*std::move(callback));
    }
  if (!args.empty())
    facts_.emit(Opcode::CallUnknown, kNone, std::move(args), broken);
  for (Callable &callback : called) {
    for (const QualType param : callback.params)
      callback.call.args.push_back(facts_.operand(anything(param, broken), broken));
    emitCall(std::move(callback), broken);
  }
  if (isa<RecoveryExpr>(broken))
    anythingBroken();
  const QualType type = broken->getType();
  return type.isNull() || type->isDependentType() || type->isVoidType() ? kNone : facts_.unknown(broken);
}

// --- Names. -------------------------------------------------------------------------------------------------------

Slot FunctionLowering::declRef(const DeclRefExpr *ref) {
  const ValueDecl *decl = ref->getDecl();
  if (const char *type = literalDeviceType(ref))
    return facts_.device(ref, type);
  if (const auto *enumerator = dyn_cast<EnumConstantDecl>(decl)) {
    if (typeOf(ref) != facts::Type::Int && !ref->getType()->isIntegralOrEnumerationType())
      return facts_.unknown(ref);
    Slot slot = facts_.newSlot(facts::Type::Int);
    facts_.emit(Opcode::Const, slot, {}, ref).number = enumerator->getInitVal().getExtValue();
    return slot;
  }
  if (isLambdaBody_ && ref->refersToEnclosingVariableOrCapture())
    return captured(decl, ref);
  if (const auto *binding = dyn_cast<BindingDecl>(decl)) {
    auto found = variables_.find(binding);
    return found == variables_.end() ? facts_.unknown(ref) : found->second;
  }
  if (const auto *named = dyn_cast<VarDecl>(decl)) {
    if (named->getName() == "nullopt" && !unit_.names().isUser(named)) {
      Slot slot = facts_.newSlot(facts::Type::Other);
      facts_.emit(Opcode::Null, slot, {}, ref);
      return slot;
    }
    // A device-side symbol, seen from the host.
    if (named->hasAttr<CUDADeviceAttr>() || named->hasAttr<CUDAConstantAttr>())
      return deviceSymbol(ref, named);
    Slot slot = variable(named);
    return slot == kNone ? facts_.unknown(ref) : slot;
  }
  const auto *function = dyn_cast<FunctionDecl>(decl);
  facts::ClassId callable = function ? unit_.callable(function) : kNone;
  if (callable == kNone)
    return kNone;
  Slot slot = facts_.newSlot(facts::Type::Record);
  facts_.slot(slot).cls = callable;
  facts_.emit(Opcode::Object, slot, {}, ref).targets = {callable};
  return slot;
}

Slot FunctionLowering::member(const MemberExpr *access) {
  const auto *field = dyn_cast<FieldDecl>(access->getMemberDecl());
  if (!field) {
    if (const auto *global = dyn_cast<VarDecl>(access->getMemberDecl())) // a static member
      return variable(global);
    return kNone;
  }
  Slot base = value(access->getBase());
  if (base == kNone)
    return facts_.unknown(access);
  if (isOwnParameters(access))
    return facts_.result(Opcode::Parameters, access, {facts_.operand(base, access->getBase())}, Mode::Parameters);
  const Expr *object = stripped(access->getBase());
  QualType baseType = object->getType().getNonReferenceType();
  StringRef name = field->getName();
  if (unit_.types().isStd(baseType, "pair") && (name == "first" || name == "second")) {
    const CXXRecordDecl *pair = Types::recordOf(baseType);
    bool isMapEntry = Types::templateArgument(pair, 0).isConstQualified();
    if (isMapEntry)
      return name == "second" ? base : facts_.unknown(access);
    if (facts_.slot(base).type == facts::Type::List) // what a map's emplace gives: the place, and whether it is new
      return name == "first" ? base : facts_.unknown(access);
    name = name == "first" ? "0" : "1";
  }
  facts::Type type = typeOf(access);
  // Members of somebody else's class (cv::Mat::data, dim3::x): nothing we track, but memory is the host's.
  const CXXRecordDecl *owner = dyn_cast<CXXRecordDecl>(field->getParent());
  Kind baseKind = kindOf(baseType);
  bool isTracked = baseKind.type == facts::Type::Module || baseKind.type == facts::Type::Record;
  if (!isTracked && (!owner || !unit_.names().isUser(owner))) {
    if (type == facts::Type::Pointer && owner && Names::qualified(owner) == "cv::Mat")
      return facts_.result(Opcode::Allocate, access, {}, Mode::Host);
    if (access->isArrow() && baseKind.type == facts::Type::Pointer && !survey_.isAddressOnly(access))
      readOnHost(access->getBase(), access, "dereference", survey_.isWrittenTo(access));
    return facts_.unknown(access);
  }
  if (unit_.types().isLeftOut(access->getType()))
    return kNone;
  if (type == facts::Type::Pointer && access->getType()->isArrayType() && isOwnVariable(access))
    return facts_.result(Opcode::Allocate, access, {}, Mode::Host);
  if (unit_.promises().find(field, Promise::MovedUnseen))
    return facts_.unknown(access);
  Slot place = facts_.field(base, name, access->getType(), access);
  if (auto on = unit_.promises().find(field, Promise::On); on && !survey_.isWrittenTo(access))
    facts_.requireOn(place, on->what, access);
  return place;
}

// --- Lists and new. -----------------------------------------------------------------------------------------------

Slot FunctionLowering::initList(const InitListExpr *list) {
  if (const InitListExpr *semantic = list->getSemanticForm())
    list = semantic;
  if (list->isTransparent() && list->getNumInits() == 1)
    return value(list->getInit(0));
  Kind kind = kindOf(list);
  const CXXRecordDecl *record = list->getType()->getAsCXXRecordDecl();
  if (kind.type == facts::Type::List || list->getType()->isArrayType()) {
    Operands items;
    for (const Expr *init : list->inits()) {
      Operand item = operand(init);
      item.mayWrite = isPointer(init);
      if (item.slot != kNone && (typeOf(init) != facts::Type::Other || isStream(init)))
        items.push_back(item);
    }
    if (kind.type == facts::Type::Pointer || kind.type == facts::Type::String)
      return kNone; // numbers or text: a variable of that type says itself that it is memory
    // std::array wraps one inner list: that is the list.
    if (record && list->getNumInits() == 1 && isa<InitListExpr>(stripped(list->getInit(0))) && items.size() == 1)
      return items[0].slot;
    Slot slot = facts_.newSlot(list->getType(), "", 0);
    facts_.slot(slot).type = facts::Type::List;
    facts_.emit(Opcode::List, slot, std::move(items), list);
    return slot;
  }
  if (kind.type == facts::Type::Record && record && record->hasDefinition()) {
    std::vector<std::pair<std::string, const Expr *>> fields;
    unsigned next = 0;
    for (unsigned base = 0; base < record->getNumBases() && next < list->getNumInits(); ++base)
      value(list->getInit(next++));
    for (const FieldDecl *member : record->fields()) {
      if (next >= list->getNumInits())
        break;
      if (isUnnamedBitField(member))
        continue;
      fields.emplace_back(member->getNameAsString(), list->getInit(next++));
    }
    return this->record(list, fields);
  }
  for (const Expr *init : list->inits())
    value(init);
  return list->getNumInits() == 1 && !record ? value(list->getInit(0)) : facts_.unknown(list);
}

Slot FunctionLowering::newExpr(const CXXNewExpr *expr) {
  for (const Expr *placement : expr->placement_arguments())
    value(placement);
  if (const Expr *size = expr->getArraySize().value_or(nullptr))
    value(size);
  facts::Type made = kindOf(expr->getType()).type;
  if (made == facts::Type::Pointer || (made == facts::Type::String && expr->isArray()))
    return facts_.result(Opcode::Allocate, expr, {}, Mode::Host);
  if (expr->isArray())
    return facts_.unknown(expr);
  Slot slot = expr->getInitializer() ? value(expr->getInitializer()) : facts_.unknown(expr);
  if (mayHoldUnknown(expr->getType()))
    return facts_.result(Opcode::Object, expr, {});
  const FunctionDecl *allocates = expr->getOperatorNew();
  if (slot != kNone && allocates && !allocates->isReplaceableGlobalAllocationFunction())
    facts_.emit(Opcode::PageLock, kNone, {facts_.operand(slot, expr)},
                expr); // who allocates for itself knows who will use it
  return slot;
}

} // namespace samedevice::clangfront
