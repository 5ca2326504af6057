// Makes a finding's witness: what takes part is made again, event by event, and then meets the step that fails.
#pragma once

#include "Context.h"

#include <map>

namespace samedevice::analysis {

class Reenactment {
public:
  /// The scene as it is written, and once more with the finding's fix.
  static Witness of(const State &state, const Finding &finding, const Scene &scene);

  /// Two participants of one operation.
  void clash(Context &context, const Instruction &operation, const Participant &x, const Participant &y,
             const Relation &relation);
  /// A child that was put in after its parent's move meets what is where the parent is.
  void placed(ObjectId child, const Value &mark, SourceId use);
  void discarded(const Instruction &move, const Participant &source, DeviceValue target);
  void frozen(const Instruction &move, const Event &frozen);
  void readBeforeKernel(const Event &read);
  void hostAccess(const Instruction &read, const Value &what, DeviceValue device);
  void dangling(const Instruction &read, const Value &pointer);
  void asyncRead(const Instruction &read, const Value &value, SourceId copied);
  void pointer(const Instruction &use, const Value &pointer, const std::string &variant);
  void missingGuard(const Instruction &use, SourceId tensor, const std::string &what);
  void defaultStream(const Instruction &launch, const Event &taken);
  void staleState(const Instruction &step, const Value &restored, const Value &parameter);
  void staleOptimizer(const Instruction &step, const Event *late, const Event *built, const std::string &name);

private:
  /// What a story has made; 0: nothing of the kind.
  struct Made {
    int tensor = 0, module = 0, memory = 0;
    std::string device;
  };
  /// Of what a story is told.
  struct Subject {
    const Value &value;
    std::string device; ///< where it ends
    std::string cls;    ///< of a module
    int rank;
  };

  Reenactment(const State &state, const Finding &finding, bool fixed)
      : state_(state), finding_(finding), fixed_(fixed) {}

  // Steps.
  Step &line(const char *action, SourceId at);
  Step &making(const char *action, SourceId at);
  int tensor(const std::string &device, SourceId at, int rank = 2);
  int module(const std::string &cls, SourceId at, bool hasState, const std::string &device = "cpu");
  int moved(int tensor, const std::string &device, SourceId at, bool nonBlocking = false);
  int allocation(const std::string &where, const std::string &device, SourceId at);
  void moveModule(int module, const std::string &device, SourceId at);
  void registerAs(const char *as, int parent, const std::string &name, int child, SourceId at);
  void fail(Step &step) { step.fails = !fixed_; }
  /// What was meant to be on `device` is used with what is there.
  void meet(int tensor, const std::string &device, SourceId at);
  void giveUp(const std::string &why) { unsupported_ = why; }

  // Devices.
  static constexpr const char *kFirstGpu = "cuda:0", *kSecondGpu = "cuda:1";
  static bool isGpu(const std::string &device) { return device.rfind("cuda", 0) == 0; }
  /// Settles what the symbols of two devices stand for, so that the two differ.
  void oppose(DeviceValue a, DeviceValue b, const Relation &relation);
  std::string device(DeviceValue device) const;

  // Stories.
  static SourceId begunAt(const Event *story);
  Made play(const Subject &subject);
  void replay(const Event &event, const Event *next, const Subject &subject, Made &made);
  int tensorIn(Made &made, SourceId at);
  int tensorOf(const Value &value, DeviceValue where);
  int moduleOf(const Participant &participant);
  int memoryOf(const Value &value, const std::string &device);
  std::string className(ObjectId module) const;
  bool isCallee(const Instruction &call, const Participant &participant) const;
  bool fixes(Fix::Kind kind, SourceId at);
  const Participant &culprit(const Participant &x, const Participant &y) const;
  void missed(const Instruction &use, const Participant &member);

  void forward(const Instruction &call, const Participant &x, const Participant &y);
  void operate(Context &context, const Instruction &operation);

  const State &state_;
  const Finding &finding_;
  const bool fixed_;
  bool mended_ = false;       ///< the fix has had its place
  std::string culpritsPlace_; ///< where the culprit of a clash is
  std::string elsewhere_;     ///< where the culprit should have been; what is nowhere in particular is there
  std::vector<Step> steps_;
  std::string unsupported_;
  int lastId_ = 0;
  std::map<SymbolId, std::string> chosen_;
  std::map<std::pair<const Event *, std::string>, int> tensors_; ///< one story, one tensor
  std::map<ObjectId, int> modules_;
};

} // namespace samedevice::analysis
