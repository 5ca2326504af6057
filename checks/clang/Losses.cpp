#include "Losses.h"

#include "AstVisitor.h"
#include "Names.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Lex/Lexer.h"

#include <algorithm>
#include <set>
#include <string>

namespace samedevice::clangfront {

using namespace clang;

namespace {

/// The next thing that was written, in the same scope.
const Decl *nextWritten(const Decl *decl) {
  if (const TemplateDecl *described = decl->getDescribedTemplate())
    decl = described;
  do
    decl = decl->getNextDeclInContext();
  while (decl && (decl->isImplicit() || decl->getBeginLoc().isInvalid()));
  return decl;
}

/// Errors of which the tree keeps something: an expression that has its parts, a variable without a meaning.
class Shown : public AstVisitor {
public:
  bool VisitRecoveryExpr(RecoveryExpr *expr) override {
    ranges.push_back(expr->getSourceRange());
    return true;
  }
  bool VisitVarDecl(VarDecl *variable) override {
    if (variable->isInvalidDecl())
      ranges.push_back(variable->getSourceRange());
    return true;
  }
  // Which way it went, the same condition elsewhere would know.
  bool VisitIfStmt(IfStmt *statement) override { return visitCondition(statement->getCond()); }
  bool VisitWhileStmt(WhileStmt *statement) override { return visitCondition(statement->getCond()); }
  bool VisitDoStmt(DoStmt *statement) override { return visitCondition(statement->getCond()); }
  bool VisitForStmt(ForStmt *statement) override { return visitCondition(statement->getCond()); }
  bool VisitSwitchStmt(SwitchStmt *statement) override { return visitCondition(statement->getCond()); }
  bool VisitConditionalOperator(ConditionalOperator *choice) override { return visitCondition(choice->getCond()); }

  std::vector<SourceRange> ranges, conditions;

private:
  bool visitCondition(const Expr *condition) {
    if (condition && condition->containsErrors())
      conditions.push_back(condition->getSourceRange());
    return true;
  }
};

} // namespace

Losses::Losses(ASTContext &context, const Errors *errors) : context_(context) {
  if (!errors)
    return;
  const SourceManager &sources = context.getSourceManager();
  silence_ = errors->silence();
  for (SourceLocation error : errors->places()) {
    auto [file, offset] = sources.getDecomposedExpansionLoc(error);
    if (file.isInvalid() || sources.isInSystemHeader(sources.getExpansionLoc(error)))
      continue;
    errors_.push_back({file, offset});
    const StringRef text = sources.getBufferData(file);
    const StringRef line = text.substr(text.take_front(offset).rfind('\n') + 1).ltrim(); // npos + 1 is 0
    hasStrayBrace_ |= text.substr(offset).starts_with("}");
    const bool isDirective = line.starts_with("#");
    const bool isInclude = isDirective && line.drop_front().ltrim().starts_with("include");
    lacksHeaders_ |= isInclude && !silence_;
    // Cut off at the end, or by what is left out.
    hasLostScope_ |= (isDirective && !isInclude) || text.substr(offset).trim().empty();
    readNames(context.getTranslationUnitDecl(), errors_.back());
  }
  if (silence_)
    loseRest(*silence_);
}

/// What follows may use anything that it names, and call what seems to have no callers.
void Losses::loseRest(SourceLocation behind) {
  hasLostScope_ = true;
  const SourceManager &sources = context_.getSourceManager();
  for (SourceLocation from = sources.getExpansionLoc(behind); from.isValid();
       from = sources.getIncludeLoc(sources.getFileID(from))) {
    auto [file, offset] = sources.getDecomposedLoc(from);
    readNames(Range{file, offset, ~0u});
  }
}

bool Losses::isInRest(const FunctionDecl *function) const {
  if (!silence_)
    return false;
  const SourceManager &sources = context_.getSourceManager();
  return silence_->isInvalid() || !sources.isBeforeInTranslationUnit(sources.getExpansionLoc(function->getEndLoc()),
                                                                     sources.getExpansionLoc(*silence_));
}

Losses::Range Losses::range(SourceRange written) const {
  const SourceManager &sources = context_.getSourceManager();
  const CharSourceRange whole = sources.getExpansionRange(written);
  auto [file, begin] = sources.getDecomposedLoc(whole.getBegin());
  auto [lastFile, end] = sources.getDecomposedLoc(whole.getEnd());
  if (file.isInvalid() || file != lastFile)
    return {};
  return {file, begin, end + Lexer::MeasureTokenLength(whole.getEnd(), sources, context_.getLangOpts())};
}

bool Losses::affect(const FunctionDecl *function) {
  if (errors_.empty() && !silence_)
    return false;
  auto [place, isNew] = known_.try_emplace(function, false);
  if (!isNew)
    return place->second;
  place->second = isInRest(function) || llvm::any_of(errors_, [&](Place error) { return affects(error, function); });
  const Range written = range(function->getSourceRange());
  if (!place->second && !lacksHeaders_ && names(written, lostClasses_)) {
    place->second = true;
    readNames(written);
  }
  // Without one of its functions, nobody knows what a class does; without main, what is a program.
  if (const auto *method = dyn_cast<CXXMethodDecl>(function); method && place->second)
    named_.insert(method->getParent()->getName());
  hasLostScope_ |= place->second && function->isMain();
  return place->second;
}

bool Losses::affects(Place error, const FunctionDecl *function) const {
  // Of a template's instance, what was written is the template; of a lambda, the function around it.
  const FunctionDecl *written = function;
  if (const FunctionDecl *pattern = function->getTemplateInstantiationPattern())
    written = pattern;
  if (range(written->getSourceRange()).has(error))
    return !lacksHeaders_ || !showsIn(function, error);
  if (isBehind(error, written))
    return true;
  for (const DeclContext *scope = written->getParent(); scope; scope = scope->getParent()) {
    const auto *record = dyn_cast<CXXRecordDecl>(scope);
    if (record && !record->isLambda() && isInClass(error, record))
      return true;
    // Where the function around a local class is cut off, so may be what is in it.
    if (const auto *around = dyn_cast<FunctionDecl>(scope))
      return affects(error, around);
  }
  return false;
}

/// In a class, but in none of its functions.
bool Losses::isInClass(Place error, const CXXRecordDecl *record) const {
  record = record->getDefinition();
  if (!record || !range(record->getSourceRange()).has(error))
    return false;
  return llvm::none_of(record->decls(), [&](const Decl *decl) {
    const FunctionDecl *function = decl->getAsFunction();
    return function && !function->isImplicit() && range(decl->getSourceRange()).has(error);
  });
}

/// A brace too many ends a function early; what follows makes no sense.
bool Losses::isBehind(Place error, const Decl *decl) const {
  const Range own = range(decl->getSourceRange());
  if (own.file != error.file || error.offset < own.end)
    return false;
  if (const Decl *next = nextWritten(decl)) {
    const unsigned begin = range(next->getSourceRange()).begin;
    return error.offset < begin || (hasStrayBrace_ && error.offset == begin && next->isInvalidDecl());
  }
  const auto *scope = dyn_cast<Decl>(decl->getLexicalDeclContext());
  return isa<TranslationUnitDecl>(scope) || range(scope->getSourceRange()).has(error);
}

bool Losses::showsIn(const FunctionDecl *function, Place error) const {
  Shown shown;
  shown.walk(function);
  // What was expected behind an expression is an error of the text: what comes then is not what was meant.
  auto hasError = [&](SourceRange written) {
    const Range parts = range(written);
    return parts.has(error) && error.offset < parts.end;
  };
  return llvm::any_of(shown.ranges, hasError) && llvm::none_of(shown.conditions, hasError);
}

/// What stands around an error: the function or class, or where there is none, what is between two of them.
void Losses::readNames(const DeclContext *within, Place error) {
  Range gap{error.file, 0, ~0u};
  for (const Decl *decl : within->decls()) {
    if (decl->isFromASTFile() || decl->isImplicit() || decl->getBeginLoc().isInvalid())
      continue;
    const Range written = range(decl->getSourceRange());
    if (written.file != error.file)
      continue;
    if (written.has(error)) {
      const auto *scope = isa<NamespaceDecl, CXXRecordDecl>(decl) ? cast<DeclContext>(decl) : nullptr;
      if (scope)
        return readNames(scope, error);
      const FunctionDecl *function = decl->getAsFunction();
      if (!function || (!lacksHeaders_ && function->isInvalidDecl()))
        loseScope(within);
      // Of what shows, others are judged, and its own name is not in its body.
      const bool isBody = lacksHeaders_ && function && function->hasBody();
      return readNames(isBody ? range(function->getBody()->getSourceRange()) : written);
    }
    if (written.end <= error.offset)
      gap.begin = std::max(gap.begin, written.begin); // cut short, it may be the one before
    else
      gap.end = std::min(gap.end, written.begin);
  }
  loseScope(within);
  readNames(gap);
}

void Losses::loseScope(const DeclContext *scope) {
  hasLostScope_ = true;
  if (const auto *record = dyn_cast<CXXRecordDecl>(scope)) {
    lostClasses_.insert(record->getName());
    if (!lacksHeaders_)
      named_.insert(record->getName());
  }
}

void Losses::readNames(Range text) {
  forEachName(text, [&](StringRef name) {
    named_.insert(name);
    return true;
  });
}

bool Losses::names(Range text, const llvm::StringSet<> &those) const {
  return !those.empty() && !forEachName(text, [&](StringRef name) { return !those.contains(name); });
}

/// False where `see` wants no more of them.
bool Losses::forEachName(Range text, llvm::function_ref<bool(StringRef)> see) const {
  if (text.file.isInvalid())
    return true;
  const SourceManager &sources = context_.getSourceManager();
  const StringRef file = sources.getBufferData(text.file);
  const SourceLocation begin = sources.getLocForStartOfFile(text.file);
  Lexer lexer(begin, context_.getLangOpts(), file.begin(), file.begin() + std::min<size_t>(text.begin, file.size()),
              file.end());
  for (Token token; !lexer.LexFromRawLexer(token);) {
    if (sources.getFileOffset(token.getLocation()) >= text.end)
      break;
    if (token.is(tok::raw_identifier) && !see(token.getRawIdentifier()))
      return false;
  }
  return true;
}

namespace {

/// Which functions others call, which classes others call methods of, and which are made: by who is not left out.
struct Users {
  Users(const facts::Program &program, const std::vector<char> &isOut)
      : ofFunction(program.functions.size()), ofClass(program.classes.size()), makers(program.classes.size()) {
    for (size_t id = 0; id < program.functions.size(); ++id)
      for (const facts::Block &block : program.functions[id].blocks)
        for (const facts::Instruction &instruction : block.instructions)
          for (const std::uint32_t target : instruction.targets)
            if (!isOut[id])
              add(program, id, instruction, target);
  }

  std::vector<char> ofFunction, ofClass, makers;

private:
  void add(const facts::Program &program, size_t user, const facts::Instruction &instruction, std::uint32_t target) {
    if (instruction.opcode != facts::Opcode::Call) {
      if (target < makers.size()) // a class may be nobody's
        makers[target] = 1;
    } else if (target != user) {
      ofFunction[target] = 1;
      const facts::ClassId cls = program.functions[target].cls;
      if (cls != facts::kNone && cls != program.functions[user].cls)
        ofClass[cls] = 1;
    }
  }
};

} // namespace

void Losses::leaveOut(facts::Program &program) const {
  if (errors_.empty() && !silence_)
    return;
  program.isUnfinished = true;
  // Of a module, its holder is named: Net of NetImpl.
  auto isNamed = [&](StringRef qualified) {
    StringRef name = Names::unqualified(qualified);
    return named_.contains(name) || (name.consume_back("Impl") && named_.contains(name));
  };
  std::vector<char> isOut(program.functions.size());
  const Users users(program, isOut);
  for (size_t id = 0; id < program.functions.size() && !lacksHeaders_; ++id) {
    const facts::Function &function = program.functions[id];
    const bool isMember = function.cls != facts::kNone;
    if (!program.isLambda(function))
      isOut[id] =
          static_cast<char>(isNamed(function.name) || (isMember && isNamed(program.classes[function.cls].name)) ||
                            (hasLostScope_ && !function.isEntry && !users.ofFunction[id]));
  }
  // For want of a header, who is named may be used there, and nobody is judged without those who used it.
  for (bool isNew = lacksHeaders_; isNew;) {
    isNew = false;
    const Users left(program, isOut);
    for (size_t id = 0; id < program.functions.size(); ++id) {
      const facts::Function &function = program.functions[id];
      if (function.isEntry || isOut[id])
        continue;
      if (program.isLambda(function))
        isOut[id] = static_cast<char>(users.makers[function.cls] && !left.makers[function.cls]);
      else if (const facts::ClassId cls = function.cls; cls != facts::kNone)
        isOut[id] = static_cast<char>(!left.ofClass[cls] && (users.ofClass[cls] || isNamed(program.classes[cls].name)));
      else
        isOut[id] = static_cast<char>(!left.ofFunction[id] && (users.ofFunction[id] || isNamed(function.name)));
      isNew |= isOut[id] != 0;
    }
  }
  for (const facts::FunctionId init : program.globalInits)
    isOut[init] = isOut[init] || hasLostScope_ ? 1 : 0;
  if (!lacksHeaders_)
    spread(program, isOut);
  forgetGlobals(program, isOut);
  for (size_t id = 0; id < program.functions.size(); ++id)
    if (isOut[id])
      program.functions[id].blocks.clear();
}

/// A variable whose beginning is left out is not one that somebody chose: nobody knows what it is.
void Losses::forgetGlobals(facts::Program &program, const std::vector<char> &isOut) {
  std::set<std::string> forgotten;
  for (const facts::FunctionId init : program.globalInits)
    for (const facts::Block &block : program.functions[init].blocks)
      for (const facts::Instruction &instruction : block.instructions)
        if (isOut[init] && instruction.opcode == facts::Opcode::Global)
          forgotten.insert(instruction.text);
  for (facts::Function &function : program.functions)
    for (facts::Block &block : function.blocks)
      for (facts::Instruction &instruction : block.instructions)
        if (instruction.opcode == facts::Opcode::Global && forgotten.count(instruction.text)) {
          instruction.opcode = facts::Opcode::Unknown;
          instruction.text.clear();
          instruction.flags = 0;
        }
}

/// To who calls what is left out, whom that calls, and the other functions of its class.
void Losses::spread(const facts::Program &program, std::vector<char> &isOut) const {
  std::vector<char> isClassOut(program.classes.size());
  bool isNew = true;
  auto join = [&](char &one, char &other) {
    isNew |= one != other;
    one = other = one || other ? 1 : 0;
  };
  while (isNew) {
    isNew = false;
    for (size_t id = 0; id < program.functions.size(); ++id) {
      const facts::Function &function = program.functions[id];
      if (function.cls < isClassOut.size())
        join(isOut[id], isClassOut[function.cls]);
      for (const facts::Block &block : function.blocks)
        for (const facts::Instruction &instruction : block.instructions) {
          if (instruction.opcode == facts::Opcode::CallUnknown &&
              named_.contains(Names::unqualified(instruction.text)) && !isOut[id]) {
            isOut[id] = 1;
            isNew = true;
          }
          if (instruction.flags & facts::kGuess)
            continue;
          for (const std::uint32_t target : instruction.targets) {
            const bool isCall = instruction.opcode == facts::Opcode::Call;
            if (isCall &&
                program.functions[target].isElsewhere) { // a library's callers have nothing to do with each other
              isNew |= isOut[target] && !isOut[id];
              isOut[id] = isOut[id] || isOut[target] ? 1 : 0;
            } else if (std::vector<char> &those = isCall ? isOut : isClassOut; target < those.size()) {
              join(isOut[id], those[target]); // a class may be nobody's
            }
          }
        }
    }
  }
}

} // namespace samedevice::clangfront
