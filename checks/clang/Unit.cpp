#include "Unit.h"

#include "ClangVersions.h"
#include "FunctionLowering.h"
#include "TorchHeaders.h"

#include "clang/AST/Attr.h"
#include "clang/AST/DeclFriend.h"
#include "clang/AST/DeclTemplate.h"
#include "llvm/ADT/SmallPtrSet.h"

namespace samedevice::clangfront {

using namespace clang;
using facts::kNone;

Unit::Unit(ASTContext &context, const LoweringOptions &options, Lowered &lowered, Surroundings *surroundings,
           const Errors *errors)
    : context_(context), options_(options), lowered_(lowered), surroundings_(surroundings), names_(context),
      promises_(options), types_(context, options, names_, promises_), losses_(context, errors) {
  lowered_.sources.emplace_back();
}

void Unit::run() {
  program().torch = torchVersion(context_);
  visitScope(context_.getTranslationUnitDecl());
  lowerPending();
  lowerGlobals();
  lowerPending();
  markQuantities();
  markBackward(); // all bindings were seen
  markRegisteredForCuda();
  losses_.leaveOut(program());
}

// --- The walk. ----------------------------------------------------------------------------------------------------

void Unit::visitScope(const DeclContext *scope) {
  for (const Decl *decl : scope->decls())
    visit(decl);
}

void Unit::visit(const Decl *decl) {
  // What is precompiled are headers of libraries, or an editor's preamble: without bodies, and asked for by who uses
  // it.
  if (decl->isInvalidDecl() || decl->isFromASTFile())
    return;
  if (const auto *space = dyn_cast<NamespaceDecl>(decl)) {
    if (names_.isUser(space))
      visitScope(space);
  } else if (const auto *linkage = dyn_cast<LinkageSpecDecl>(decl)) {
    if (names_.isUser(linkage))
      visitScope(linkage);
  } else if (!names_.isUser(decl)) {
    return;
  } else if (const auto *function = dyn_cast<FunctionDecl>(decl)) {
    visitFunction(function);
  } else if (const auto *functionTemplate = dyn_cast<FunctionTemplateDecl>(decl)) {
    backward_.declared(functionTemplate->getTemplatedDecl());
    for (const FunctionDecl *special : functionTemplate->specializations())
      visitFunction(special);
  } else if (const auto *record = dyn_cast<CXXRecordDecl>(decl)) {
    visitRecord(record);
  } else if (const auto *classTemplate = dyn_cast<ClassTemplateDecl>(decl)) {
    for (const ClassTemplateSpecializationDecl *special : classTemplate->specializations())
      visitRecord(special);
  } else if (const auto *friends = dyn_cast<FriendDecl>(decl)) {
    if (const NamedDecl *named = friends->getFriendDecl())
      if (isa<FunctionDecl>(named) || isa<FunctionTemplateDecl>(named))
        visit(named);
  } else if (const auto *variable = dyn_cast<VarDecl>(decl)) {
    visitVariable(variable);
  }
}

void Unit::visitVariable(const VarDecl *variable) {
  if (variable->hasGlobalStorage() && !variable->isStaticLocal() && variable->hasInit() &&
      !variable->getType()->isDependentType() && !variable->getInit()->isValueDependent() &&
      !isa<VarTemplateSpecializationDecl>(variable))
    globals_.push_back(variable);
}

void Unit::useGlobal(const VarDecl *variable) {
  const VarDecl *definition = variable->isFromASTFile() ? variable->getDefinition() : nullptr;
  if (definition && definition->isFromASTFile() && usedGlobals_.insert(definition).second)
    visitVariable(definition);
}

void Unit::visitRecord(const CXXRecordDecl *record) {
  if (!record->isThisDeclarationADefinition() || record->isDependentContext() || record->isInvalidDecl() ||
      record->isLambda())
    return;
  this->record(record);
  visitScope(record);
}

void Unit::visitFunction(const FunctionDecl *decl) {
  if (const auto *method = dyn_cast<CXXMethodDecl>(decl))
    noteOverrides(method);
  backward_.declared(decl);
  function(decl);
}

void Unit::noteOverrides(const CXXMethodDecl *method) {
  std::vector<const CXXMethodDecl *> above(method->overridden_methods().begin(), method->overridden_methods().end());
  while (!above.empty()) {
    const CXXMethodDecl *base = above.back();
    above.pop_back();
    auto &list = overriders_[base->getCanonicalDecl()];
    if (std::find(list.begin(), list.end(), method->getCanonicalDecl()) == list.end())
      list.push_back(method->getCanonicalDecl());
    above.insert(above.end(), base->overridden_methods().begin(), base->overridden_methods().end());
  }
}

// --- Ids. ---------------------------------------------------------------------------------------------------------

facts::FunctionId Unit::function(const FunctionDecl *decl) {
  if (!decl || decl->isDependentContext() || decl->isInvalidDecl())
    return kNone;
  const FunctionDecl *definition = nullptr;
  if (!decl->hasBody(definition) || !definition || !names_.isUser(definition) || definition->isDefaulted() ||
      definition->isDeleted())
    return kNone;
  // A holder's constructors hand everything on to the module they make; that is what calls show. A class with an error
  // in it is not known, and Clang's CFG asks its members for their destructors.
  if (const auto *method = dyn_cast<CXXMethodDecl>(definition);
      method && (method->getParent()->isInvalidDecl() || !types_.held(method->getParent()).isNull()))
    return kNone;
  if (const auto *constructor = dyn_cast<CXXConstructorDecl>(definition);
      constructor && constructor->isInheritingConstructor())
    return kNone;
  if (definition->hasAttr<CUDAGlobalAttr>() ||
      (definition->hasAttr<CUDADeviceAttr>() && !definition->hasAttr<CUDAHostAttr>()))
    return kNone; // runs on the device: no host code
  auto [place, isNew] = lowered_.functions.try_emplace(definition->getCanonicalDecl(), kNone);
  if (!isNew || losses_.affect(definition))
    return place->second;
  auto id = static_cast<facts::FunctionId>(program().functions.size());
  place->second = id;
  program().functions.emplace_back();
  facts::Function described;
  describe(described, definition);
  program().functions[id] = std::move(described);
  pending_.push_back({id, definition, nullptr, Unwritten::Implicit});
  return id;
}

facts::FunctionId Unit::declared(const FunctionDecl *decl) {
  if (!decl || decl->isDependentContext() || decl->isInvalidDecl() || decl->hasBody() || decl->isDefaulted() ||
      decl->isDeleted() || !names_.isUser(decl) || !decl->isExternallyVisible() || decl->hasAttr<CUDAGlobalAttr>() ||
      (decl->hasAttr<CUDADeviceAttr>() && !decl->hasAttr<CUDAHostAttr>()))
    return kNone;
  const auto *method = dyn_cast<CXXMethodDecl>(decl);
  if (method && (method->getParent()->isInvalidDecl() || !types_.held(method->getParent()).isNull() ||
                 (!method->isStatic() && record(method->getParent()) == kNone)))
    return kNone;
  auto [place, isNew] = lowered_.functions.try_emplace(decl->getCanonicalDecl(), kNone);
  if (!isNew)
    return place->second;
  auto id = static_cast<facts::FunctionId>(program().functions.size());
  place->second = id;
  program().functions.emplace_back();
  facts::Function described;
  described.isElsewhere = true;
  describe(described, decl);
  if (method && !method->isStatic()) {
    described.slots.push_back(slot(recordType(method->getParent()), "this", 0));
    described.slots.back().reference = true;
  }
  for (const ParmVarDecl *param : decl->parameters())
    described.slots.push_back(slot(param->getType(), param->getName(), source(param, decl)));
  described.paramCount = static_cast<facts::Slot>(described.slots.size());
  program().functions[id] = std::move(described);
  return id;
}

facts::FunctionId Unit::functionOrDeclared(const FunctionDecl *decl) {
  const facts::FunctionId seen = function(decl);
  return seen == kNone ? declared(decl) : seen;
}

/// The name by which other files know it; none, where they cannot.
std::string Unit::linkName(const NamedDecl *decl) {
  SmallString<128> name;
  return decl->isExternallyVisible() && !index::generateUSRForDecl(decl, name) ? name.str().str() : std::string();
}

void Unit::describe(facts::Function &facts, const FunctionDecl *decl) {
  facts.name = Names::qualified(decl);
  facts.link = linkName(decl);
  facts.isEntry = decl->isMain();
  facts.isGuarded = promises_.find(decl, Promise::Guarded).has_value();
  facts.isStatic = decl->isStatic() || isInternal(decl);
  facts.source = source(decl, decl);
  if (!decl->isMain()) // main may end without a return; what it gives back interests nobody
    facts.result = slot(decl->getReturnType(), "", 0);
  if (const auto *method = dyn_cast<CXXMethodDecl>(decl))
    describeOwner(facts, method);
}

void Unit::describeOwner(facts::Function &facts, const CXXMethodDecl *method) {
  facts::ClassId owner = record(method->getParent());
  facts.cls = owner;
  if (method->getParent()->isLambda())
    facts.name = "lambda";
  facts.isStatic = method->isStatic();
  facts.isGuarded |= method->isStatic() && method->getIdentifier() && method->getName() == "backward" &&
                     types_.derivesFrom(method->getParent(), "autograd::Function");
  facts.isConstructor = isa<CXXConstructorDecl>(method);
  facts.isDestructor = isa<CXXDestructorDecl>(method);
  // Constructors and clone() call reset(), before anybody moves what it registers.
  const bool isReset = method->getIdentifier() && method->getName() == "reset" &&
                       method->size_overridden_methods() > 0 &&
                       types_.derivesFrom(method->getParent(), "nn::Cloneable");
  facts.isPrivate = isReset || method->getAccess() == AS_private || method->getAccess() == AS_protected;
  for (const CXXMethodDecl *overridden : method->overridden_methods()) {
    if (const facts::FunctionId base = functionOrDeclared(overridden); base != kNone)
      facts.overrides.push_back(base);
  }
  if (owner == kNone || facts.isElsewhere) // who has the body tells the class of it
    return;
  facts::Class &cls = classFacts(owner);
  auto id = lowered_.functions.lookup(method->getCanonicalDecl());
  if (facts.isConstructor) {
    cls.constructors.push_back(id);
    return;
  }
  cls.methods.push_back(id);
  bool isCall = method->getOverloadedOperator() == OO_Call;
  if (cls.call == kNone && (isCall || (cls.isModule && method->getIdentifier() && method->getName() == "forward")))
    cls.call = id;
  if (cls.isModule && method->getIdentifier() && method->getName() == "to" && method->size_overridden_methods() > 0 &&
      method->getNumParams() > 0 && types_.of(method->getParamDecl(0)->getType()).type == facts::Type::Device &&
      cls.moveOverride == kNone)
    cls.moveOverride = id;
}

std::vector<std::uint32_t> Unit::targets(const FunctionDecl *decl, bool isVirtualCall) {
  std::vector<std::uint32_t> found;
  if (facts::FunctionId own = function(decl); own != kNone)
    found.push_back(own);
  if (const auto *method = dyn_cast_or_null<CXXMethodDecl>(decl); method && isVirtualCall && method->isVirtual())
    for (const CXXMethodDecl *overrider : overriders_.lookup(method->getCanonicalDecl()))
      if (facts::FunctionId id = function(overrider); id != kNone)
        found.push_back(id);
  return found;
}

facts::ClassId Unit::record(const CXXRecordDecl *decl) {
  decl = decl ? decl->getDefinition() : nullptr;
  if (!decl || decl->isInvalidDecl() || decl->isDependentContext() || !names_.isUser(decl) ||
      !types_.held(decl).isNull())
    return kNone;
  auto [place, isNew] = lowered_.classes.try_emplace(decl, kNone);
  if (!isNew)
    return place->second;
  auto id = static_cast<facts::ClassId>(program().classes.size());
  place->second = id;
  program().classes.emplace_back();
  fillClass(id, decl);
  return id;
}

facts::ClassId Unit::callable(const FunctionDecl *named) {
  const auto *method = dyn_cast<CXXMethodDecl>(named);
  facts::FunctionId body = method && !method->isStatic() ? kNone : functionOrDeclared(named);
  if (body == kNone)
    return kNone;
  auto [place, isNew] = lowered_.classes.try_emplace(named->getCanonicalDecl(), kNone);
  if (isNew) {
    place->second = static_cast<facts::ClassId>(program().classes.size());
    facts::Class &cls = program().classes.emplace_back();
    cls.name = "function";
    cls.isLambda = true;
    cls.call = body;
  }
  return place->second;
}

void Unit::fillClass(facts::ClassId id, const CXXRecordDecl *record) {
  records_.push_back({id, record});
  facts::Class cls;
  cls.name = record->isLambda() ? "lambda" : Names::qualified(record);
  cls.isModule = types_.isModule(record);
  cls.isLambda = record->isLambda();
  if (!cls.isLambda)
    cls.link = linkName(record);
  cls.source = source(record, nullptr);
  for (const CXXBaseSpecifier &base : record->bases())
    if (facts::ClassId parent = this->record(base.getType()->getAsCXXRecordDecl()); parent != kNone)
      cls.bases.push_back(parent);
  for (const FieldDecl *field : record->fields())
    if (!field->getName().empty()) {
      cls.fields.push_back({slot(field->getType(), field->getName(), source(field, nullptr))});
      cls.fields.back().slot.own =
          !cls.isLambda && !field->getType()->isReferenceType() && types_.isValue(field->getType());
      cls.fields.back().slot.readOnly |= field->getType().isConstQualified();
      cls.fields.back().slot.isPlain = types_.isEnumerated(field->getType());
    }
  // A field's type may have led back here and to methods: keep what they registered.
  facts::Class &kept = classFacts(id);
  cls.constructors = std::move(kept.constructors);
  cls.methods = std::move(kept.methods);
  cls.call = kept.call;
  cls.moveOverride = kept.moveOverride;
  kept = std::move(cls);
}

facts::FunctionId Unit::implicitConstructor(const CXXRecordDecl *record) {
  return unwrittenConstructor(record, nullptr, Unwritten::Implicit);
}

facts::FunctionId Unit::memberInitializers(const CXXRecordDecl *record) {
  return unwrittenConstructor(record, nullptr, Unwritten::Members);
}

facts::FunctionId Unit::assumedConstructor(const CXXRecordDecl *record, const CXXConstructorDecl *constructor) {
  record = record->getDefinition();
  if (record && types_.isModule(record) && !managesDevices(record))
    return unwrittenConstructor(record, constructor, Unwritten::Assumed);
  return constructor ? declared(constructor) : kNone;
}

/// A device among the members, or among what a constructor takes: where its parameters are, and what it does with
/// its inputs, is decided in the bodies that we do not see.
bool Unit::managesDevices(const CXXRecordDecl *record) {
  auto isPlace = [&](QualType type) {
    facts::Type kind = types_.of(type).type;
    return kind == facts::Type::Device || kind == facts::Type::Options;
  };
  return llvm::any_of(record->fields(), [&](const FieldDecl *member) { return isPlace(member->getType()); }) ||
         llvm::any_of(record->ctors(), [&](const CXXConstructorDecl *constructor) {
           return llvm::any_of(constructor->parameters(),
                               [&](const ParmVarDecl *parameter) { return isPlace(parameter->getType()); });
         });
}

facts::FunctionId Unit::unwrittenConstructor(const CXXRecordDecl *record, const CXXConstructorDecl *assumed,
                                             Unwritten how) {
  record = record->getDefinition();
  facts::ClassId owner = this->record(record);
  if (owner == kNone)
    return kNone;
  const Decl *key = assumed ? static_cast<const Decl *>(assumed->getCanonicalDecl()) : record;
  auto [place, isNew] = unwritten_[static_cast<int>(how)].try_emplace(key, kNone);
  if (!isNew)
    return place->second;
  auto id = static_cast<facts::FunctionId>(program().functions.size());
  place->second = id;
  facts::Function facts;
  facts.name = Names::qualified(record) + "::" + record->getNameAsString();
  // Of classes that other files know, the constructor that the compiler writes is the same in all of them.
  const std::string link = linkName(assumed ? static_cast<const NamedDecl *>(assumed) : record);
  const bool isWhole = how == Unwritten::Implicit;
  facts.link = assumed || link.empty() ? link : isWhole ? link + "#constructor" : std::string();
  facts.cls = owner;
  facts.isConstructor = true;
  facts.isElsewhere = how == Unwritten::Assumed;
  facts.source = source(record, nullptr);
  program().functions.push_back(std::move(facts));
  classFacts(owner).constructors.push_back(id);
  pending_.push_back({id, nullptr, record, how});
  return id;
}

facts::SourceId Unit::source(const Stmt *stmt, const Decl *function) {
  if (!stmt)
    return 0;
  auto [place, isNew] = sourceIds_.try_emplace(stmt, static_cast<facts::SourceId>(lowered_.sources.size()));
  if (isNew) {
    const auto *omitted = dyn_cast<CXXDefaultArgExpr>(stmt);
    lowered_.sources.push_back(
        {omitted ? SourceRange(omitted->getUsedLocation()) : stmt->getSourceRange(), stmt, nullptr, function});
  }
  return place->second;
}

facts::SourceId Unit::source(const Decl *decl, const Decl *function) {
  if (!decl)
    return 0;
  auto [place, isNew] = sourceIds_.try_emplace(decl, static_cast<facts::SourceId>(lowered_.sources.size()));
  if (isNew)
    lowered_.sources.push_back({decl->getSourceRange(), nullptr, decl, function});
  return place->second;
}

facts::SlotInfo Unit::slot(QualType type, StringRef name, facts::SourceId source) {
  facts::SlotInfo info;
  info.name = name.str();
  info.source = source;
  if (type.isNull())
    return info;
  Kind kind = types_.of(type);
  info.type = kind.type;
  if (kind.record && (kind.type == facts::Type::Module || kind.type == facts::Type::Record))
    info.cls = record(kind.record);
  if (kind.type == facts::Type::List && !kind.element.isNull()) {
    Kind element = types_.of(kind.element);
    info.element = element.type;
    if (element.record && (element.type == facts::Type::Module || element.type == facts::Type::Record))
      info.cls = record(element.record);
    info.ownElements = types_.isValue(kind.element);
  }
  if (kind.type == facts::Type::Record && !kind.record)
    info.ownElements = types_.isTupleOfValues(type);
  QualType written = type.getNonReferenceType();
  bool pointsToPlace =
      written->isPointerType() && kind.type != facts::Type::Pointer && kind.type != facts::Type::String;
  info.reference = type->isReferenceType() || pointsToPlace;
  info.readOnly = (type->isReferenceType() && written.isConstQualified()) ||
                  (pointsToPlace && written->getPointeeType().isConstQualified());
  return info;
}

void Unit::markEntry(const FunctionDecl *decl, StringRef boundName) {
  if (!boundName.empty())
    backward_.bound(decl, boundName);
  const facts::FunctionId id = functionOrDeclared(decl);
  if (id == kNone)
    return;
  program().functions[id].isEntry = true;
  if (!boundName.empty())
    program().functions[id].boundAs.push_back(nameInSchema(boundName).str());
}

void Unit::markForCuda(const FunctionDecl *decl, const FunctionDecl *registrar) {
  const facts::FunctionId id = functionOrDeclared(decl);
  if (id != kNone && registrar)
    registered_.push_back({id, registrar});
  else if (id != kNone)
    program().functions[id].isForCuda = true;
}

/// What `TORCH_LIBRARY_IMPL(ns, CUDA, m)` makes of itself.
static bool isLibraryForCuda(const FunctionDecl *decl) {
  StringRef name = decl->getIdentifier() ? decl->getName() : StringRef();
  return name.consume_front("TORCH_LIBRARY_IMPL_init_") && name.rtrim("0123456789").rtrim('_').ends_with("_CUDA");
}

/// A helper that is given libraries registers for CUDA what it registers, if CUDA's library is given to it.
void Unit::markRegisteredForCuda() {
  llvm::DenseSet<facts::FunctionId> registrars;
  for (auto [decl, id] : lowered_.functions) {
    if (registered_.empty() || id == kNone || !isLibraryForCuda(cast<FunctionDecl>(decl)))
      continue;
    registrars.insert(id);
    for (const facts::Block &block : program().functions[id].blocks)
      for (const facts::Instruction &i : block.instructions)
        if (i.opcode == facts::Opcode::Call)
          registrars.insert(i.targets.begin(), i.targets.end());
  }
  for (auto [function, registrar] : registered_)
    program().functions[function].isForCuda |=
        registrars.count(lowered_.functions.lookup(registrar->getCanonicalDecl())) != 0;
}

void Unit::markBackward() {
  for (auto [decl, id] : lowered_.functions)
    if (id != kNone)
      program().functions[id].isGuarded |= backward_.includes(cast<FunctionDecl>(decl));
}

static bool isFilledByHost(const VarDecl *variable) {
  const bool isOnDevice = variable->hasAttr<CUDAConstantAttr>() || variable->hasAttr<CUDADeviceAttr>();
  return isOnDevice && variable->hasGlobalStorage() && !variable->hasInit();
}

/// Calls of other device functions are followed: constants are what helpers read.
static void collectConstants(const Stmt *code, llvm::SmallPtrSetImpl<const Decl *> &seen,
                             std::vector<const DeclRefExpr *> &found) {
  if (!code)
    return;
  if (const auto *ref = dyn_cast<DeclRefExpr>(code)) {
    const Decl *named = ref->getDecl()->getCanonicalDecl();
    if (const auto *variable = dyn_cast<VarDecl>(named); variable && isFilledByHost(variable)) {
      if (seen.insert(named).second)
        found.push_back(ref);
    } else if (const auto *function = dyn_cast<FunctionDecl>(named);
               function && function->hasAttr<CUDADeviceAttr>() && seen.insert(named).second) {
      const FunctionDecl *body = nullptr;
      if (function->hasBody(body))
        collectConstants(body->getBody(), seen, found);
    }
  }
  for (const Stmt *child : code->children())
    collectConstants(child, seen, found);
}

llvm::ArrayRef<const DeclRefExpr *> Unit::constantsIn(const FunctionDecl *kernel) {
  const FunctionDecl *body = nullptr;
  if (!kernel || !kernel->hasBody(body) || !names_.isUser(body))
    return {};
  auto [place, isNew] = constants_.try_emplace(body);
  if (isNew) {
    llvm::SmallPtrSet<const Decl *, 8> seen;
    collectConstants(body->getBody(), seen, place->second);
  }
  return place->second;
}

// --- Bodies. ------------------------------------------------------------------------------------------------------

void Unit::lowerPending() {
  while (!pending_.empty()) {
    Pending next = pending_.front();
    pending_.pop_front();
    facts::Function facts = program().functions[next.id];
    if (next.function) {
      bodies_.push_back({next.id, next.function});
      FunctionLowering(*this, next.function, facts).lowerBody(next.function);
    } else {
      FunctionLowering(*this, next.record, facts).lowerUnwrittenConstructor(next.record, next.how);
    }
    facts.isEntry = facts.isEntry || program().functions[next.id].isEntry;
    facts.isForCuda = facts.isForCuda || program().functions[next.id].isForCuda;
    facts.boundAs = program().functions[next.id].boundAs; // what the body of another binds, or its own
    program().functions[next.id] = std::move(facts);
  }
}

/// Only keys ask for it.
static bool looksUp(const facts::Program &program) {
  return llvm::any_of(program.functions, [](const facts::Function &function) {
    return llvm::any_of(function.blocks, [](const facts::Block &block) {
      return llvm::any_of(block.instructions, [](const facts::Instruction &i) { return facts::isByKey(i.mode); });
    });
  });
}

void Unit::markQuantities() {
  if (!looksUp(program()))
    return;
  Quantities quantities;
  for (const auto &[id, function] : bodies_)
    quantities.survey(function);
  for (const auto &[id, function] : bodies_) {
    facts::Function &facts = program().functions[id];
    const unsigned first = facts.paramCount - std::min<unsigned>(facts.paramCount, function->getNumParams());
    for (unsigned n = first; n < facts.paramCount; ++n)
      facts.slots[n].isPlain |= quantities.has(function->getParamDecl(n - first));
  }
  for (const auto &[id, record] : records_) {
    std::vector<facts::FieldInfo> &fields = classFacts(id).fields;
    auto next = fields.begin();
    for (const FieldDecl *field : record->fields())
      if (!field->getName().empty() && next != fields.end())
        (next++)->slot.isPlain |= quantities.has(field);
  }
}

void Unit::lowerGlobals() {
  if (globals_.empty())
    return;
  facts::Function facts;
  facts.name = "(globals)";
  facts.isStatic = true;
  FunctionLowering(*this, globals_.front(), facts).lowerGlobals(globals_);
  program().globalInits = {static_cast<facts::FunctionId>(program().functions.size())};
  program().functions.push_back(std::move(facts));
}

} // namespace samedevice::clangfront
