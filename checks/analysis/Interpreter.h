// Executes facts on abstract states. A function is run where it is called, in the caller's memory, so that helpers,
// lambdas, members and templates need no treatment of their own; at each point a few states are kept apart, so that
// branches on one condition agree with each other.
#pragma once

#include "DeadMoves.h"
#include "Findings.h"
#include "Relevance.h"
#include "State.h"

#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <tuple>
#include <unordered_map>

namespace samedevice::analysis {

using facts::Function;
using facts::FunctionId;
using facts::Instruction;
using facts::Opcode;
using facts::Operand;
using facts::Slot;

/// One activation of a function.
struct Frame {
  ObjectId id = 0;
  FunctionId function = 0;
  const Function *code = nullptr;
  Frame *caller = nullptr;
  const Instruction *site = nullptr;             ///< the call, in the caller
  const std::vector<Value> *arguments = nullptr; ///< what the caller gave
  std::uint32_t path = 0;                        ///< names the chain of calls that led here
  int depth = 0;
};

/// The one that nobody called.
inline const Frame &outermost(const Frame &frame) { return frame.caller ? outermost(*frame.caller) : frame; }

/// A tensor (or a module's parameters) that takes part in an operation.
struct Participant {
  Value value;
  SourceId source = 0; ///< as written
  DeviceValue device;  ///< resolved
  ObjectId module = 0; ///< the module whose parameters these are
  bool scalarAllowed = false;
};

/// How two devices compare, and under which symbol's choice they differ.
struct Relation {
  enum Kind : std::uint8_t { Same, Unknown, Different } kind = Unknown;
  SymbolId when = 0;    ///< Different only if this symbol...
  bool whenCuda = true; ///< ...is CUDA (or is not)
  int index = -1;       ///< ...or, for an index that somebody chooses, is not this
};

class Reenactment;

/// Of a call: each state that it may end in, and what it gives then.
using Outcomes = std::vector<std::pair<State, Value>>;

class Interpreter {
public:
  Interpreter(const facts::Program &program, const Limits &limits, bool withWitnesses);

  Result finish();

  // Roots (Roots.cpp).
  void runAll();

  struct CodeInfo;
  struct Context; ///< frame + state + block-local values: what an instruction works on
private:
  friend class Attribution;
  friend class Reenactment;

  // Blocks (Interpreter.cpp).
  const CodeInfo &info(FunctionId function);
  std::vector<State> run(Frame &frame, State entry);
  void runBlock(Frame &frame, const CodeInfo &code, std::uint32_t block, std::uint32_t from, State state,
                std::vector<Value> scratch, const std::function<void(std::uint32_t, State)> &leave,
                const std::function<void(State)> &exit);
  bool addState(std::vector<State> &states, std::vector<bool> &done, State state, int capacity, Meeting where);
  void addExit(std::vector<State> &exits, State state);
  bool spend();
  /// What the user may want to know: a function was not followed to its end.
  void remarkCut(const Function &function);

  // Slots and places (Values.cpp).
  Value raw(Context &context, Slot slot);
  Value value(Context &context, const Operand &operand) {
    return operand.slot == facts::kNone ? Value{} : value(context, operand.slot);
  }
  Value value(Context &context, Slot slot);
  Value follow(const State &state, Value value) const;
  void define(Context &context, Slot slot, const Value &value);
  void write(Context &context, const Operand &target, const Value &value);
  std::optional<Place> placeOf(Context &context, const Operand &operand);
  Value symbolic(State &state, const facts::SlotInfo &slot, const std::string &key, const std::string &name,
                 bool fromCaller);
  std::optional<Place> memberOfLayer(Context &context, Slot slot);
  bool computesWhereItIs(Context &context, const Instruction &i, ObjectId layer, const Participant &input);
  Value fieldPlace(Context &context, const Value &base, const std::string &name, const facts::SlotInfo &slot,
                   const Instruction &instruction);
  ObjectId objectAt(Context &context, const Instruction &instruction, std::uint32_t nth = 0);
  ObjectId makeObject(Context &context, const Instruction &instruction, std::uint32_t nth = 0);
  ObjectId nameAnew(Context &context, const Instruction &instruction, std::uint32_t nth = 0);
  static Value objectValue(ObjectId object, const Event *trail = nullptr);
  void havoc(State &state, const Value &value, int depth = 0);
  void havocBy(State &state, ObjectId object, facts::ClassId knower);
  bool isAssignedByMethods(facts::ClassId cls, const std::string &member) const;
  facts::ClassId classOf(const State &state, ObjectId object) const;
  std::string torchClassOf(const State &state, ObjectId object) const;
  bool isModule(const State &state, ObjectId object) const;
  /// A registered tensor, as against a module.
  bool isTensorCell(const State &state, ObjectId object) const {
    return state.find(meta(object, Meta::Device)) && !isModule(state, object);
  }

  // Copies (Copies.cpp).
  struct Copying; ///< an object, and what is to hold the same
  std::vector<Copying> piecesOf(Context &context, const Copying &whole, const Instruction &instruction);
  void copyContents(Context &context, const Copying &whole, const Instruction &instruction);
  Value clone(Context &context, const Value &original, const facts::SlotInfo &type, const Instruction &instruction);
  void assignContents(Context &context, const Instruction &instruction, const Value &assigned);
  void forgetContents(State &state, ObjectId object);
  const facts::SlotInfo *memberOf(facts::ClassId cls, std::uint32_t name, int depth = 0);

  void noteDemand(const Function &code, const facts::Terminator &end, const Value &condition);
  void step(Context &context, const Instruction &instruction);
  void stepValue(Context &context, const Instruction &instruction);
  void stepList(Context &context, const Instruction &instruction);
  void stepDevice(Context &context, const Instruction &instruction);
  void stepTensor(Context &context, const Instruction &instruction);
  void stepModule(Context &context, const Instruction &instruction);
  void stepMemory(Context &context, const Instruction &instruction);
  void stepControl(Context &context, const Instruction &instruction);
  void stepCondition(Context &context, const Instruction &instruction);

  // Lists (Lists.cpp).
  Value someInt(Context &context, SourceId source);
  Value someText(Context &context, SourceId source);
  Value computed(Context &context, const Instruction &instruction);
  ObjectId makeList(Context &context, const Instruction &instruction, const std::vector<Value> &elements,
                    std::uint32_t nth = 0);
  static void clearList(State &state, ObjectId list);
  void dropElement(State &state, ObjectId list, const std::string &end);
  SymbolId emptiness(ObjectId list) const;
  bool isCounted(const State &state, ObjectId list) const;
  void addElement(Context &context, ObjectId list, const Value &value);
  Value kept(Context &context, const Operand &operand);
  std::vector<Value> elements(const State &state, const Value &list) const;
  bool isUnderWay(const State &state, const Value &value) const;
  Value found(const State &state, const Value &list, const Value &key) const;
  Value deviceIn(const State &state, const Value &key) const;
  void seePlaceholder(Context &context, const Operand &operand, Value tensor);
  Outcomes element(Context &context, const Instruction &instruction);

  // Conditions.
  void learnDevice(Context &context, const Instruction &instruction, Value of, Value &test);
  void assume(State &state, const Value &condition, bool truth);
  void concludeOn(State &state, const Value &part, bool truth, const std::vector<SymbolId> &learnt);
  const Event *madeByDefault(const Value &device) const;
  bool holds(State state, const Value &condition);

  // Calls (Calls.cpp).
  static bool isCall(const Instruction &instruction);
  Outcomes call(Context &context, const Instruction &instruction);
  Outcomes invoke(Context &context, FunctionId function, const std::vector<Value> &arguments, const Instruction &site);
  std::optional<Outcomes> invokeWithin(Context &context, FunctionId function, const std::vector<Value> &arguments,
                                       const Instruction &site);
  struct Candidate {
    FunctionId function;
    facts::ClassId cls; ///< the class that the object is then taken to be of; kNone: nothing is learnt
  };
  std::vector<Candidate> candidates(const State &state, const Instruction &instruction, const Value &self) const;
  FunctionId ownOrInherited(facts::ClassId cls, const std::vector<FunctionId> &all) const;
  void feed(const State &state, const Value &entry, std::vector<Value> &inputs) const;
  bool mayBe(const State &state, ObjectId object, facts::ClassId cls) const;
  Outcomes forward(Context &context, const Value &module, std::vector<Value> arguments, std::vector<SourceId> sources,
                   const Instruction &site, int depth = 0);
  Value parametersOf(const State &state, ObjectId module) const;
  Value anything(Context &context, const Instruction &instruction);
  Value unknownResult(Context &context, const Instruction &instruction);
  void callUnseen(Context &context, const Instruction &instruction, facts::ClassId knower);
  Outcomes callElsewhere(Context &context, const Instruction &instruction);
  bool concernsDevices(FunctionId function) const { return relevance_[function] == Relevance::Devices; }

  // What a fix can name (Homes.cpp).
  void noteGiven(const State &state, FunctionId function, Slot slot, const Value &given);
  std::vector<Home> homes(const State &state, const Frame *top, FunctionId place, DeviceValue wanted,
                          ObjectId except = 0);
  bool isWhollyAt(const State &state, ObjectId module, DeviceValue wanted);
  void membersAt(const State &state, ObjectId self, DeviceValue wanted, ObjectId except, std::vector<Home> &devices,
                 std::vector<Home> &modules);
  std::vector<Home> namesOf(const State &state, const Frame *top, FunctionId place, ObjectId object);
  ObjectId selfAt(const State &state, const Frame *top, const Function &place) const;
  std::vector<SourceId> movesTo(const State &state, DeviceValue wanted, const Event *made) const;

  // Devices.
  Value parsedDevice(const Value &text, SourceId source);
  /// Whether a device was written down in the function that is running, not handed to it.
  bool writtenHere(Context &context, const Value &device) const;
  DeviceValue deviceOf(const State &state, const Value &value) const;
  DeviceValue optionsDevice(Context &context, const Value &options) const;
  Relation relate(const State &state, DeviceValue a, DeviceValue b) const;
  Value tensorOn(DeviceValue device, const Event *trail, std::uint32_t flags = 0, int dims = 0) const;
  const Event *event(Context &context, Event::Kind kind, const Instruction &instruction, const Event *previous,
                     DeviceValue device = {}, SourceId subject = 0, SourceId target = 0);
  Where describe(DeviceValue device) const;
  int timesWritten(DeviceValue device) const;

  // Tensors.
  Value operate(Context &context, const Instruction &instruction);
  void draw(Context &context, const Instruction &instruction);
  Value moveTensor(Context &context, const Instruction &instruction);
  /// True when the participants may be together; otherwise reports.
  bool requireSame(Context &context, const std::vector<Participant> &participants, const Instruction &instruction,
                   const std::string &what);
  Participant participant(Context &context, const Value &value, SourceId source) const;
  // Ranks.cpp
  static int dimsOf(const Instruction &instruction);
  static int dimsOf(const Instruction &instruction, const std::vector<Participant> &operands);
  static bool isScalar(const Instruction &instruction, const std::vector<Participant> &operands);
  void flatten(const State &state, const Value &value, std::vector<Value> &out, int depth = 0) const;

  // Modules.
  void moveModule(Context &context, ObjectId module, const Value &to, const Event *trail, int depth = 0);
  bool isHeldElsewhere(const State &state, ObjectId child, ObjectId holder, DeviceValue target) const;
  void moveFrozen(Context &context, const Instruction &instruction, ObjectId script, DeviceValue target);
  std::vector<State> runOverrides(Context &context, ObjectId module, const Value &to, const Instruction &site);
  FunctionId moveOverrideOf(facts::ClassId cls, int depth = 0) const;
  void overridesBelow(const State &state, ObjectId module, std::vector<std::pair<ObjectId, FunctionId>> &found,
                      int depth = 0) const;
  static void forgetTensors(State &state, ObjectId owner);
  void noteOneOfMany(Context &context, const Operand &moved);
  Value deepCopy(Context &context, const Value &module, const Instruction &instruction, std::uint32_t nth = 0,
                 int depth = 0);
  // Registration.
  std::string nextName(State &state, ObjectId parent, const Value &child);
  ObjectId enroll(Context &context, ObjectId parent, Part part, const std::string &name, const Value &entry);
  void registerChild(Context &context, const Instruction &instruction, ObjectId parent, const Value &child,
                     const std::string &name, SourceId source);
  Value registerTensor(Context &context, const Instruction &instruction, ObjectId parent, const Value &tensor,
                       const std::string &name);
  void registerWeight(Context &context, ObjectId module, const Value &tensor, const Operand &operand);
  void notePlaced(Context &context, const Instruction &instruction, ObjectId parent, ObjectId child, Event::Kind how,
                  SourceId subject, const std::string &name = {});
  // Loading.
  void saveState(Context &context, const Instruction &instruction);
  void loadScript(Context &context, const Instruction &instruction);
  void loadState(Context &context, const Instruction &instruction);
  // Optimizers.
  void noteSuccessor(Context &context, ObjectId replaced, ObjectId successor, const Event *registered,
                     const std::string &name);
  void noteReplaced(Context &context, const Instruction &instruction, Place variable, const Value &assigned);
  void takeParameters(Context &context, const Instruction &instruction);
  std::vector<Value> listsBehind(const State &state, const Value &parameters, int depth = 0) const;
  void buildOptimizer(Context &context, const Instruction &instruction);
  void takeTensors(Context &context, const Instruction &instruction, ObjectId optimizer, const Value &list);
  void noteMovedAway(Context &context, const Instruction &instruction, const Value &before, const Value &assigned);
  void addToOptimizer(Context &context, const Instruction &instruction);
  static void take(State &state, ObjectId optimizer, const std::vector<Value> &lists);
  void optimizerStep(Context &context, const Instruction &instruction);
  void makeOptimizerState(Context &context, const Instruction &instruction, ObjectId optimizer, Event::Kind when);
  struct Newcomer {
    const Event *registered;
    std::string name;
  };
  std::vector<Newcomer> newcomers(const State &state, ObjectId module, const std::set<ObjectId> &learning) const;
  /// A value goes into a member or a list: remembered, and judged when the owner was moved before.
  void noteStored(Context &context, const Instruction &instruction, Place target, const Value &value, SourceId source);
  template <typename Visit> void forLeaves(const State &state, ObjectId module, Visit &&visit, int depth = 0) const;
  bool differsFrom(const State &state, ObjectId module, DeviceValue device) const;
  bool isContainer(const State &state, ObjectId object) const;
  bool knowsChildren(const State &state, ObjectId container) const;
  std::vector<Value> childrenAt(const State &state, ObjectId container, const Value &position) const;
  bool inTree(const State &state, ObjectId root, ObjectId wanted, bool whereUnknown = true, int depth = 0) const;
  /// A module that was moved but does not reach a participant, and what it holds that leads there (0: the tensor).
  struct Missed {
    ObjectId owner, held;
  };
  std::optional<Missed> ownerThatMissed(Context &context, const Participant &wanted) const;
  std::optional<ObjectId> heldUnregistered(const State &state, ObjectId owner, const Participant &wanted,
                                           int depth) const;

  // Memory.
  bool wasAsked(const State &state, const Value &pointer) const;
  void hostRead(Context &context, const Instruction &instruction, const Operand &operand);
  bool needOnHost(Context &context, const Instruction &i, const Operand &operand, const Value &what);
  Value hostMemory(Context &context, const Instruction &instruction);
  Value pointerValue(Context &context, const Instruction &instruction, const Operand &operand);
  void checkDangling(Context &context, const Instruction &instruction, Value &value);
  void checkPointerUse(Context &context, const Instruction &instruction, const Operand &operand, const Value &pointer,
                       bool wantsDevice, const std::string &what);
  void useOnDevice(Context &context, const Instruction &instruction);
  void meetInKernel(Context &context, const Instruction &instruction, const Value &pointer);
  bool isNonBlocking(Context &context, const Instruction &instruction);
  Value copyAcross(Context &context, const Instruction &instruction, const Participant &target,
                   const Participant &source);
  void startCopy(Context &context, const Instruction &instruction, Value &value, DeviceValue device, SourceId subject,
                 bool isUpload);
  /// The host looks at a tensor's contents: an asynchronous copy must have ended.
  void consume(Context &context, const Instruction &instruction, const Value &value, SourceId source);

  // The machine (Control.cpp, Guards.cpp).
  struct Unguarded {
    FunctionId root, function; ///< where execution started, and where the tensor was given
    std::size_t finding;       ///< in found_
  };
  bool isGuarded(const State &state) const;
  /// The device that was current before anybody chose one.
  SymbolId currentAtFirst() { return symbols_.intern("current device", Symbol::Plain); }
  std::optional<std::pair<const Frame *, Slot>> callersTensor(Context &context, SymbolId on = 0) const;
  bool anotherIsOnHost(Context &context) const;
  void guardedForAnother(Context &context, const Instruction &instruction, DeviceValue used);
  bool isWholeOperation(FunctionId function, int depth = 0) const;
  bool knowsOneGpu() const;
  bool knowsSeveralGpus() const;
  bool isHandedOn(FunctionId function) const;
  bool isPartOfAnother(const Unguarded &launch) const;
  bool isCalledElsewhere(const Unguarded &launch) const;
  void requireReach(Context &context, const Instruction &launch);
  void requireGuard(Context &context, const Instruction &instruction, const std::string &what);
  std::optional<Instruction> directedByCaller(Context &context, const Instruction &copy);
  void madeBeforeGuard(Context &context, const Instruction &instruction, const Value &pointer);

  // Streams (Streams.cpp).
  void setStream(Context &context, const Value &stream);
  void noteWork(Context &context, const Instruction &instruction);
  void requireStream(Context &context, const Instruction &launch);
  bool hasOneStream() const;

  bool movesItsInputs(FunctionId function) const;
  bool sisterMovesInputs(FunctionId method) const;
  Value homeOfInputs(Context &context) const;

  // Reporting.
  /// A call that handed a culprit in. It is the caller's mistake if the callee is right for its other callers, or says
  /// in its code what it expects.
  struct Climb {
    FunctionId callee = 0;
    SourceId site = 0;
    SourceId subject = 0, other = 0; ///< what the caller gave: the culprit, and what it meets; 0: that is no argument
    std::string name;                ///< of the callee
    bool isContract = false;         ///< the callee asks where it is
    bool bringsBoth = false;         ///< the caller gave both, or feeds a module, which takes what it gets
    Fix fix;                         ///< if it is the caller's mistake
  };
  bool saysWhereItExpects(const Function &code, Slot parameter) const;
  /// Whether other calls of this function went well; for those `between` two GPUs, also others from the same place.
  bool worksElsewhere(FunctionId function, SourceId but, bool between) const;
  void climb(Finding &finding, const std::vector<Climb> &calls) const;
  void tellWhereUsed();
  /// What a finding depends on that is not known before everything was run: other roots, and later lines, have a say.
  struct Proviso {
    SymbolId callersTensor = 0;            ///< whose device it depends on; 0: nobody's
    const Event *story = nullptr;          ///< how the culprit came to be
    const Event *made = nullptr;           ///< the culprit's making, if that is what was wrong
    SymbolId onHost = 0;                   ///< goes wrong only where this one is on the CPU
    std::pair<SymbolId, SymbolId> apart{}; ///< devices that may differ, if anything was moved between them
    std::vector<Climb> climbs;             ///< calls that may be to blame, from the inside out

    /// The same conditions, whatever the story.
    friend bool operator<(const Proviso &a, const Proviso &b) {
      const SourceId calledA = a.climbs.empty() ? 0 : a.climbs.back().site;
      const SourceId calledB = b.climbs.empty() ? 0 : b.climbs.back().site;
      return std::tie(a.callersTensor, a.made, a.onHost, a.apart, calledA) <
             std::tie(b.callersTensor, b.made, b.onHost, b.apart, calledB);
    }
  };
  struct Found {
    Finding finding;
    SourceId root;       ///< where the mistake was made
    FunctionId function; ///< one root, one report in each
    Proviso proviso;
  };
  using Scene = std::function<void(Reenactment &)>;
  void report(Finding finding, SourceId root, FunctionId function, const State &state, const Scene &scene,
              const Proviso &proviso);
  bool stands(const Found &found) const;
  bool isToldElsewhere(const Found &found) const;
  void reportLeftBehind(const State &state);
  /// Where one function calls another, if it does so in one place; else 0.
  SourceId onlyCall(FunctionId caller, FunctionId callee) const;
  /// Of several calls of a helper, the one whose result is not moved; else 0.
  SourceId onlyUnmovedCall(FunctionId caller, FunctionId helper) const;

  // Roots.
  void runFunctionRoot(FunctionId function);
  void runForLaterCallers(FunctionId function, const std::vector<State> &exits);
  std::optional<State> afterFirstCall(const State &exit);
  bool placesMembers(FunctionId function, int depth = 0) const;
  bool registersMembers(FunctionId function) const;
  std::vector<State> movedByOwner(const facts::Class &cls, ObjectId self, std::vector<State> states);
  void runClassRoot(facts::ClassId cls);
  std::vector<State> runWithSymbolicArguments(FunctionId function, const State &start, ObjectId self);
  State initialState();
  void grantSteps();

  const facts::Program &program_;
  const Limits limits_;
  const bool withWitnesses_;
  const std::unordered_set<const Instruction *> deadMoves_;
  const std::set<facts::ClassId> made_; ///< classes that the program makes objects of
  mutable Symbols symbols_;
  Names names_;
  Events events_;
  Result result_;
  std::set<std::tuple<Check, SourceId, SourceId, FunctionId, Proviso>> reported_;
  std::vector<Found> found_;
  std::size_t failures_ = 0; ///< all that was reported, also what was known before
  struct Calls {
    bool went = false, failed = false;
  };
  std::unordered_map<FunctionId, std::map<SourceId, Calls>> calls_; ///< by their places: how they went
  std::unordered_map<FunctionId, std::shared_ptr<CodeInfo>> code_;
  std::unordered_map<std::string, ObjectId> objects_;
  ObjectId lastObject_ = 0;
  std::vector<char> reached_;
  const std::vector<Relevance> relevance_;
  const std::map<std::string, int> written_; ///< devices, and in how many places they are written
  const bool isWrittenForCuda_;              ///< every device in the program is `cuda`, as it is written there
  const std::vector<char> constructing_;     ///< methods that only constructors call
  std::vector<State> afterGlobals_;
  std::unordered_map<FunctionId, std::set<SourceId>> guards_; ///< installed in it, for whatever device
  std::vector<Unguarded> unguarded_;
  bool choosesDevice_ = false;                    ///< some function makes a device current
  std::set<const Event *> spelledOut_;            ///< makings of tensors whose elements are written there
  std::set<const Event *> filledOnHost_;          ///< makings of tensors that the host then filled: right as they are
  std::set<std::pair<SymbolId, SymbolId>> apart_; ///< devices between which something was moved: they may differ
  std::set<SourceId> unmovedUsed_;                ///< calls of modules that were told to be where they were made
  std::set<SourceId> told_;                       ///< beginnings of values whose mistake is told there
  std::set<SourceId> silenced_;                   ///< beginnings of values that were moved in vain: told there
  std::set<SymbolId> neverOnHost_;  ///< devices of tensors that a kernel gets, or that a check wants on a GPU
  std::set<const Event *> learnt_;  ///< how tensors came to be that optimizers took one by one
  std::set<ObjectId> byDevice_;     ///< lists of which a device said which element is meant
  std::set<const Event *> joint_;   ///< operations on several tensors that were each made on the CPU by default
  std::set<SourceId> chosenByFlag_; ///< makings of tensors that some branch moves to a device it names itself
  std::set<SymbolId> memoryTaken_;  ///< tensors of callers whose memory, or they themselves, are given to somebody
  std::set<SymbolId> hostOnly_;     ///< tensors of callers that are on the CPU by construction: some path reads them on
                                    ///< the host, or sends them to a device
  std::unordered_map<SymbolId, const Event *> readOnHost_;   ///< where the host read tensors of callers
  std::map<std::pair<FunctionId, Slot>, DeviceValue> given_; ///< where arguments were, if at each call in one place
  std::set<FunctionId> tooLong_;                             ///< calls of these did not come to their end, in this root
  long stepsLeft_ = 0;
  long asideLeft_ = 0;
  const long stepsAllowed_;
  long stepsInAll_ = 0;
  bool exhausted_ = false;
  mutable std::optional<bool> severalGpus_; ///< every root asks, and the whole program answers
  bool wasCut_ = false;                     ///< some root was not run to its end
  std::vector<char> judged_; ///< while a class is run: the functions that were run before, with what their callers give
  bool isJudged_ = false;    ///< such a one is running: nothing more to report
};

struct Interpreter::Context {
  Frame &frame;
  State &state;
  const CodeInfo &code;
  std::vector<Value> &scratch;
};

template <typename Visit>
void Interpreter::forLeaves(const State &state, ObjectId module, Visit &&visit, int depth) const {
  if (depth > 8 || !module) // a child that paths disagree on
    return;
  if (const Value *device = state.find(meta(module, Meta::Device)))
    visit(module, *device);
  for (Part part : {Part::Child, Part::Tensor})
    state.forPart(module, part,
                  [&](std::uint32_t, const Value &child) { forLeaves(state, child.object, visit, depth + 1); });
}

} // namespace samedevice::analysis
