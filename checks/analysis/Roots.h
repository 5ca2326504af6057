// Where execution starts: main and what Python calls; functions nobody in sight calls; and each class whose methods
// nobody in sight drives: its constructors, then its methods in any order.
#pragma once

#include "Interpreter.h"

#include <optional>
#include <vector>

namespace samedevice::analysis {

class Roots {
public:
  Roots(Interpreter &interpreter, const Limits &limits, Universe &universe, Budget &budget, Evidence &evidence,
        Report &report)
      : interpreter_(interpreter), program_(universe.program), limits_(limits), universe_(universe), budget_(budget),
        evidence_(evidence), report_(report) {}

  void runAll();

private:
  void runFunctionRoot(FunctionId function);
  void runForLaterCallers(FunctionId function, const std::vector<State> &exits);
  std::optional<State> afterFirstCall(const State &exit);
  std::vector<State> movedByOwner(const facts::Class &cls, ObjectId self, std::vector<State> states);
  void runClassRoot(facts::ClassId cls);
  std::vector<State> runWithSymbolicArguments(FunctionId function, const State &start, ObjectId self);
  State initialState();

  Interpreter &interpreter_;
  const ProgramIndex &program_;
  const Limits limits_;
  Universe &universe_;
  Budget &budget_;
  Evidence &evidence_;
  Report &report_;
  std::vector<State> afterGlobals_; ///< where each root starts
};

} // namespace samedevice::analysis
