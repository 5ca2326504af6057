// From "these two cannot meet" to the mistake a person made: which of the two is the culprit, which line to change,
// and the story in between.
#pragma once

#include "Reenactment.h"

namespace samedevice::analysis {

class Attribution {
public:
  Attribution(Context &context, const Instruction &instruction) : context_(context), i_(instruction) {}

  /// Two participants of one operation on two devices. False when it is nobody's mistake for certain.
  bool conflict(const Participant &x, const Participant &y, const Relation &relation, const std::string &what);
  /// What was assigned to a layer's member `name`, in the place of what the layer had registered, meets an input.
  bool assignedOver(const Participant &member, const Participant &input, const Relation &relation,
                    const std::string &name);
  /// Two tensors of which nobody knows that they are apart: a structure was given one of them, and moves all that it
  /// was given but this one. False where that is not so.
  bool forgotten(const Participant &x, const Participant &y, const std::string &what);
  void discarded(const Participant &source, DeviceValue target, SourceId targetSource);
  /// A script whose weights were made constants is moved, which moves nothing.
  void frozen(const Event &frozen);
  /// A copy was moved and never looked at again.
  void deadMove(const Participant &copy);
  /// `brought`: a caller's, and somebody has brought another one from there to the host.
  void hostAccess(const Operand &operand, const Value &what, DeviceValue device, const Event *brought = nullptr);
  /// A tensor of the caller's whose memory a kernel gets was read on the host at `read`.
  void readBeforeKernel(const Event &read, const Value &pointer, const std::string &kernel);
  void dangling(const Value &pointer);
  void asyncRead(const Value &value, SourceId source);
  void pointer(const std::string &variant, const Operand &operand, const Value &pointer, DeviceValue device,
               const std::string &what = {});
  /// `at`: what used the current device, where it is not the instruction that runs.
  void missingGuard(const Frame &entry, Slot tensor, const std::string &what, SourceId at = 0);
  /// A kernel runs on the current GPU, and all of its memory is on another one.
  void onAnotherGpu(const Operand &operand, const Value &memory);
  /// The guard is for another device: a mistake if anything was ever moved between the two.
  void guardForAnother(const Frame &entry, Slot tensor, SymbolId guarded, SymbolId used);
  /// A kernel runs on the GPU that was written down at `frozen`, for a tensor that a caller brought.
  void frozenCurrent(const Frame &entry, Slot tensor, const Event &frozen);
  /// A kernel on the default stream, over the memory of a tensor that PyTorch computes on its current one.
  /// What speaks against it: that the current one may be another one; that this program has made another one current;
  /// that kernels of its own work there on a stream of the pool.
  enum class Against { Any, Current, Pool };
  void defaultStream(const Event &taken, Against other);
  /// The same for a stream that was the current one at `asked`, before this program has made another one current.
  void keptStream(const Event &taken, const Event &asked);
  /// The optimizer's state is not where its parameters are: it was restored so, or made before they were moved.
  void staleState(const Value &restored, const Value &parameter);
  void staleOptimizer(const Event *registered, const Event *built, const std::string &name);
  /// A tensor that the optimizer took by itself, and whose copy is what everybody else goes on with.
  void leftTensor(const Event *moved, const Event *built);
  /// A child that was put in after its parent's move, and is still where it was.
  static void placed(Evidence &evidence, Report &report, const State &state, ObjectId child, const Finding *use,
                     const Frame *top);

private:
  struct Clash;
  SourceId streamGiven(Finding &finding) const;
  static void noteTold(Evidence &evidence, const State &state, ObjectId module);
  bool mayHaveMoved(const Participant &p) const;
  /// Of two different GPUs the one whose number is written somewhere, where somebody chose the other one's: by a loop
  /// over all of them, say.
  bool isNumberBesideChoice(const Participant &one, const Participant &other) const;
  /// Of two different GPUs the one that was named without a number, where the other one has its owner's.
  static bool isCurrentBesideNumber(const Participant &one, const Participant &other);
  /// The step in which somebody chose the device that it is on: its own, or that of the device it was sent to.
  const Event *choiceFor(const Event *story) const;
  /// A copy of it was moved to where the other one is, by a call whose result was dropped.
  bool movedInVain(const Participant &culprit, const Participant &other, Finding finding);
  /// The use of a module outside its own code, and what it is a part of, as far as that is where it is.
  struct OuterUse {
    SourceId at, subject;
    const Frame *called; ///< by that use; null: none of the module's methods
    ObjectId module;
    const Event *made;
  };
  /// Whether the object keeps the tensor of this story, and others put that where it is.
  bool isGivenToKeep(const Frame &method, const Event *story) const;
  /// Whether a function was given a structure that keeps the tensor of this story.
  bool isGivenIn(const Frame &called, const Event *story) const;
  OuterUse useFromOutside(const Participant &module) const;
  /// What was written for it in a call; 0: it came in otherwise.
  SourceId argumentOf(const Frame &called, const Participant &given) const;
  void takenAway(const Clash &clash, Finding &finding) const;
  bool moduleConflict(const Participant &module, const Participant &other, const Relation &relation, Finding finding);
  bool tensorConflict(const Participant &culprit, const Participant &other, const Relation &relation, Finding finding);
  struct Factory;
  void unregistered(const Clash &clash, ObjectId owner, Finding finding);
  bool isMadeAfterMove(ObjectId owner, const Event *how) const;
  Factory factoryOf(const Clash &clash) const;
  void madeByDefault(const Clash &clash, const Factory &made, const Finding &finding);
  void foundAgain(const Participant &kept, const Participant &asker, SourceId lookup, Finding finding);
  bool pinned(const Clash &clash, Finding finding);
  bool omitted(const Clash &clash, Finding finding);
  SourceId structureKept(ObjectId owner, const Event &stored) const;
  void apart(const Clash &clash, Finding finding);
  std::pair<SymbolId, SymbolId> broughtToCaller(const Clash &clash) const;
  bool leftUnderDevice(const Clash &clash, Finding finding);
  bool notMovedAsElsewhere(const Clash &clash, Finding finding);
  SourceId sharedAt(const Participant &module, const Participant &input) const;
  bool isMovedBySister(const Event &kept) const;
  bool knowsOf(const Event &step, const Event &other) const;
  SourceId callBySister(const Event &replaced, const Event &built) const;
  bool isBypassed(const Event &point) const;
  /// Whether the function that moved something does so on some ways through it only.
  bool isConditional(const Event &move) const;
  /// A fix names no device to which the program itself brings what the culprit meets on some ways only.
  void goesWith(Fix &fix, const Participant &other) const;
  /// The call in a function further up through which the value came in, or the instruction itself.
  SourceId siteIn(FunctionId function) const;
  SourceId argumentAt(SourceId call, const Value &value) const;
  const Operand *argumentBehind(const Event &taken, SourceId &call) const;
  SourceId handedOutAt(FunctionId starter) const;
  SourceId givenAt(FunctionId starter, ObjectId pending) const;
  /// The calls through which the value came in, from the inside out, up to who got it together with the other one, or
  /// did not get it as an argument.
  std::vector<Climb> climbs(const Event *story, const Participant &other) const;
  const Event *leftAmongMembers(const Participant &culprit, DeviceValue wanted) const;
  /// A member of a structure that was not moved, and the move of another one of its members.
  struct Left {
    const Event *move = nullptr;
    SourceId member = 0; ///< as it is declared
  };
  Left leftByMover(const Participant &culprit, DeviceValue wanted) const;
  std::optional<SourceId> keptForAnother(const Participant &culprit) const;
  bool isPartFound(SourceId lookup) const;
  Left leftAlone(const Participant &culprit, const Event &moved) const;
  const Event *copiedBefore(const Participant &copy, const Participant &other) const;
  bool makesOthersAt(const Event &made, DeviceValue there) const;
  /// Where the function that moved the other one put this one beside it as it was.
  const Event *leftBehind(const Event *story, const Event *other) const;
  SourceId companion() const;
  std::string directionOf() const;
  void bringTogether(Finding &finding, const Participant &culprit, const Participant &other) const;
  SourceId elementOf(const Participant &culprit) const;
  void loadOnto(Finding &finding, const Event &load, DeviceValue wanted) const;
  const Event *origin(const Event *event) const;
  /// The choice of a device by leaving an argument out, if that is a step of the story.
  const Event *leftOut(const Event *story) const;
  /// Where something on the CPU was put into a list under a device, for who asks for what is there.
  const Event *keptUnderDevice(const Value &culprit) const;
  /// The move, one by one, of others in a list that this one is in, too.
  const Event *movesOthersOfList(ObjectId left, DeviceValue wanted) const;
  const Event *loadRestored(const Event &move) const;
  bool onStack(FunctionId function) const;
  /// A note on the instruction that failed.
  void usedHere(Finding &finding, SourceId subject, SourceId other = 0) const;
  /// What happened, in order.
  void tell(Finding &finding, std::initializer_list<const Event *> stories) const;
  Where device(const Participant &p) const;
  When when(const Relation &relation) const;
  /// One root, one report: in all functions (0), of one kind of mistake, or in each function.
  static constexpr FunctionId kOfTensors = 1, kOfGuards = 2, kOfStreams = 3;
  static FunctionId within(FunctionId function) { return function + 4; }
  void report(const Finding &finding, SourceId root, FunctionId function, SymbolId callersTensor = 0);

  Context &context_;
  const Instruction &i_;
  Scene scene_; ///< what failed, for the witness
  Proviso proviso_;
};

/// What was put into moved modules too late and is there still, when an execution has ended.
void reportLeftBehind(Evidence &evidence, Report &report, const State &state);

} // namespace samedevice::analysis
