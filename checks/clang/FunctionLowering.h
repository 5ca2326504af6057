// One function body on its way to facts: clang::CFG gives the blocks, expressions become instructions whose
// results sit in slots. An expression that names a place yields a slot that names the place.
#pragma once

#include "Ast.h"
#include "BodiesInText.h"
#include "BodySurvey.h"
#include "CallSite.h"
#include "DataLoaders.h"
#include "FactWriter.h"
#include "Unit.h"
#include "Vocabulary.h"

#include "clang/AST/ExprCXX.h"
#include "clang/AST/StmtCXX.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"

namespace clang {
class CFG;
class CFGBlock;
class CUDAKernelCallExpr;
} // namespace clang

namespace samedevice::clangfront {

/// How facts compare two numbers; None: they cannot.
facts::Mode comparison(clang::BinaryOperatorKind kind);

class FunctionLowering {
public:
  FunctionLowering(Unit &unit, const clang::Decl *owner, facts::Function &facts)
      : unit_(unit), facts_(unit, owner, facts), survey_(unit, llvm::dyn_cast_or_null<clang::FunctionDecl>(owner)),
        loaders_(unit, facts_) {}

  void lowerBody(const clang::FunctionDecl *function);
  void lowerUnwrittenConstructor(const clang::CXXRecordDecl *record, Unwritten how);
  void lowerGlobals(const std::vector<const clang::VarDecl *> &globals);

private:
  using Expr = clang::Expr;
  using Slot = facts::Slot;
  using Mode = facts::Mode;
  using Opcode = facts::Opcode;
  using Operand = facts::Operand;

  // Blocks and statements (FunctionLowering.cpp, Blocks.cpp).
  void addParameters(const clang::FunctionDecl *function);
  void lowerCfg(const clang::CFG &cfg);
  void findThrowers(const std::vector<const clang::CFGBlock *> &order);
  void throwAtFirst(const clang::CFGBlock &block);
  const Expr *movedTo(const clang::Stmt *thrower);
  bool movesModules(const clang::FunctionDecl *function, int depth);
  bool movesModules(const clang::Stmt *code, int depth);
  const clang::CallExpr *callThatMoves(const clang::CFGBlock &block);
  void leaveHalfDone(const clang::CallExpr *call);
  static const clang::Stmt *lastStatement(const clang::CFGBlock &block);
  static bool isTryBlock(const clang::CFGBlock *block);
  void lowerBlock(const clang::CFGBlock &block);
  bool isInLoop() const;
  void terminate(const clang::CFGBlock &block, const clang::CFG &cfg);
  void statement(const clang::Stmt *stmt);
  void branchByCase(const clang::SwitchStmt *choice, llvm::ArrayRef<const clang::CFGBlock *> ways);
  void anythingBroken();
  /// Of this type, and nobody knows what.
  facts::Slot anything(clang::QualType type, const clang::Expr *at);
  void declare(const clang::VarDecl *variable);
  void declareBindings(const clang::DecompositionDecl *decl, Slot whole);
  void initialize(const clang::CXXCtorInitializer *initializer);
  void initializeGlobal(Slot place, const clang::VarDecl *global);
  void initializeField(const clang::FieldDecl *field, const Expr *init);
  void copyToMerges(const Expr *arm, Slot slot);
  Slot mergeSlot(const Expr *merged);
  bool isMerge(Slot slot) const;
  Slot choose(const Expr *whole, Slot test, llvm::function_ref<Operand()> whenTrue,
              llvm::function_ref<Operand()> whenFalse);
  Slot chooseInline(const Expr *whole, const Expr *condition, const Expr *whenTrue, const Expr *whenFalse);

  // Ends of objects (Lifetimes.cpp).
  void endOf(const clang::VarDecl *variable, const clang::Stmt *trigger);
  void endObject(Slot slot, clang::QualType type, const clang::Stmt *at);
  void endParts(Slot slot, const clang::CXXRecordDecl *record, const clang::Stmt *at, int depth);
  bool endsVisibly(const clang::CXXRecordDecl *record);
  void endOwned(const Expr *owner, const clang::Stmt *at);

  // Values and places (FunctionLowering.cpp).
  Slot variable(const clang::VarDecl *decl);
  std::string globalName(const clang::VarDecl *decl);
  bool pointsToTensor(clang::QualType type);
  bool mayHoldUnknown(clang::QualType type);
  Slot thisSlot();
  Slot element(Slot list, const Expr *index, clang::QualType type, const clang::Stmt *at, Mode which = Mode::None);
  Slot elementAt(Slot list, std::int64_t index, clang::QualType type, const clang::Stmt *at);
  bool isTold(const Expr *key);
  Operand operand(const Expr *expr, llvm::StringRef name = "");
  Operand copied(const Expr *expr);
  Kind kindOf(const Expr *expr) { return unit_.types().of(expr->getType()); }
  Kind kindOf(clang::QualType type) { return unit_.types().of(type); }
  facts::Type typeOf(const Expr *expr) { return kindOf(expr).type; }

  // Expressions (Expressions.cpp).
  Slot value(const Expr *expr);
  void evaluateAll(llvm::ArrayRef<const Expr *> expressions);
  void evaluateWritten(llvm::ArrayRef<const Expr *> arguments);
  Slot compute(const Expr *expr);
  Slot valueUncached(const Expr *expr);
  Slot declRef(const clang::DeclRefExpr *ref);
  Slot member(const clang::MemberExpr *member);
  Slot unary(const clang::UnaryOperator *op);
  Slot binary(const clang::BinaryOperator *op);
  Slot unknownOf(const Expr *whole, llvm::ArrayRef<const Expr *> parts);
  Slot compound(const clang::BinaryOperator *op, Slot place, Slot by);
  Slot memberNamed(const clang::BinaryOperator *access);
  Slot merged(const Expr *expr);

  // Questions asked again (Asking.cpp).
  Slot ask(const Expr *condition, Slot answer);
  void reopenWritten(const Expr *expr);
  void reopenNew(Slot slot, const clang::VarDecl *variable);
  Operand placeAsked(const Expr *place);
  Slot initList(const clang::InitListExpr *list);
  Slot unresolved(const clang::Expr *broken);
  Slot newExpr(const clang::CXXNewExpr *expr);
  Slot dereference(const Expr *whole, const Expr *pointer, const Expr *index);
  void assignTo(const Expr *target, const Expr *value, const Expr *whole);
  void assignTie(const clang::CallExpr *tie, const Expr *value, const Expr *whole);

  // Conditions and loops over lists (Comparisons.cpp).
  Slot compare(const Expr *whole, clang::BinaryOperatorKind kind, const Expr *left, const Expr *right);
  Slot toBool(const clang::CastExpr *cast);
  Slot partOfWhole(const Expr *part, Slot condition);
  Slot downcast(const clang::Expr *whole, const clang::Expr *from);
  Slot iterate(const Expr *at, Slot list, const Expr *key = nullptr);
  Slot isEmpty(const Expr *asked, Slot list);
  Slot hasNext(const Expr *whole, const Expr *iterator);
  Slot memoryKindTest(const Expr *whole, const Expr *kind, const Expr *expected);

  // Calls (Calls.cpp).
  Slot call(const clang::CallExpr *expr);
  Slot dispatch(const CallSite &site);
  /// What a library's function means; nothing where the model does not know it.
  using Model = std::optional<Slot> (FunctionLowering::*)(const CallSite &);
  static llvm::ArrayRef<Model> modelsOf(Name::Library library);
  Slot callUser(const CallSite &site, std::vector<std::uint32_t> targets);
  Slot callValue(const CallSite &site, const Expr *callable);
  bool isForwardElsewhere(const CallSite &site);
  Operands argumentsFor(const CallSite &site);
  Operands withObject(const CallSite &site);
  void applyToModule(const Expr *callback, const Operand &module, const Expr *whole);
  bool readsAsNumpy(const Expr *called, const Expr *whole);

  // Calls of what is not here (CallsElsewhere.cpp).
  Slot callUnknown(const CallSite &site);
  Slot callElsewhere(const CallSite &site, facts::FunctionId declared);
  bool mayWriteTo(const CallSite &site, unsigned index);
  const BodyInText *bodyElsewhere(const CallSite &site);
  void guessBody(const CallSite &site, facts::FunctionId declared, const BodyInText &body, Slot result);

  // Autograd (Autograd.cpp).
  const clang::CXXMethodDecl *appliedForward(const clang::CXXMethodDecl *apply);
  Slot callForward(const CallSite &site, const clang::CXXMethodDecl *forward);
  void callBackward(const CallSite &site, const clang::CXXMethodDecl *forward, Slot context, Slot output);
  Slot gradients(const CallSite &site);
  Slot savedForBackward(const CallSite &site, bool isSaved);

  // What is called from outside (Bindings.cpp).
  void markBindings(const CallSite &site);
  void boundBy(const clang::Stmt *argument, llvm::SmallVectorImpl<const clang::FunctionDecl *> &found);

  // Code for other threads (Threads.cpp).
  Slot startThread(const Expr *whole, llvm::ArrayRef<const Expr *> args);
  void startThreads();
  void letOthersFill(const Expr *condition);
  bool isThread(clang::QualType type);

  // What the vocabulary says (Words.cpp).
  Slot word(const CallSite &site, const Word &word);
  const Word *wordFor(const CallSite &site);
  Slot subject(const CallSite &site);
  std::string scopeOf(const CallSite &site);

  // What the user promised (Promises.cpp).
  std::optional<Slot> promisedCall(const CallSite &site);
  Operand placeNamed(const CallSite &site, llvm::StringRef name);

  // Tensors (Tensors.cpp).
  std::optional<Slot> tensorCall(const CallSite &site);
  Slot operation(const CallSite &site, llvm::StringRef text);
  Slot withHostLengths(const Expr *whole, Slot sequence);
  Slot moveTensor(const CallSite &site);
  Slot factory(const CallSite &site);
  Slot makeGenerator(const CallSite &site);
  Slot drawn(const CallSite &site, Slot made);
  Slot fromBlob(const CallSite &site);
  Operands tensorOperands(const CallSite &site);
  bool optionCall(const CallSite &site, Slot &slot);
  void collectOptionTensors(const Expr *expr, Operands &found);
  bool isFactory(const CallSite &site);
  const Expr *placeArgument(const CallSite &site);
  std::uint32_t nonBlocking(const CallSite &site, Operands &args);

  // Sizes and indices (Dimensions.cpp).
  Slot index(const CallSite &site, llvm::StringRef text);
  void collectIndices(const Expr *expr, Operands &indices);
  void noteSizes(const CallSite &site, facts::Instruction &made);
  void noteDims(const CallSite &site, facts::Instruction &operation);

  // Devices and options (Devices.cpp).
  Slot makeDevice(const Expr *whole, llvm::ArrayRef<const Expr *> args);
  Slot makeOptions(const Expr *whole, llvm::ArrayRef<const Expr *> args);
  Slot optionsWord(const CallSite &site, const Word &word);
  const char *literalDeviceType(const Expr *expr);
  Slot withoutNumber(const Expr *expr, Slot type);
  Slot deviceFrom(const Expr *expr);

  // Modules and optimizers (Modules.cpp).
  Slot moduleWord(const CallSite &site, const Word &word);
  Slot makeModule(const Expr *whole, const clang::CXXRecordDecl *impl, llvm::ArrayRef<const Expr *> args);
  Slot registerChild(const CallSite &site, const Word &word);
  /// `parameters_[name] = tensor`, in a module's own method.
  Slot registerParameter(const clang::MemberExpr *parameters, const clang::Expr *name, const clang::Expr *tensor,
                         const clang::Expr *whole);
  Slot appendToContainer(const CallSite &site, const Word &word);
  Slot load(const CallSite &site, const Word &word);
  Operands modulesIn(llvm::ArrayRef<const Expr *> args);
  Slot namedModule(llvm::ArrayRef<const Expr *> args);

  // Construction (Constructors.cpp).
  Slot construct(const clang::CXXConstructExpr *expr);
  Slot constructType(const Expr *whole, clang::QualType type, llvm::ArrayRef<const Expr *> args,
                     const clang::CXXConstructorDecl *constructor);
  Slot constructUser(const Expr *whole, const clang::CXXRecordDecl *record, llvm::ArrayRef<const Expr *> args,
                     const clang::CXXConstructorDecl *constructor);
  Slot copyOf(const Expr *whole, const Expr *source, bool isMove);
  void callConstructor(Slot object, const Expr *whole, const clang::CXXRecordDecl *record,
                       llvm::ArrayRef<const Expr *> args, const clang::CXXConstructorDecl *constructor);
  void assumeMembers(const clang::CXXRecordDecl *record);
  void callSomeConstructor(Slot object, const clang::CXXRecordDecl *record);
  Slot assumeMade(const clang::CXXRecordDecl *record);
  const clang::CXXConstructorDecl *pickConstructor(const clang::CXXRecordDecl *record,
                                                   llvm::ArrayRef<const Expr *> args);
  Slot record(const Expr *whole, llvm::ArrayRef<std::pair<std::string, const Expr *>> fields);

  // Containers and wrappers (Containers.cpp).
  std::optional<Slot> containerCall(const CallSite &site);
  Slot wrapperCall(const CallSite &site, const clang::CXXRecordDecl *wrapper);
  Slot loaderCall(const CallSite &site, const clang::CXXRecordDecl *loader);
  struct ListCall;
  Slot listCall(const CallSite &site, const clang::CXXRecordDecl *container);
  Slot elementOf(const ListCall &call);
  Slot dropFromList(const ListCall &call, llvm::StringRef container);
  void add(const ListCall &call, Operand item, Mode how = Mode::None);
  void addToList(const ListCall &call);
  Slot emplaceToMap(const ListCall &call);
  Slot constructContainer(const Expr *whole, clang::QualType type, llvm::ArrayRef<const Expr *> args);
  Slot constructMap(const Expr *whole, clang::QualType type, const clang::InitListExpr *entries);
  Slot underKey(const Expr *whole, Slot map, const Expr *key, clang::QualType type);
  void addUnderKey(const Expr *whole, Slot map, const Expr *key, Operand item, clang::QualType type);
  bool addEntry(const Expr *whole, Slot map, const Expr *entry, clang::QualType type);
  std::pair<const Expr *, const Expr *> writtenPair(const Expr *entry);
  Slot listOfDefaults(const Expr *whole, clang::QualType element, std::optional<std::int64_t> count);
  /// What a known function writes behind the addresses of variables: anything.
  void overwrite(const CallSite &site);
  Operands writtenByCallback(const Expr *argument);
  void addOthers(Slot list, const Expr *whole);
  void makeRoom(Slot list, clang::QualType element, std::optional<std::int64_t> count, const Expr *whole);
  Slot constructElement(const clang::Expr *whole, clang::QualType type, llvm::ArrayRef<const Expr *> args);
  bool isPointer(const clang::Expr *expr);

  // Functions of the standard library (StandardFunctions.cpp).
  std::optional<Slot> standardFunction(const CallSite &site);
  bool callOnce(const CallSite &site);
  Slot makeTuple(const Expr *whole, llvm::ArrayRef<const Expr *> args);
  void swapPlaces(const Expr *first, const Expr *second, const Expr *whole);

  // Data sets (DataSets.cpp).
  Slot nextBatch(const clang::Stmt *at, Slot loader, clang::QualType batch);
  struct Batch {
    Slot slot;
    clang::QualType example; ///< the type of one of them, or of the whole
    bool isList;
  };
  Slot mappedSet(const CallSite &site);
  Slot loaderOver(const CallSite &site);
  const clang::CXXMethodDecl *stepOf(clang::QualType part);
  bool isLambdaTransform(clang::QualType type);
  bool knowsBatches(clang::QualType set);
  Batch batchOf(clang::QualType set, Slot from, const clang::Stmt *at);
  Batch transformed(clang::QualType transform, Slot by, const Batch &given, const clang::Stmt *at);
  Batch stepped(const clang::CXXMethodDecl &method, Slot self, Slot given, const clang::Stmt *at);
  Batch batchFrom(Slot made, clang::QualType type);
  Batch listOfOne(Slot example, clang::QualType type, const clang::Stmt *at);
  Slot stacked(Slot example, clang::QualType type, const clang::Stmt *at);

  // Algorithms (Algorithms.cpp).
  Slot invokeCallbacks(const CallSite &site);
  Slot accumulate(const CallSite &site);
  Slot loopOver(const Expr *first, const Expr *whole, llvm::function_ref<void(Slot at, facts::BlockId after)> turn);
  void branch(Slot condition, facts::BlockId yes, facts::BlockId no, const Expr *whole);
  Slot placeFound(const CallSite &site);
  Slot stepped(const Expr *whole, const Expr *from, const Expr *count);
  Slot somewhere(const Expr *whole, Slot list);

  // Memory, machine (Memory.cpp).
  Slot memoryWord(const CallSite &site, const Word &word);
  void readOnHost(const Expr *argument, const clang::Stmt *at, llvm::StringRef by, bool write);
  void readPointers(const CallSite &site, llvm::StringRef by);
  void readInto(const CallSite &site);
  Operand chosenCurrent(const Expr *which);
  void setDevice(const CallSite &site);
  Slot guard(const Expr *whole, llvm::ArrayRef<const Expr *> args);

  // Kernels (Kernels.cpp).
  Slot kernelLaunch(const clang::CUDAKernelCallExpr *launch);
  Slot deviceSymbol(const clang::DeclRefExpr *ref, const clang::VarDecl *symbol);
  Slot contentsOf(const clang::VarDecl *symbol);
  void useConstants(const clang::FunctionDecl *kernel, const clang::Stmt *launch, llvm::StringRef name);
  bool isParameter(const Expr *expr);
  llvm::SmallVector<const Expr *, 8> launchArguments(const Expr *array);
  static bool mayWriteThrough(const clang::Expr *pointer);
  /// Gives the pointers that it was about.
  Operands useOnDevice(llvm::ArrayRef<const Expr *> arguments, const clang::Stmt *at, llvm::StringRef by);

  // Thrust and CUB (Thrust.cpp).
  std::optional<Slot> thrustCall(const CallSite &site);
  std::optional<Slot> cubCall(const CallSite &site);

  // CUDA's libraries (CudaLibraries.cpp).
  void copyMemory(const CallSite &site, const Word &word);
  void copyToSymbol(const CallSite &site);
  Slot askWhere(const CallSite &site);
  void useByLibrary(const CallSite &site);
  void makeHandle(const CallSite &site);
  bool isScalarOfHost(const CallSite &site, unsigned argument);

  // Streams (Streams.cpp).
  bool isStream(const Expr *expr);
  bool isStream(clang::QualType type);
  Operand streamOf(const Expr *written);
  const clang::Expr *deviceOfStream(const CallSite &site) const;
  Operand eventOf(const CallSite &site);
  void setStream(const Expr *stream, const clang::Stmt *at);
  /// What CUDA or a library of its does on the stream that the call names, or on the default one.
  void queue(const CallSite &site, llvm::ArrayRef<const Expr *> memory, llvm::StringRef what);
  void launch(const clang::Stmt *at, llvm::StringRef kernel, const Expr *stream, Operands pointers);

  // Lambdas (Lambdas.cpp).
  Slot lambda(const clang::LambdaExpr *expr);
  /// A call of what an expression names, all but for the arguments; with an object of its class, those are given first.
  struct Callable {
    facts::Instruction call;
    std::vector<clang::QualType> params;
    clang::QualType gives;
    bool isElsewhere = false; ///< its body is in another file
  };
  std::optional<Callable> callable(const Expr *expr);
  const clang::CXXMethodDecl *callOperator(const clang::CXXRecordDecl *record) const;
  Slot emitCall(Callable called, const Expr *whole);
  static void mayWriteAnywhere(facts::Instruction &call);
  std::optional<Slot> applyCallable(const CallSite &site);
  void forEach(Callable callback, const Expr *first, const Expr *whole);
  Slot findFirst(Callable test, bool wanted, const Expr *first, const Expr *whole);
  Slot captured(const clang::ValueDecl *decl, const Expr *at);

  Unit &unit_;
  FactWriter facts_;
  const BodySurvey survey_;
  DataLoaders loaders_;
  int depth_ = 0;
  bool caching_ = true;
  facts::Slot pendingReturn_ = facts::kNone;
  const clang::Stmt *returnStmt_ = nullptr;
  bool isLambdaBody_ = false;
  const clang::CFGBlock *lowered_ = nullptr;    ///< the block that is lowered now
  std::vector<facts::Instruction> startedLate_; ///< threads that a constructor starts: the calls they make
  llvm::DenseMap<const clang::ValueDecl *, facts::Slot> variables_;
  std::vector<std::pair<Slot, std::string>> promised_; ///< parameters, and where they are by promise
  llvm::DenseMap<const Expr *, facts::Slot> cache_;
  llvm::DenseMap<const Expr *, facts::Slot> merges_;
  llvm::DenseSet<const Expr *> ended_;                          ///< temporaries that are gone
  llvm::DenseSet<const clang::VarDecl *> holdingVariables_;     ///< what tuple-like bindings are stored in
  llvm::DenseMap<const clang::ValueDecl *, facts::Slot> asked_; ///< cudaPointerAttributes -> the pointer asked about
  llvm::DenseMap<const clang::CFGBlock *, facts::BlockId> blocks_;
  /// Handlers, and the blocks from which an exception reaches them.
  llvm::DenseMap<const clang::CFGBlock *, std::vector<const clang::CFGBlock *>> throwers_;
  llvm::DenseSet<const clang::CFGBlock *> throwingAtFirst_, throwing_; ///< before what they do, and after it
};

} // namespace samedevice::clangfront
