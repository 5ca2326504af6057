// The program as the analysis asks of it: what follows from the text alone, and stays as it is while functions are run.
#pragma once

#include "../facts/Program.h"
#include "Code.h"
#include "DeadMoves.h"
#include "Relevance.h"
#include "Value.h"

#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <unordered_set>
#include <vector>

namespace samedevice::analysis {

class ProgramIndex {
public:
  explicit ProgramIndex(const facts::Program &program);

  const std::vector<Function> &functions;
  const std::vector<facts::Class> &classes;
  const std::vector<FunctionId> &globalInits;
  const bool mentionsDevices;
  const facts::TorchVersion torch;
  const std::set<facts::ClassId> classesMade; ///< of which the program makes objects
  const bool isWhole;                         ///< it has a main function, and nothing is bound for others to call
  const bool takesOfPool;                     ///< it takes streams of torch's pool
  const bool isWrittenForCuda;                ///< every device in the program is a GPU, as it is written there

  bool derivesFrom(facts::ClassId cls, facts::ClassId base) const { return program_.derivesFrom(cls, base); }
  bool isGlobalInit(FunctionId function) const { return program_.isGlobalInit(function); }
  bool isLambda(const Function &function) const { return program_.isLambda(function); }
  const CodeInfo &code(FunctionId function) const;

  // Functions.
  Relevance relevanceOf(FunctionId function) const { return relevance_[function]; }
  bool concernsDevices(FunctionId function) const { return relevance_[function] == Relevance::Devices; }
  /// A method that only constructors call.
  bool isConstructing(FunctionId function) const { return constructing_[function] != 0; }
  /// An assignment `copy = copy.to(device)` whose result nobody reads.
  bool isDeadMove(const Instruction &i) const { return deadMoves_.count(&i) != 0; }
  /// Where one function calls another, if it does so in one place; else 0.
  SourceId onlyCall(FunctionId caller, FunctionId callee) const;
  /// The same, of a function that comes to the other one, by itself or through others. `but`: a call that does not
  /// count.
  SourceId onlyCallTowards(FunctionId caller, FunctionId callee, SourceId but = 0) const;
  /// Whether that function calls the other one, and nobody else does.
  bool isCalledOnlyBy(FunctionId callee, FunctionId caller) const;
  /// Whether a function is the other one, or calls what leads to it.
  bool leadsTo(FunctionId function, FunctionId goal, int depth = 0) const;
  /// Of several calls of a helper, the one whose result is not moved; else 0.
  SourceId onlyUnmovedCall(FunctionId caller, FunctionId helper) const;
  /// A function's one call of a helper, whose result it does not move where others do; else 0.
  SourceId callLeftUnmoved(FunctionId caller, FunctionId helper) const;
  /// Where a lambda is called, if that is one place, and the function is one; else 0.
  SourceId callOfLambda(FunctionId function) const;
  /// Whether an optimizer may have made a step when a function comes to that call.
  bool learnsBefore(FunctionId function, SourceId call) const;
  /// Whether a helper is called in several places, and none of its results is moved.
  bool isNeverMoved(FunctionId helper) const;
  /// Of a move in a loop over a list that is written out there, where that list is; else where the move is.
  SourceId listMoved(FunctionId function, SourceId move) const;
  /// Whether a pointer that a function takes there goes to the GPU by a way that can be seen in it.
  bool isForDevice(FunctionId function, SourceId taken) const;
  static bool saysWhereItExpects(const Function &code, Slot parameter);
  bool placesMembers(FunctionId function, int depth = 0) const;
  bool registersMembers(FunctionId function) const;
  bool movesItsInputs(FunctionId function) const;
  bool sisterMovesInputs(FunctionId method) const;
  bool isWholeOperation(FunctionId function, int depth = 0) const;
  bool isHandedOn(FunctionId function) const;

  // Classes.
  FunctionId ownOrInherited(facts::ClassId cls, const std::vector<FunctionId> &all) const;
  FunctionId moveOverrideOf(facts::ClassId cls, int depth = 0) const;
  const facts::SlotInfo *memberOf(facts::ClassId cls, const std::string &name, int depth = 0) const;
  /// Of an object that is there already.
  bool isMethodOf(FunctionId function, facts::ClassId cls) const {
    const Function &code = functions[function];
    return cls < classes.size() && code.cls == cls && !code.isConstructor && !code.isStatic;
  }
  /// A constructor or a method of a module.
  bool isModules(FunctionId function) const {
    const facts::ClassId cls = functions[function].cls;
    return cls < classes.size() && classes[cls].isModule;
  }
  bool isAssignedByMethods(facts::ClassId cls, const std::string &member) const;
  /// A record of numbers and texts alone: nothing that it holds is anywhere.
  bool isPlainRecord(facts::ClassId cls) const { return cls < plainRecords_.size() && plainRecords_[cls]; }

  // The whole program.
  int timesWritten(DeviceValue device) const;
  bool knowsOneGpu() const;
  bool knowsSeveralGpus() const;
  bool hasOneStream() const;

private:
  const facts::Program &program_;
  const std::unordered_set<const Instruction *> deadMoves_;
  const std::vector<Relevance> relevance_;
  const std::map<std::string, int> written_; ///< devices, and in how many places they are written
  const std::vector<char> constructing_;
  const std::vector<char> plainRecords_;
  mutable std::vector<std::unique_ptr<CodeInfo>> code_; ///< made when first asked for
  mutable std::optional<bool> severalGpus_;             ///< every root asks, and the whole program answers
};

} // namespace samedevice::analysis
