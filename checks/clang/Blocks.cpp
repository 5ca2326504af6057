// Control flow: clang::CFG's blocks become facts' blocks, its elements are lowered in order.
#include "FunctionLowering.h"

#include "clang/Analysis/CFG.h"

#include <algorithm>

namespace samedevice::clangfront {

using namespace clang;
using facts::kNone;
using facts::Opcode;
using facts::Slot;
using facts::Terminator;

namespace {

/// Blocks that can be reached, each after one of its predecessors.
std::vector<const CFGBlock *> reachable(const CFG &cfg) {
  std::vector<const CFGBlock *> postOrder;
  llvm::DenseSet<const CFGBlock *> seen;
  std::vector<std::pair<const CFGBlock *, CFGBlock::const_succ_iterator>> stack;
  auto enter = [&](const CFGBlock *block) {
    if (block && seen.insert(block).second)
      stack.emplace_back(block, block->succ_begin());
  };
  enter(&cfg.getEntry());
  while (!stack.empty()) {
    auto &[block, next] = stack.back();
    if (next == block->succ_end()) {
      postOrder.push_back(block);
      stack.pop_back();
      continue;
    }
    const CFGBlock *successor = next->getReachableBlock();
    ++next;
    enter(successor);
  }
  std::reverse(postOrder.begin(), postOrder.end());
  return postOrder;
}

} // namespace

void FunctionLowering::lowerCfg(const CFG &cfg) {
  std::vector<const CFGBlock *> order = reachable(cfg);
  findThrowers(order);
  for (const CFGBlock *block : order)
    blocks_[block] = facts_.newBlock();
  for (const CFGBlock *block : order) {
    facts_.enter(blocks_[block]);
    lowered_ = block;
    if (block == order.front()) {
      for (const auto &[slot, device] : promised_)
        facts_.requireOn(slot, device, nullptr);
      if (survey_.function())
        for (const ParmVarDecl *param : survey_.function()->parameters())
          reopenNew(variable(param), param);
    }
    lowerBlock(*block);
    if (block == &cfg.getExit())
      startThreads();
    terminate(*block, cfg);
  }
}

/// Whether one comes to the block that is lowered now again from it.
bool FunctionLowering::isInLoop() const {
  llvm::SmallVector<const CFGBlock *> open{lowered_};
  llvm::DenseSet<const CFGBlock *> seen;
  while (!open.empty())
    for (const CFGBlock::AdjacentBlock &next : open.pop_back_val()->succs()) {
      const CFGBlock *successor = next.getReachableBlock();
      if (successor == lowered_)
        return true;
      if (successor && seen.insert(successor).second)
        open.push_back(successor);
    }
  return false;
}

void FunctionLowering::lowerBlock(const CFGBlock &block) {
  pendingReturn_ = kNone;
  returnStmt_ = nullptr;
  if (const auto *handler = dyn_cast_or_null<CXXCatchStmt>(block.getLabel()))
    if (const VarDecl *caught = handler->getExceptionDecl())
      variable(caught);
  const Stmt *thrower = throwingAtFirst_.count(&block) ? lastStatement(block) : nullptr;
  for (const CFGElement &element : block) {
    if (auto stmt = element.getAs<CFGStmt>()) {
      if (stmt->getStmt() == thrower)
        throwAtFirst(block);
      statement(stmt->getStmt());
    } else if (auto init = element.getAs<CFGInitializer>()) {
      initialize(init->getInitializer());
    } else if (auto dtor = element.getAs<CFGAutomaticObjDtor>()) {
      endOf(dtor->getVarDecl(), dtor->getTriggerStmt());
    }
  }
}

/// `switch (x.device().type()) { case torch::kCUDA: ..`: each case is asked for, one after the other, as an `if` would.
void FunctionLowering::branchByCase(const SwitchStmt *choice, llvm::ArrayRef<const CFGBlock *> ways) {
  for (const CFGBlock *way : llvm::reverse(ways.drop_back())) {
    const auto *label = dyn_cast_or_null<CaseStmt>(way->getLabel());
    const Slot is =
        label && !label->getRHS() ? compare(choice->getCond(), BO_EQ, choice->getCond(), label->getLHS()) : kNone;
    const facts::BlockId next = facts_.newBlock();
    Terminator &end = facts_.end();
    end.source = facts_.source(choice);
    end.kind = facts_.isUnknown(is) ? Terminator::Any : Terminator::Branch;
    end.slot = facts_.isUnknown(is) ? kNone : is;
    end.successors = {blocks_[way], next};
    facts_.enter(next);
  }
  facts_.jump(facts_.current(), blocks_[ways.back()]);
}

void FunctionLowering::statement(const Stmt *stmt) {
  if (const auto *expr = dyn_cast<Expr>(stmt)) {
    Slot slot = value(expr);
    if (survey_.isPassing(stripped(expr)) && ended_.insert(stripped(expr)).second)
      endObject(slot, expr->getType(), expr);
    if (survey_.armOf(expr->IgnoreParens()))
      copyToMerges(expr->IgnoreParens(), isa<BinaryOperator>(survey_.armOf(expr->IgnoreParens()))
                                             ? partOfWhole(expr->IgnoreParens(), slot)
                                             : slot);
  } else if (const auto *declaration = dyn_cast<DeclStmt>(stmt)) {
    for (const Decl *decl : declaration->decls())
      if (const auto *variable = dyn_cast<VarDecl>(decl))
        declare(variable);
  } else if (const auto *leave = dyn_cast<ReturnStmt>(stmt)) {
    returnStmt_ = leave;
    pendingReturn_ = leave->getRetValue() ? value(leave->getRetValue()) : kNone;
  }
}

void FunctionLowering::terminate(const CFGBlock &block, const CFG &cfg) {
  const Stmt *terminatorStmt = block.getTerminatorStmt();
  Slot condition = kNone;
  bool isBranch = false;
  if (terminatorStmt && block.succ_size() == 2 && block.getTerminator().isStmtBranch()) {
    const Expr *test = block.getLastCondition();
    if (!test) // beside a `try`, a call ends its block: the test stands in the block before
      test = dyn_cast_or_null<Expr>(block.getTerminatorCondition());
    isBranch = test && !isa<SwitchStmt>(terminatorStmt);
    if (const auto *once = dyn_cast<DeclStmt>(terminatorStmt)) { // a static variable: the first way is past its making
      isBranch = true;
      condition = facts_.newSlot(facts::Type::Bool);
      facts_.emit(Opcode::IsMade, condition, {}, once, globalName(cast<VarDecl>(once->getSingleDecl()))).flags =
          facts::kOwnName;
    } else if (isBranch) {
      condition = value(test);
      // `a && b` as a value: when `a` decides, it is false; `a || b` then is true.
      if (const auto *logical = dyn_cast<BinaryOperator>(terminatorStmt); logical && logical->isLogicalOp()) {
        // ... and `(a && b) && c` as well.
        Slot left = facts_.newSlot(facts::Type::Bool);
        facts_.emit(Opcode::Const, left, {}, logical).number = logical->getOpcode() == BO_LOr;
        for (; logical; logical = survey_.decidedBy(logical)) {
          facts_.emit(Opcode::Copy, mergeSlot(logical), {facts_.operand(left, logical)}, logical);
          if (survey_.armOf(logical))
            copyToMerges(logical, left);
        }
      }
      bool isLoop = isa<ForStmt>(terminatorStmt) || isa<WhileStmt>(terminatorStmt) || isa<DoStmt>(terminatorStmt);
      // Counting loops say nothing about devices; leave them without a condition to remember.
      const auto &instructions = facts_.instructions();
      bool overList = !instructions.empty() && instructions.back().opcode == Opcode::HasNext &&
                      instructions.back().dest == condition;
      const auto *compared = dyn_cast<BinaryOperator>(stripped(test));
      if (isLoop && !overList && compared && !survey_.isCounter(compared->getLHS()))
        condition = kNone;
      if (facts_.isUnknown(condition) || facts_.slot(condition).type != facts::Type::Bool)
        condition = kNone;
      if (!isLoop && condition == kNone && compared &&
          compared->isRelationalOp()) { // of sizes: they say nothing of devices
        condition = facts_.newSlot(facts::Type::Bool);
        facts_.emit(Opcode::Compare, condition, {}, test, comparison(compared->getOpcode()));
      }
      if (!isLoop)
        condition = partOfWhole(test, condition);
    }
  }

  std::vector<const CFGBlock *> successors;
  for (const CFGBlock::AdjacentBlock &next : block.succs())
    if (const CFGBlock *reached = next.getReachableBlock()) {
      // The way on comes first; it may be the exit, too. What no handler catches leaves the function, and not as if
      // it had come to its end.
      const bool leaves = reached == &cfg.getExit();
      bool isUnwinding = isTryBlock(&block) ? leaves
                                            : !terminatorStmt && &next != block.succs().begin() &&
                                                  (leaves || (isTryBlock(reached) && !throwing_.count(&block)));
      if (!isUnwinding && blocks_.count(reached))
        successors.push_back(reached);
    }

  Terminator &end = facts_.end();
  end.source = facts_.source(terminatorStmt);
  if (&block == &cfg.getExit()) {
    end.kind = Terminator::Return;
    return;
  }
  if (returnStmt_) {
    end.kind = Terminator::Return;
    end.slot = pendingReturn_;
    end.source = facts_.source(returnStmt_);
    return;
  }
  bool reachesOnlyExit = successors.size() == 1 && successors[0] == &cfg.getExit();
  const bool endsInThrow = isa_and_nonnull<CXXThrowExpr>(stripped(dyn_cast_or_null<Expr>(lastStatement(block))));
  if (successors.empty() || (reachesOnlyExit && (block.hasNoReturnElement() || endsInThrow))) {
    end.kind = Terminator::Unreachable;
    return;
  }
  if (const auto *choice = dyn_cast_or_null<SwitchStmt>(terminatorStmt); choice && successors.size() > 1)
    return branchByCase(choice, successors);
  for (const CFGBlock *successor : successors)
    end.successors.push_back(blocks_[successor]);
  if (successors.size() == 1) {
    end.kind = Terminator::Jump;
  } else if (isBranch && condition != kNone && successors.size() == 2) {
    end.kind = Terminator::Branch;
    end.slot = condition;
  } else {
    end.kind = Terminator::Any;
  }
}

// --- Values that meet: ternaries and short circuits. --------------------------------------------------------------

Slot FunctionLowering::mergeSlot(const Expr *merged) {
  auto [place, isNew] = merges_.try_emplace(merged, kNone);
  if (isNew) {
    QualType type = merged->getType();
    if (!isa<ConditionalOperator>(merged))
      type = unit_.context().BoolTy;
    Slot slot = facts_.newSlot(type, "", 0);
    merges_[merged] = slot;
    return slot;
  }
  return place->second;
}

bool FunctionLowering::isMerge(Slot slot) const {
  return llvm::any_of(merges_, [&](const auto &merge) { return merge.second == slot; });
}

void FunctionLowering::copyToMerges(const Expr *arm, Slot slot) {
  const Expr *whole = survey_.armOf(arm);
  if (!whole)
    return;
  if (isa<ConditionalOperator>(whole) && whole->getType()->isVoidType())
    return;
  Slot merge = mergeSlot(whole);
  if (facts_.slot(merge).type == facts::Type::Other && !isStream(whole))
    return;
  if (slot == kNone && isStream(whole))
    slot = streamOf(arm).slot;
  if (slot == kNone)
    facts_.emit(Opcode::Unknown, merge, {}, arm);
  else
    facts_.emit(whole->isGLValue() && facts_.isPlace(slot) ? Opcode::Bind : Opcode::Copy, merge,
                {facts_.operand(slot, arm)}, arm);
  // CFG gives a nested short circuit no element of its own: its value is the outer one's.
  if (!isa<ConditionalOperator>(whole) && survey_.armOf(whole))
    copyToMerges(whole, slot);
}

/// One of two, where the graph gives the choice no blocks of its own.
Slot FunctionLowering::choose(const Expr *whole, Slot test, llvm::function_ref<Operand()> whenTrue,
                              llvm::function_ref<Operand()> whenFalse) {
  Slot merge = facts_.newSlot(whole->getType(), "", 0);
  facts::BlockId from = facts_.current(), yes = facts_.newBlock(), no = facts_.newBlock(), after = facts_.newBlock();
  Terminator &split = facts_.end(from);
  bool known = test != kNone && facts_.slot(test).type == facts::Type::Bool;
  split.kind = known ? Terminator::Branch : Terminator::Any;
  split.slot = known ? test : kNone;
  split.successors = {yes, no};
  split.source = facts_.source(whole);
  auto fill = [&](facts::BlockId block, llvm::function_ref<Operand()> arm) {
    facts_.enter(block);
    Operand chosen = arm();
    if (chosen.slot == kNone)
      facts_.emit(Opcode::Unknown, merge, {}, whole);
    else
      facts_.emit(Opcode::Copy, merge, {std::move(chosen)}, whole);
    facts_.jump(facts_.current(), after);
  };
  fill(yes, whenTrue);
  fill(no, whenFalse);
  facts_.enter(after);
  return merge;
}

Slot FunctionLowering::chooseInline(const Expr *whole, const Expr *condition, const Expr *whenTrue,
                                    const Expr *whenFalse) {
  Slot test = value(condition);
  auto arm = [&](const Expr *side) { return [&, side] { return side ? operand(side) : facts_.operand(test, side); }; };
  return merges_[whole] = choose(whole, test, arm(whenTrue), arm(whenFalse));
}

// --- Declarations. ------------------------------------------------------------------------------------------------

/// What nobody can read may be anything; a guard, even, or a wait for all that is under way.
void FunctionLowering::anythingBroken() {
  const Slot whose = facts_.newSlot(facts::Type::Device);
  facts_.emit(Opcode::Unknown, whose, {}, nullptr);
  facts_.emit(Opcode::Guard, facts_.newSlot(facts::Type::Guard), {facts_.operand(whose, nullptr)}, nullptr,
              Mode::Broken);
  facts_.emit(Opcode::Synchronize, kNone, {}, nullptr, "synchronize");
}

/// `OptionalGuard guard;`, in a class, where no header says what that is; or a pointer that owns such an object.
static bool hasBrokenMember(QualType type) {
  const CXXRecordDecl *record = Types::recordOf(type);
  record = record ? record->getDefinition() : nullptr;
  if (!record)
    return false;
  if (const auto *owner = dyn_cast<ClassTemplateSpecializationDecl>(record); owner && record->isInStdNamespace())
    return llvm::any_of(owner->getTemplateArgs().asArray(), [](const TemplateArgument &owned) {
      return owned.getKind() == TemplateArgument::Type && hasBrokenMember(owned.getAsType());
    });
  return llvm::any_of(record->fields(), [](const FieldDecl *member) { return member->isInvalidDecl(); });
}

void FunctionLowering::declare(const VarDecl *variable) {
  if (holdingVariables_.count(variable))
    return;
  if (variable->isInvalidDecl()) {
    value(variable->getInit());
    anythingBroken();
    return;
  }
  if (hasBrokenMember(variable->getType()))
    anythingBroken();
  if (variable->isStaticLocal()) { // in a block of its own, see terminate()
    Slot place = this->variable(variable);
    if (variable->getInit() && place != kNone && facts_.slot(place).type != facts::Type::Other)
      initializeGlobal(place, variable);
    return;
  }
  if (variable->hasGlobalStorage())
    return;
  const Expr *init = variable->getInit();
  if (init && init->containsErrors()) {
    value(init);
    init = nullptr;
  }
  if (const Expr *list = survey_.listOf(variable)) {
    Slot over = valueUncached(list);
    if (over != kNone) {
      facts_.emit(Opcode::Iterate, this->variable(variable), {facts_.operand(over, list)}, init);
      if (constantInt(init, unit_.context()) == 1) // behind the first
        facts_.emit(Opcode::Advance, kNone, {facts_.operand(this->variable(variable), init)}, init);
      return;
    }
  }
  Slot source = init ? value(init) : kNone;
  Slot slot = this->variable(variable);
  facts::Type type = facts_.slot(slot).type;
  if (loaders_.has(source))
    loaders_.add(slot, loaders_.setOf(source));
  if (type == facts::Type::String && source != kNone && facts_.slot(source).type == facts::Type::Pointer)
    facts_.slot(slot).type = facts::Type::Pointer; // bytes seen as char: memory, no text
  bool pointsIntoList = source != kNone && facts_.slot(source).type == facts::Type::List && type != facts::Type::List &&
                        variable->getType().getNonReferenceType()->isPointerType();
  if (pointsIntoList) { // the iterator of an array or an ArrayRef
    facts_.slot(slot).type = facts::Type::List;
    facts_.slot(slot).element = type;
    facts_.slot(slot).reference = false;
    if (variable->getName().starts_with("__begin") && facts_.isPlace(source))
      source = iterate(init, source);
  }
  if (!init) {
    reopenNew(slot, variable);
    // Scalars and pointers start undefined: nothing to say. Arrays of the host's own are memory.
    if (type == facts::Type::Pointer && variable->getType()->isArrayType())
      facts_.emit(Opcode::Allocate, slot, {}, nullptr, Mode::Host).source = facts_.source(variable);
    else if (type == facts::Type::List && variable->getType()->isArrayType())
      facts_.emit(Opcode::List, slot, {}, nullptr).source = facts_.source(variable);
    return;
  }
  const Expr *at = init->IgnoreUnlessSpelledInSource();
  bool isArrayMemory = type == facts::Type::Pointer && variable->getType()->isArrayType();
  // What is written in a buffer by and by, its first text does not say.
  const bool isBuffer = type == facts::Type::String && variable->getType()->isArrayType() &&
                        !unit_.context().getBaseElementType(variable->getType()).isConstQualified();
  if (isArrayMemory)
    facts_.emit(Opcode::Allocate, slot, {}, at, Mode::Host);
  else if (isBuffer)
    facts_.emit(Opcode::Unknown, slot, {}, at);
  else if (source != kNone && facts_.slot(slot).reference && facts_.isPlace(source))
    facts_.emit(Opcode::Bind, slot, {facts_.operand(source, at)}, at);
  else if (type != facts::Type::Other || source != kNone)
    facts_.moveInto(slot, source, at, !isMerge(source));
  reopenNew(slot, variable);
  if (const auto *decomposition = dyn_cast<DecompositionDecl>(variable))
    declareBindings(decomposition, slot);
}

void FunctionLowering::declareBindings(const DecompositionDecl *decl, Slot whole) {
  const CXXRecordDecl *record = decl->getType().getNonReferenceType()->getAsCXXRecordDecl();
  bool isMapEntry = false;
  if (record && unit_.types().isStd(decl->getType(), "pair"))
    isMapEntry = Types::templateArgument(record, 0).isConstQualified();
  std::vector<std::string> fields;
  bool isTuple = record && !unit_.names().isUser(record);
  if (record && !isTuple)
    for (const FieldDecl *member : record->fields())
      fields.push_back(member->getNameAsString());
  // `auto [a, b] = x;` names the parts of a copy of x; of a temporary, they are all there is.
  const Expr *init = decl->getInit();
  const auto *copied = init ? dyn_cast<CXXConstructExpr>(stripped(init)) : nullptr;
  bool ofCopy = !decl->getType()->isReferenceType() && copied && copied->getNumArgs() == 1 &&
                copied->getConstructor()->isCopyConstructor() && copied->getArg(0)->isLValue();
  auto copyPart = [&](const BindingDecl *binding, Slot name, Slot part, facts::SourceId source) {
    facts_.slot(name).reference = false;
    const bool isStructure = facts_.slot(name).type == facts::Type::Record && unit_.types().isValue(binding->getType());
    facts_.emit(isStructure ? Opcode::Clone : Opcode::Copy, name, {facts_.operand(part, nullptr)}, nullptr).source =
        source;
  };
  unsigned position = 0;
  for (const BindingDecl *binding : decl->bindings()) {
    unsigned index = position++;
    Slot slot = facts_.newSlot(binding->getType(), binding->getName(), facts_.source(binding));
    variables_[binding] = slot;
    if (const VarDecl *holder = binding->getHoldingVar())
      holdingVariables_.insert(holder);
    facts_.slot(slot).reference = true;
    if (facts_.slot(slot).type == facts::Type::Other)
      continue;
    facts::SourceId source = facts_.source(binding);
    if (isMapEntry) {
      if (index == 0)
        facts_.emit(Opcode::Unknown, slot, {}, nullptr);
      else if (ofCopy)
        copyPart(binding, slot, whole, source);
      else
        facts_.emit(Opcode::Bind, slot, {facts_.operand(whole, nullptr)}, nullptr).source = source;
      continue;
    }
    bool isInsertion = whole != kNone && facts_.slot(whole).type == facts::Type::List &&
                       unit_.types().isStd(decl->getType(), "pair"); // what a map's emplace gives
    if (isInsertion) {
      if (index == 0)
        facts_.emit(Opcode::Copy, slot, {facts_.operand(whole, nullptr)}, nullptr).source = source;
      else
        facts_.emit(Opcode::Unknown, slot, {}, nullptr).source = source;
      continue;
    }
    std::string name = index < fields.size() ? fields[index] : std::to_string(index);
    Opcode opcode = record ? Opcode::Field : Opcode::Element;
    Slot part = ofCopy ? facts_.newSlot(binding->getType(), "", 0) : slot;
    facts_.slot(part).reference = true;
    facts_.emit(opcode, part, {facts_.operand(whole, nullptr)}, nullptr, record ? name : "").source = source;
    if (ofCopy)
      copyPart(binding, slot, part, source);
  }
}

void FunctionLowering::initialize(const CXXCtorInitializer *initializer) {
  const Expr *init = initializer->getInit();
  if (initializer->isAnyMemberInitializer()) {
    if (const auto *inClass = dyn_cast_or_null<CXXDefaultInitExpr>(init))
      init = inClass->getExpr(); // reported where it is written, in the class
    initializeField(initializer->getAnyMember(), init);
    return;
  }
  const CXXRecordDecl *target =
      initializer->isDelegatingInitializer()
          ? initializer->getTypeSourceInfo()->getType()->getAsCXXRecordDecl()
          : (initializer->getBaseClass() ? QualType(initializer->getBaseClass(), 0)->getAsCXXRecordDecl() : nullptr);
  const auto *construction = init ? dyn_cast<CXXConstructExpr>(stripped(init)) : nullptr;
  if (!target || !construction || !unit_.names().isUser(target))
    return;
  llvm::SmallVector<const Expr *, 8> args(construction->arg_begin(), construction->arg_end());
  callConstructor(thisSlot(), construction, target, args, construction->getConstructor());
}

void FunctionLowering::initializeField(const FieldDecl *member, const Expr *init) {
  if (!member || member->getName().empty())
    return;
  Kind kind = kindOf(member->getType());
  if (init && unit_.types().isTorch(member->getType(), "cuda::CUDAStream"))
    facts_.assign(facts_.field(thisSlot(), member->getName(), member->getType(), init), operand(init), init);
  if (kind.type == facts::Type::Other && !(init && mayHoldUnknown(member->getType())))
    return;
  facts::SourceId source = unit_.source(member, nullptr);
  if (!init) {
    // Default initialization of a class type, as the implicit constructor would do it.
    const CXXRecordDecl *record = member->getType()->getAsCXXRecordDecl();
    const auto *array = dyn_cast_or_null<ConstantArrayType>(member->getType()->getAsArrayTypeUnsafe());
    if (!record && !array)
      return;
    Slot place = facts_.field(thisSlot(), member->getName(), member->getType(), nullptr);
    Slot made = kNone;
    if (kind.type == facts::Type::List) {
      made = facts_.newSlot(member->getType(), "", 0);
      facts_.emit(Opcode::List, made, {}, nullptr).source = source;
      const std::optional<std::int64_t> count = array ? array->getSize().getZExtValue() : Types::arraySize(record);
      if (count)
        makeRoom(made, kind.element, count, nullptr);
    } else if (!record) {
      return;
    } else if (kind.type == facts::Type::Tensor || unit_.types().isWrapper(record)) {
      made = facts_.newSlot(member->getType(), "", 0);
      facts_.emit(Opcode::Null, made, {}, nullptr).source = source;
    } else if (QualType impl = unit_.types().held(record); !impl.isNull()) {
      made = makeModule(nullptr, impl->getAsCXXRecordDecl(), {});
    } else if (kind.type == facts::Type::Module && kind.record) {
      made = makeModule(nullptr, kind.record, {});
    } else if (kind.type == facts::Type::Record && kind.record) {
      made = constructUser(nullptr, kind.record, {}, nullptr);
    }
    if (made != kNone)
      facts_.emit(Opcode::Assign, kNone, {facts_.operand(place, nullptr), facts_.operand(made, nullptr)}, nullptr)
          .source = source;
    return;
  }
  Operand value = operand(init);
  Slot place = facts_.field(thisSlot(), member->getName(), member->getType(), init);
  if (place == kNone)
    return;
  if ((member->getType()->isReferenceType() || pointsToTensor(member->getType())) && value.slot != kNone)
    facts_.emit(Opcode::Bind, kNone, {facts_.operand(place, nullptr), value}, init);
  else
    facts_.assign(place, value, init);
}

} // namespace samedevice::clangfront
