// Ends of objects: a guard gives the device back, a destructor runs. Variables at the end of their scope, temporaries
// at the semicolon, what a pointer owns when it is deleted or reset.
#include "FunctionLowering.h"

namespace samedevice::clangfront {

using namespace clang;
using facts::kNone;
using facts::Slot;

namespace {

constexpr int maxNesting = 4;

bool isSoleOwner(Types &types, const CXXRecordDecl *record) {
  return record && (record->getName() == "unique_ptr" || record->getName() == "optional") && types.isWrapper(record);
}

} // namespace

void FunctionLowering::endOf(const VarDecl *variable, const Stmt *trigger) {
  auto found = variables_.find(variable->getCanonicalDecl());
  if (found == variables_.end() || found->second == pendingReturn_)
    return;
  QualType type = variable->getType();
  if (type->isReferenceType()) { // it may have kept a temporary alive
    const Expr *init = variable->getInit() ? stripped(variable->getInit()) : nullptr;
    if (!init || !init->isPRValue())
      return;
    type = type.getNonReferenceType();
  }
  if (!isSoleOwner(unit_.types(), type->getAsCXXRecordDecl()) || !survey_.isGivenAway(variable))
    endObject(found->second, type, trigger);
}

/// What is in the slot dies, if it was an object of its own.
void FunctionLowering::endObject(Slot slot, QualType type, const Stmt *at) {
  if (slot == kNone || type->isPointerType() || type->isReferenceType())
    return;
  const CXXRecordDecl *record = type->getAsCXXRecordDecl();
  if (isSoleOwner(unit_.types(), record))
    record = Types::recordOf(unit_.types().target(type));
  else if (record && unit_.types().isWrapper(record))
    return; // others may hold it, too
  if (facts_.slot(slot).type == facts::Type::Guard)
    facts_.emit(Opcode::End, kNone, {facts_.operand(slot, nullptr)}, at);
  else if (facts_.slot(slot).type == facts::Type::Record)
    endParts(slot, record, at, 0);
}

/// Whether the user has a say in how such objects end. A class that is only declared has no end that anybody sees.
bool FunctionLowering::endsVisibly(const CXXRecordDecl *record) {
  return record && record->hasDefinition() && !record->hasTrivialDestructor() && unit_.names().isUser(record);
}

void FunctionLowering::endParts(Slot slot, const CXXRecordDecl *record, const Stmt *at, int depth) {
  if (depth > maxNesting || !endsVisibly(record))
    return;
  record = record->getDefinition();
  if (const CXXDestructorDecl *destructor = record->getDestructor())
    if (facts::FunctionId id = unit_.function(destructor); id != kNone)
      facts_.emit(Opcode::Call, kNone, {facts_.operand(slot, nullptr)}, at).targets = {id};
  for (const FieldDecl *member : record->fields()) {
    facts::Type type = kindOf(member->getType()).type;
    const CXXRecordDecl *part = member->getType()->getAsCXXRecordDecl();
    if (type == facts::Type::Guard)
      facts_.emit(Opcode::End, kNone,
                  {facts_.operand(facts_.field(slot, member->getName(), member->getType(), at), nullptr)}, at);
    else if (type == facts::Type::Record && endsVisibly(part))
      endParts(facts_.field(slot, member->getName(), member->getType(), at), part, at, depth + 1);
  }
  for (const CXXBaseSpecifier &base : record->bases())
    endParts(slot, base.getType()->getAsCXXRecordDecl(), at, depth + 1);
}

/// `delete p`, `p.reset()`, `p = nullptr`: what p owns dies.
void FunctionLowering::endOwned(const Expr *owner, const Stmt *at) {
  Slot slot = owner ? value(owner) : kNone;
  if (slot == kNone)
    return;
  QualType type = unit_.types().target(owner->getType());
  if (const CXXRecordDecl *direct = owner->getType().getNonReferenceType()->getAsCXXRecordDecl();
      direct && unit_.types().isWrapper(direct) && !isSoleOwner(unit_.types(), direct))
    return;
  endObject(slot, type, at);
}

} // namespace samedevice::clangfront
