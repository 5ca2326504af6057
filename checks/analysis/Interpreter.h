// Executes facts on abstract states. A function is run where it is called, in the caller's memory, so that helpers,
// lambdas, members and templates need no treatment of their own; at each point a few states are kept apart, so that
// branches on one condition agree with each other. What the instructions do is said elsewhere, group by group: here is
// what runs them.
#pragma once

#include "Budget.h"
#include "Context.h"
#include "Limits.h"

#include <functional>
#include <optional>
#include <vector>

namespace samedevice::analysis {

class Interpreter {
public:
  Interpreter(const Limits &limits, Universe &universe, Budget &budget, Evidence &evidence, Report &report)
      : program_(universe.program), limits_(limits), universe_(universe), budget_(budget), evidence_(evidence),
        report_(report), reached_(universe.program.functions.size(), 0) {}

  std::vector<State> run(Frame &frame, State entry);
  std::vector<State> runOverrides(Context &context, ObjectId module, const Value &to, const Instruction &site);
  /// Adds a state to those kept for a point, `where`, `capacity` at most. False when it brings nothing new.
  bool addState(std::vector<State> &states, std::vector<bool> &done, State state, int capacity, Meeting where);
  void addExit(std::vector<State> &exits, State state);

  /// Functions that were run, or cannot be, of objects that somebody has made.
  const std::vector<char> &reached() const { return reached_; }
  void setReached(FunctionId function, char reached) { reached_[function] = reached; }

private:
  struct Arrival {
    std::uint32_t block;
    bool isLoopBegun; ///< not by way of the loop itself
  };
  /// To a block; or, idle, behind a loop that made no pass.
  using Leave = std::function<void(std::uint32_t, State, bool isIdle)>;
  /// One of the ways through a block: after a call that ends in several states there are as many.
  struct Way {
    State state;
    std::vector<Value> scratch;
  };
  void runBlock(Frame &frame, const CodeInfo &code, Arrival at, State entry, const Leave &leave,
                const std::function<void(State)> &exit);
  void keepFew(const Frame &frame, const CodeInfo &code, std::uint32_t block, std::size_t next, std::vector<Way> &ways);
  void endBlock(Frame &frame, const CodeInfo &code, Arrival at, Way &way, const Leave &leave,
                const std::function<void(State)> &exit);
  void step(Context &context, const Instruction &instruction);
  Outcomes call(Context &context, const Instruction &instruction);
  Outcomes invoke(Context &context, FunctionId function, const std::vector<Value> &arguments, const Instruction &site);
  std::optional<Outcomes> invokeWithin(Context &context, FunctionId function, const std::vector<Value> &arguments,
                                       const Instruction &site);
  Outcomes forward(Context &context, const Value &module, std::vector<Value> arguments, std::vector<SourceId> sources,
                   const Instruction &site, int depth = 0);

  const ProgramIndex &program_;
  const Limits limits_;
  Universe &universe_;
  Budget &budget_;
  Evidence &evidence_;
  Report &report_;
  std::vector<char> reached_;
};

} // namespace samedevice::analysis
