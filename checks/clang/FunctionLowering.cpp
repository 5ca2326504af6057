#include "FunctionLowering.h"

#include "../facts/Names.h"
#include "ClangVersions.h"

#include "clang/AST/DeclTemplate.h"
#include "clang/Analysis/CFG.h"

namespace samedevice::clangfront {

using namespace clang;
using facts::kNone;
using facts::Opcode;
using facts::Slot;

// --- Slots and instructions. --------------------------------------------------------------------------------------

Slot FunctionLowering::newSlot(QualType type, StringRef name, facts::SourceId source) {
  facts_.slots.push_back(unit_.slot(type, name, source));
  return static_cast<Slot>(facts_.slots.size() - 1);
}

Slot FunctionLowering::newSlot(facts::Type type) {
  facts_.slots.emplace_back();
  facts_.slots.back().type = type;
  return static_cast<Slot>(facts_.slots.size() - 1);
}

facts::BlockId FunctionLowering::newBlock() {
  facts_.blocks.emplace_back();
  return static_cast<facts::BlockId>(facts_.blocks.size() - 1);
}

facts::Instruction &FunctionLowering::emit(Opcode opcode, Slot dest, Operands args, const Stmt *at, StringRef text) {
  auto &instructions = facts_.blocks[current_].instructions;
  facts::Instruction &added = instructions.emplace_back();
  added.opcode = opcode;
  added.dest = dest;
  added.args = std::move(args);
  added.text = text.str();
  added.source = unit_.source(at, owner_);
  return added;
}

Slot FunctionLowering::result(Opcode opcode, const Expr *expr, Operands args, StringRef text, std::uint32_t flags) {
  Slot dest = expr->getType()->isVoidType() ? kNone : newSlot(expr->getType(), "", 0);
  emit(opcode, dest, std::move(args), expr, text).flags = flags;
  return dest;
}

Slot FunctionLowering::unknown(const Expr *expr) {
  if (typeOf(expr) == facts::Type::Other)
    return kNone;
  Slot slot = result(Opcode::Unknown, expr, {});
  unknowns_.insert(slot);
  return slot;
}

Slot FunctionLowering::null(const Expr *expr) { return result(Opcode::Null, expr, {}); }

Slot FunctionLowering::device(const Expr *at, StringRef text) {
  unit_.mentionDevice();
  Slot dest = newSlot(facts::Type::Device);
  const bool isShared = at && unit_.context().getSourceManager().isMacroBodyExpansion(at->getBeginLoc());
  emit(Opcode::Device, dest, {}, at, text).flags = isShared ? facts::kShared : 0u;
  return dest;
}

Slot FunctionLowering::field(Slot base, StringRef name, QualType type, const Stmt *at) {
  if (base == kNone)
    return kNone;
  Slot place = newSlot(type, "", 0);
  facts_.slots[place].reference = true;
  emit(Opcode::Field, place, {operand(base, nullptr)}, at, name);
  return place;
}

Slot FunctionLowering::field(Slot base, StringRef name, facts::Type type, const Stmt *at) {
  if (base == kNone)
    return kNone;
  Slot place = newSlot(type);
  facts_.slots[place].reference = true;
  emit(Opcode::Field, place, {operand(base, nullptr)}, at, name);
  return place;
}

Slot FunctionLowering::element(Slot list, const Expr *index, QualType type, const Stmt *at) {
  if (list == kNone || facts_.slots[list].type == facts::Type::Tensor)
    return list; // a script call's result stands for whatever it is made of
  Operands args{operand(list, nullptr)};
  if (index) {
    Operand which = operand(index);
    if (which.slot != kNone)
      args.push_back(which);
  }
  Slot place = newSlot(type, "", 0);
  facts_.slots[place].reference = true;
  emit(Opcode::Element, place, std::move(args), at);
  return place;
}

void FunctionLowering::assign(Slot place, Operand value, const Stmt *at) {
  if (place == kNone)
    return;
  if (value.slot == kNone) {
    value.slot = newSlot(facts_.slots[place].type);
    emit(Opcode::Unknown, value.slot, {}, at);
  }
  emit(Opcode::Assign, kNone, {operand(place, at), std::move(value)}, at);
}

void FunctionLowering::assign(Slot place, Operand value, const Stmt *at, QualType type) {
  assign(place, std::move(value), at);
  if (place != kNone && unit_.types().isValue(type))
    facts_.blocks[current_].instructions.back().text = "contents";
}

void FunctionLowering::moveInto(Slot variable, Slot value, const Stmt *at) {
  if (value == kNone) {
    if (facts_.slots[variable].type != facts::Type::Other)
      emit(Opcode::Unknown, variable, {}, at);
    return;
  }
  auto &instructions = facts_.blocks[current_].instructions;
  const facts::SlotInfo &info = facts_.slots[value];
  bool isTemporary = info.name.empty() && !info.reference && value >= facts_.paramCount;
  if (isTemporary) {
    size_t made = instructions.size();
    for (size_t i = instructions.size(); i-- > 0;)
      if (instructions[i].dest == value) {
        made = i;
        break;
      }
    bool isMerge = false;
    for (auto &entry : merges_)
      isMerge = isMerge || entry.second == value;
    if (made < instructions.size() && !isMerge) {
      for (size_t i = made; i < instructions.size(); ++i) {
        if (instructions[i].dest == value)
          instructions[i].dest = variable;
        for (Operand &argument : instructions[i].args)
          if (argument.slot == value)
            argument.slot = variable;
      }
      return;
    }
  }
  emit(Opcode::Copy, variable, {operand(value, at)}, at);
}

facts::Operand FunctionLowering::operand(const Expr *expr, StringRef name) {
  Operand made;
  made.slot = value(expr);
  made.source = unit_.source(expr ? expr->IgnoreUnlessSpelledInSource() : nullptr, owner_);
  made.name = name.str();
  return made;
}

/// What is kept of an argument: a copy, where it is a structure or a container that the caller may go on using.
facts::Operand FunctionLowering::copied(const Expr *expr) {
  Operand made = operand(expr);
  if (made.slot != kNone && expr->isGLValue() && unit_.types().isValue(expr->getType()))
    made.slot = result(Opcode::Clone, expr, {made});
  return made;
}

facts::Operand FunctionLowering::operand(Slot slot, const Stmt *at, StringRef name) {
  Operand made;
  made.slot = slot;
  made.source = unit_.source(at, owner_);
  made.name = name.str();
  return made;
}

Slot FunctionLowering::thisSlot() {
  if (!isLambdaBody_)
    return facts_.cls == kNone || facts_.paramCount == 0 ? kNone : 0;
  return kNone;
}

/// The static variables of functions, and of a template's instances, are told apart by where they are declared.
std::string FunctionLowering::globalName(const VarDecl *decl) {
  std::string name = Names::qualified(decl);
  return decl->isStaticLocal() ? name + '#' + std::to_string(unit_.source(decl, owner_)) : name;
}

Slot FunctionLowering::variable(const VarDecl *decl) {
  decl = decl->getCanonicalDecl();
  if (auto found = variables_.find(decl); found != variables_.end())
    return found->second;
  if (decl->hasGlobalStorage()) {
    if (!unit_.names().isUser(decl))
      return kNone;
    unit_.useGlobal(decl);
    Slot place = newSlot(decl->getType(), "", 0);
    facts_.slots[place].reference = true;
    facts::Instruction &global = emit(Opcode::Global, place, {}, nullptr, globalName(decl));
    global.flags = decl->isStaticLocal() || !decl->isExternallyVisible() ? facts::kOwnName : 0u;
    return place;
  }
  Slot slot = newSlot(decl->getType(), decl->getName(), unit_.source(decl, owner_));
  variables_[decl] = slot;
  return slot;
}

// --- Entry points. ------------------------------------------------------------------------------------------------

void FunctionLowering::addParameters(const FunctionDecl *function) {
  if (const auto *method = dyn_cast<CXXMethodDecl>(function)) {
    isLambdaBody_ = method->getParent()->isLambda();
    if (!method->isStatic()) {
      Slot self = newSlot(recordType(method->getParent()), isLambdaBody_ ? "" : "this", 0);
      facts_.slots[self].reference = true;
      facts_.slots[self].readOnly = method->isConst();
    }
  }
  for (const ParmVarDecl *param : function->parameters()) {
    Slot slot = newSlot(param->getType(), param->getName(), unit_.source(param, owner_));
    variables_[param->getCanonicalDecl()] = slot;
    if (auto on = unit_.promises().find(param, Promise::On))
      promised_.push_back({slot, on->what});
  }
  facts_.paramCount = static_cast<Slot>(facts_.slots.size());
}

void FunctionLowering::lowerBody(const FunctionDecl *function) {
  addParameters(function);
  Stmt *body = function->getBody();
  if (!body)
    return;
  survey(body);
  bool hasTry = isa<CXXTryStmt>(body);
  for (auto &entry : parents_)
    hasTry = hasTry || isa<CXXTryStmt>(entry.first);
  if (const auto *constructor = dyn_cast<CXXConstructorDecl>(function))
    for (const CXXCtorInitializer *init : constructor->inits())
      if (init->getInit())
        survey(init->getInit());
  CFG::BuildOptions options;
  options.AddInitializers = true;
  options.AddImplicitDtors = true;
  options.AddCXXDefaultInitExprInCtors = true;
  options.AddStaticInitBranches = true;
  options.AddEHEdges = hasTry;
  std::unique_ptr<CFG> cfg = CFG::buildCFG(function, body, &unit_.context(), options);
  if (!cfg)
    return;
  lowerCfg(*cfg);
  dropUnusedTemporaries();
}

void FunctionLowering::lowerUnwrittenConstructor(const CXXRecordDecl *record, bool isAssumed) {
  newSlot(recordType(record), "this", 0);
  facts_.slots[0].reference = true;
  facts_.paramCount = 1;
  current_ = newBlock();
  caching_ = false;
  for (const CXXBaseSpecifier &base : record->bases())
    if (const CXXRecordDecl *parent = base.getType()->getAsCXXRecordDecl(); parent && unit_.names().isUser(parent)) {
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
  facts_.blocks[current_].end.kind = facts::Terminator::Return;
  dropUnusedTemporaries();
}

void FunctionLowering::initializeGlobal(Slot place, const VarDecl *global) {
  Operand init = operand(global->getInit());
  if (global->getType()->isReferenceType() && init.slot != kNone)
    emit(Opcode::Bind, kNone, {operand(place, nullptr), init}, global->getInit());
  else
    assign(place, init, global->getInit());
}

void FunctionLowering::lowerGlobals(const std::vector<const VarDecl *> &globals) {
  current_ = newBlock();
  caching_ = false;
  for (size_t next = 0; next < globals.size(); ++next) { // one may use another that nobody had asked for
    const VarDecl *global = globals[next];
    owner_ = global;
    Slot place = variable(global);
    if (place == kNone || facts_.slots[place].type == facts::Type::Other)
      continue;
    // `place` was made before the initializer ran: the same order as the assignment it becomes.
    initializeGlobal(place, global);
  }
  facts_.blocks[current_].end.kind = facts::Terminator::Return;
  dropUnusedTemporaries();
}

// --- Before lowering: what surrounds each expression. -------------------------------------------------------------

void FunctionLowering::surveyStatement(const Stmt *stmt) {
  if (const auto *declaration = dyn_cast_or_null<DeclStmt>(stmt))
    if (fromMacro(declaration, unit_.options().guardMacros))
      for (const Decl *declared : declaration->decls())
        if (const auto *variable = dyn_cast<VarDecl>(declared))
          if (const CXXRecordDecl *record = variable->getType()->getAsCXXRecordDecl())
            unit_.types().treatAsGuard(record);
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
    if (const Expr *made = stripped(expr); made && made->isPRValue() && made->getType()->isRecordType())
      passing_.insert(made);
  }
}

void FunctionLowering::survey(const Stmt *stmt) {
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
}

// --- After lowering: names of places nobody went to. --------------------------------------------------------------

void FunctionLowering::dropUnusedTemporaries() {
  for (bool changed = true; changed;) {
    changed = false;
    std::vector<unsigned> uses(facts_.slots.size());
    auto use = [&](Slot slot) {
      if (slot < uses.size())
        ++uses[slot];
    };
    for (const facts::Block &block : facts_.blocks) {
      use(block.end.slot);
      for (const facts::Instruction &instruction : block.instructions)
        for (const Operand &argument : instruction.args)
          use(argument.slot);
    }
    for (facts::Block &block : facts_.blocks) {
      auto &list = block.instructions;
      auto isIdle = [&](const facts::Instruction &instruction) {
        Slot dest = instruction.dest;
        return facts::isPure(instruction.opcode) && dest != kNone && dest >= facts_.paramCount && uses[dest] == 0 &&
               facts_.slots[dest].name.empty();
      };
      size_t before = list.size();
      list.erase(std::remove_if(list.begin(), list.end(), isIdle), list.end());
      changed = changed || list.size() != before;
    }
  }
}

} // namespace samedevice::clangfront
