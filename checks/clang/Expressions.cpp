// Expressions that are no calls.
#include "FunctionLowering.h"

#include "clang/AST/Attr.h"
#include "clang/AST/DeclTemplate.h"

namespace samedevice::clangfront {

using namespace clang;
using facts::kNone;
using facts::Opcode;
using facts::Slot;

namespace {

constexpr int maxDepth = 400;

bool changesMeaning(const CastExpr *cast) {
  switch (cast->getCastKind()) {
  case CK_PointerToBoolean:
  case CK_IntegralToBoolean:
  case CK_MemberPointerToBoolean:
  case CK_FloatingToBoolean:
  case CK_PointerToIntegral:
  case CK_IntegralToPointer:
  case CK_NullToPointer:
  case CK_FloatingToIntegral:
    return true;
  default:
    return false;
  }
}

/// `p[i].x` is as much of `p[i]` as is looked at.
bool isMemberOf(const Stmt *parent) {
  const auto *access = dyn_cast<MemberExpr>(parent);
  return access && !access->isArrow();
}

} // namespace

std::optional<std::int64_t> constantInt(const Expr *expr, const ASTContext &context) {
  Expr::EvalResult found;
  if (expr->isValueDependent() || !expr->getType()->isIntegralOrEnumerationType() ||
      !expr->EvaluateAsInt(found, context))
    return std::nullopt;
  return found.Val.getInt().getExtValue();
}

const Expr *stripped(const Expr *expr) {
  while (expr) {
    if (const auto *paren = dyn_cast<ParenExpr>(expr))
      expr = paren->getSubExpr();
    else if (const auto *full = dyn_cast<FullExpr>(expr))
      expr = full->getSubExpr();
    else if (const auto *temporary = dyn_cast<MaterializeTemporaryExpr>(expr))
      expr = temporary->getSubExpr();
    else if (const auto *bound = dyn_cast<CXXBindTemporaryExpr>(expr))
      expr = bound->getSubExpr();
    else if (const auto *substituted = dyn_cast<SubstNonTypeTemplateParmExpr>(expr))
      expr = substituted->getReplacement();
    else if (const auto *opaque = dyn_cast<OpaqueValueExpr>(expr); opaque && opaque->getSourceExpr())
      expr = opaque->getSourceExpr();
    else if (const auto *cast = dyn_cast<CastExpr>(expr); cast && !changesMeaning(cast))
      expr = cast->getSubExpr();
    else
      return expr;
  }
  return nullptr;
}

Slot FunctionLowering::value(const Expr *expr) {
  expr = stripped(expr);
  if (!expr || expr->isTypeDependent() || expr->isValueDependent() || depth_ > maxDepth)
    return kNone;
  if (caching_)
    if (auto found = cache_.find(expr); found != cache_.end())
      return found->second;
  ++depth_;
  Slot slot = compute(expr);
  --depth_;
  if (caching_)
    cache_[expr] = slot;
  return slot;
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
    return unknown(expr);
  }
  if (const auto *lambdaExpr = dyn_cast<LambdaExpr>(expr))
    return lambda(lambdaExpr);
  if (const auto *made = dyn_cast<CXXNewExpr>(expr))
    return newExpr(made);
  if (const auto *defaulted = dyn_cast<CXXDefaultArgExpr>(expr))
    return valueUncached(defaulted->getExpr());
  if (const auto *defaulted = dyn_cast<CXXDefaultInitExpr>(expr))
    return valueUncached(defaulted->getExpr());
  if (isa<CXXNullPtrLiteralExpr>(expr) || isa<GNUNullExpr>(expr)) {
    Slot slot = newSlot(facts::Type::Other);
    emit(Opcode::Null, slot, {}, expr);
    return slot;
  }
  if (const auto *literal = dyn_cast<IntegerLiteral>(expr)) {
    Slot slot = newSlot(facts::Type::Int);
    emit(Opcode::Const, slot, {}, expr).number =
        static_cast<std::int64_t>(literal->getValue().getLimitedValue(INT64_MAX));
    return slot;
  }
  if (const auto *literal = dyn_cast<CXXBoolLiteralExpr>(expr)) {
    Slot slot = newSlot(facts::Type::Bool);
    emit(Opcode::Const, slot, {}, expr).number = literal->getValue();
    return slot;
  }
  if (const auto *literal = dyn_cast<StringLiteral>(expr)) {
    Slot slot = newSlot(facts::Type::String);
    emit(Opcode::Const, slot, {}, expr, literal->isOrdinary() || literal->isUTF8() ? literal->getString() : "");
    return slot;
  }
  if (const auto *made = dyn_cast<CXXScalarValueInitExpr>(expr)) {
    facts::Type type = typeOf(made);
    if (type == facts::Type::Bool || type == facts::Type::Int)
      return result(Opcode::Const, made, {});
    return unknown(made);
  }
  if (isa<ImplicitValueInitExpr>(expr)) {
    facts::Type type = typeOf(expr);
    if (type == facts::Type::Pointer && expr->getType()->isArrayType())
      return result(Opcode::Allocate, expr, {}, "host");
    return type == facts::Type::Other ? kNone : result(Opcode::Null, expr, {});
  }
  if (isa<UnresolvedLookupExpr>(expr) || isa<RecoveryExpr>(expr) || isa<UnaryExprOrTypeTraitExpr>(expr) ||
      isa<CXXNoexceptExpr>(expr) || isa<CXXTypeidExpr>(expr))
    return unknown(expr);
  for (const Stmt *child : expr->children())
    if (const auto *part = dyn_cast_or_null<Expr>(child))
      value(part);
  return expr->getType()->isVoidType() ? kNone : unknown(expr);
}

// --- Names. -------------------------------------------------------------------------------------------------------

Slot FunctionLowering::declRef(const DeclRefExpr *ref) {
  const ValueDecl *decl = ref->getDecl();
  if (const char *type = literalDeviceType(ref))
    return device(ref, type);
  if (const auto *enumerator = dyn_cast<EnumConstantDecl>(decl)) {
    if (typeOf(ref) != facts::Type::Int && !ref->getType()->isIntegralOrEnumerationType())
      return unknown(ref);
    Slot slot = newSlot(facts::Type::Int);
    emit(Opcode::Const, slot, {}, ref).number = enumerator->getInitVal().getExtValue();
    return slot;
  }
  if (isLambdaBody_ && ref->refersToEnclosingVariableOrCapture())
    return captured(decl, ref);
  if (const auto *binding = dyn_cast<BindingDecl>(decl)) {
    auto found = variables_.find(binding);
    return found == variables_.end() ? unknown(ref) : found->second;
  }
  if (const auto *named = dyn_cast<VarDecl>(decl)) {
    if (named->getName() == "nullopt" && !unit_.names().isUser(named)) {
      Slot slot = newSlot(facts::Type::Other);
      emit(Opcode::Null, slot, {}, ref);
      return slot;
    }
    // A device-side symbol, seen from the host.
    if (named->hasAttr<CUDADeviceAttr>() || named->hasAttr<CUDAConstantAttr>())
      return deviceSymbol(ref, named);
    Slot slot = variable(named);
    return slot == kNone ? unknown(ref) : slot;
  }
  const auto *function = dyn_cast<FunctionDecl>(decl);
  facts::ClassId callable = function ? unit_.callable(function) : kNone;
  if (callable == kNone)
    return kNone;
  Slot slot = newSlot(facts::Type::Record);
  facts_.slots[slot].cls = callable;
  emit(Opcode::Object, slot, {}, ref).targets = {callable};
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
    return unknown(access);
  const Expr *object = stripped(access->getBase());
  QualType baseType = object->getType().getNonReferenceType();
  StringRef name = field->getName();
  if (unit_.types().isStd(baseType, "pair") && (name == "first" || name == "second")) {
    const CXXRecordDecl *pair = Types::recordOf(baseType);
    bool isMapEntry = Types::templateArgument(pair, 0).isConstQualified();
    if (isMapEntry)
      return name == "second" ? base : unknown(access);
    if (facts_.slots[base].type == facts::Type::List) // what a map's emplace gives: the place, and whether it is new
      return name == "first" ? base : unknown(access);
    name = name == "first" ? "0" : "1";
  }
  facts::Type type = typeOf(access);
  // Members of somebody else's class (cv::Mat::data, dim3::x): nothing we track, but memory is the host's.
  const CXXRecordDecl *owner = dyn_cast<CXXRecordDecl>(field->getParent());
  Kind baseKind = kindOf(baseType);
  bool isTracked = baseKind.type == facts::Type::Module || baseKind.type == facts::Type::Record;
  if (!isTracked && (!owner || !unit_.names().isUser(owner))) {
    if (type == facts::Type::Pointer && owner && Names::qualified(owner) == "cv::Mat")
      return result(Opcode::Allocate, access, {}, "host");
    if (access->isArrow() && baseKind.type == facts::Type::Pointer && !isAddressOnly(access))
      readOnHost(access->getBase(), access, "dereference", isWrittenTo(access));
    return unknown(access);
  }
  if (type == facts::Type::Other && !access->getType()->isRecordType())
    return kNone;
  if (type == facts::Type::Pointer && access->getType()->isArrayType() && isOwnVariable(access))
    return result(Opcode::Allocate, access, {}, "host");
  if (unit_.promises().find(field, Promise::MovedUnseen))
    return unknown(access);
  Slot place = this->field(base, name, access->getType(), access);
  if (auto on = unit_.promises().find(field, Promise::On); on && !isWrittenTo(access))
    requireOn(place, on->what, access);
  return place;
}

// --- Operators. ---------------------------------------------------------------------------------------------------

Slot FunctionLowering::unary(const UnaryOperator *op) {
  const Expr *operand = op->getSubExpr();
  switch (op->getOpcode()) {
  case UO_AddrOf: {
    const Expr *inner = stripped(operand);
    if (const auto *ref = dyn_cast<DeclRefExpr>(inner); ref && isa<FunctionDecl>(ref->getDecl()))
      return value(inner);
    Slot place = value(operand);
    if (const auto *subscript = dyn_cast<ArraySubscriptExpr>(inner); subscript && place != kNone)
      return place;
    facts::Type type = typeOf(op);
    if (type == facts::Type::Pointer && typeOf(operand) != facts::Type::Pointer)
      return result(Opcode::Allocate, op, {}, "host"); // the address of a scalar of our own
    return place;
  }
  case UO_Deref:
    return dereference(op, operand, nullptr);
  case UO_LNot: {
    Slot test = value(operand);
    if (isUnknown(test) || facts_.slots[test].type != facts::Type::Bool)
      return unknown(op);
    Slot slot = newSlot(facts::Type::Bool);
    emit(Opcode::Not, slot, {this->operand(test, operand)}, op);
    return slot;
  }
  case UO_PreInc:
  case UO_PreDec:
  case UO_PostInc:
  case UO_PostDec: {
    Slot place = value(operand);
    facts::Type type = typeOf(operand);
    if (place == kNone)
      return kNone;
    bool isIterator = facts_.slots[place].type == facts::Type::List || loopIndex(operand) ||
                      (op->isIncrementOp() && isCounter(operand));
    if (isIterator) {
      emit(Opcode::Advance, kNone, {this->operand(place, operand)}, op);
      return place;
    }
    if (type == facts::Type::Int) {
      Slot next = newSlot(facts::Type::Int);
      emit(Opcode::Unknown, next, {}, op);
      emit(Opcode::Assign, kNone, {this->operand(place, operand), this->operand(next, op)}, op);
    }
    return place; // a pointer moved by one element is a pointer into the same memory
  }
  default:
    value(operand);
    return unknown(op);
  }
}

bool FunctionLowering::isWrittenTo(const Expr *expr) const {
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

bool FunctionLowering::isAddressOnly(const Expr *expr) const {
  const Stmt *child = expr;
  for (const Stmt *parent = parents_.lookup(child); parent; child = parent, parent = parents_.lookup(child)) {
    if (const auto *op = dyn_cast<UnaryOperator>(parent))
      return op->getOpcode() == UO_AddrOf;
    if (isa<UnaryExprOrTypeTraitExpr>(parent))
      return true;
    if (!isa<ParenExpr>(parent) && !isMemberOf(parent))
      return false;
  }
  return false;
}

Slot FunctionLowering::dereference(const Expr *whole, const Expr *pointer, const Expr *index) {
  Slot base = value(pointer);
  if (index)
    value(index);
  facts::Type pointerType = typeOf(pointer);
  if (base != kNone && facts_.slots[base].type == facts::Type::List && typeOf(whole) != facts::Type::List)
    pointerType = facts::Type::List;
  if (pointerType == facts::Type::Pointer) {
    facts::Type type = typeOf(whole);
    if (base == kNone)
      return unknown(whole);
    bool isRow = type == facts::Type::Pointer && whole->getType()->isArrayType();
    if (isRow)
      return base; // a[i] of a two-dimensional array
    if (isAddressOnly(whole)) {
      Slot moved = newSlot(facts::Type::Pointer);
      emit(Opcode::PointerOffset, moved, {operand(base, pointer)}, whole);
      return moved;
    }
    QualType pointee = pointer->getType().getNonReferenceType();
    bool isPointerToPointer = pointee->isPointerType() && pointee->getPointeeType()->isPointerType();
    if (isPointerToPointer)
      return base; // the place `&p` named
    std::uint32_t flags = isWrittenTo(whole) ? facts::kWrite : 0u;
    emit(Opcode::HostRead, kNone, {operand(base, pointer)}, whole, "dereference").flags = flags;
    return unknown(whole);
  }
  if (pointerType == facts::Type::List) {
    if (base == kNone)
      return unknown(whole);
    return element(base, index, whole->getType(), whole);
  }
  if (index && base != kNone) // an array behind a transparent pointer
    return element(base, index, whole->getType(), whole);
  return base == kNone ? unknown(whole) : base;
}

Slot FunctionLowering::binary(const BinaryOperator *op) {
  const Expr *left = op->getLHS(), *right = op->getRHS();
  if (op->isLogicalOp()) {
    if (auto found = merges_.find(op); found != merges_.end())
      return found->second;
    return op->getOpcode() == BO_LAnd ? chooseInline(op, left, right, nullptr) : chooseInline(op, left, nullptr, right);
  }
  if (op->getOpcode() == BO_Comma) {
    value(left);
    return value(right);
  }
  if (op->getOpcode() == BO_Assign) {
    assignTo(left, right, op);
    return value(left);
  }
  if (op->isCompoundAssignmentOp()) {
    value(right);
    Slot place = value(left);
    if (place != kNone && typeOf(left) != facts::Type::Pointer && typeOf(left) != facts::Type::Other) {
      Slot next = newSlot(left->getType(), "", 0);
      emit(Opcode::Unknown, next, {}, op);
      emit(Opcode::Assign, kNone, {operand(place, left), operand(next, op)}, op);
    }
    return place;
  }
  if (op->isComparisonOp())
    return compare(op, op->getOpcode(), left, right);
  Slot first = value(left), second = value(right);
  auto isMemory = [&](const Expr *side, Slot slot) {
    return typeOf(side) == facts::Type::Pointer || (slot != kNone && facts_.slots[slot].type == facts::Type::Pointer);
  };
  if (op->isAdditiveOp() && op->getType()->isPointerType() && (isMemory(left, first) || isMemory(right, second))) {
    bool pointerLeft = isMemory(left, first);
    Slot base = pointerLeft ? first : second;
    if (base == kNone)
      return unknown(op);
    Slot moved = newSlot(facts::Type::Pointer);
    emit(Opcode::PointerOffset, moved, {operand(base, pointerLeft ? left : right)}, op);
    return moved;
  }
  if (auto constant = typeOf(op) == facts::Type::Int ? constantInt(op, unit_.context()) : std::nullopt) {
    Slot slot = newSlot(facts::Type::Int);
    emit(Opcode::Const, slot, {}, op).number = *constant;
    return slot;
  }
  return unknown(op);
}

Slot FunctionLowering::merged(const Expr *expr) {
  if (auto found = merges_.find(expr); found != merges_.end())
    return found->second;
  if (const auto *choice = dyn_cast<ConditionalOperator>(expr))
    return chooseInline(choice, choice->getCond(), choice->getTrueExpr(), choice->getFalseExpr());
  const auto *choice = cast<BinaryConditionalOperator>(expr);
  value(choice->getCommon());
  return unknown(expr);
}

// --- Assignment. --------------------------------------------------------------------------------------------------

void FunctionLowering::assignTo(const Expr *target, const Expr *source, const Expr *whole) {
  if (kindOf(target).type == facts::Type::Guard)
    endOwned(target, whole);
  Operand assigned = operand(source);
  Slot place = value(target);
  if (place == kNone || typeOf(target) == facts::Type::Other)
    return;
  const Expr *to = stripped(target);
  bool throughPointer = typeOf(to) != facts::Type::Pointer &&
                        (isa<ArraySubscriptExpr>(to) || (isa<UnaryOperator>(to))) && facts_.slots[place].name.empty() &&
                        !facts_.slots[place].reference;
  if (throughPointer)
    return; // p[i] = v: the write is on record, the element is no place of ours
  if (!facts_.slots[place].name.empty() && facts_.slots[place].reference && target->getType()->isPointerType() &&
      assigned.slot != kNone) {
    emit(Opcode::Bind, place, {assigned}, whole); // a pointer variable now points elsewhere
    return;
  }
  assign(place, std::move(assigned), whole);
}

void FunctionLowering::assignTie(const CallExpr *tie, const Expr *source, const Expr *whole) {
  Slot tuple = value(source);
  for (unsigned i = 0; i < tie->getNumArgs(); ++i) {
    const Expr *target = tie->getArg(i);
    if (typeOf(target) == facts::Type::Other)
      continue;
    Slot part = tuple == kNone ? kNone : field(tuple, std::to_string(i), target->getType(), whole);
    assign(value(target), operand(part, whole), whole);
  }
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
      if (item.slot != kNone && typeOf(init) != facts::Type::Other)
        items.push_back(item);
    }
    if (kind.type == facts::Type::Pointer || kind.type == facts::Type::String)
      return kNone; // numbers or text: a variable of that type says itself that it is memory
    // std::array wraps one inner list: that is the list.
    if (record && list->getNumInits() == 1 && isa<InitListExpr>(stripped(list->getInit(0))) && items.size() == 1)
      return items[0].slot;
    Slot slot = newSlot(list->getType(), "", 0);
    facts_.slots[slot].type = facts::Type::List;
    emit(Opcode::List, slot, std::move(items), list);
    return slot;
  }
  if (kind.type == facts::Type::Record && record) {
    std::vector<std::pair<std::string, const Expr *>> fields;
    unsigned next = 0;
    for (unsigned base = 0; base < record->getNumBases() && next < list->getNumInits(); ++base)
      value(list->getInit(next++));
    for (const FieldDecl *member : record->fields()) {
      if (next >= list->getNumInits())
        break;
      if (member->isUnnamedBitField())
        continue;
      fields.emplace_back(member->getNameAsString(), list->getInit(next++));
    }
    return this->record(list, fields);
  }
  for (const Expr *init : list->inits())
    value(init);
  return list->getNumInits() == 1 && !record ? value(list->getInit(0)) : unknown(list);
}

Slot FunctionLowering::newExpr(const CXXNewExpr *expr) {
  for (const Expr *placement : expr->placement_arguments())
    value(placement);
  if (expr->isArray() && expr->getArraySize() && *expr->getArraySize())
    value(*expr->getArraySize());
  facts::Type made = kindOf(expr->getType()).type;
  if (made == facts::Type::Pointer || (made == facts::Type::String && expr->isArray()))
    return result(Opcode::Allocate, expr, {}, "host");
  if (expr->isArray())
    return unknown(expr);
  Slot slot = expr->getInitializer() ? value(expr->getInitializer()) : unknown(expr);
  const FunctionDecl *allocates = expr->getOperatorNew();
  if (slot != kNone && allocates && !allocates->isReplaceableGlobalAllocationFunction())
    emit(Opcode::PageLock, kNone, {operand(slot, expr)}, expr); // who allocates for itself knows who will use it
  return slot;
}

} // namespace samedevice::clangfront
