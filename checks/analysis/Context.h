// What an instruction works on.
#pragma once

#include "Evidence.h"
#include "Report.h"
#include "State.h"

#include <string>
#include <utility>
#include <vector>

namespace samedevice::analysis {

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

/// The calls that led here, from the inside out.
inline Route routeTo(const Frame &frame) {
  Route route;
  for (const Frame *inner = &frame; inner->caller && inner->site; inner = inner->caller)
    route.push_back({inner->caller->function, inner->site->source});
  return route;
}

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

/// Of a call: each state that it may end in, and what it gives then.
using Outcomes = std::vector<std::pair<State, Value>>;

struct Context {
  Evidence &evidence;
  Report &report;
  Frame &frame;
  State &state;
  const CodeInfo &code;
  std::vector<Value> &scratch; ///< the temporaries of the block

  Universe &universe() const { return state.universe(); }
  const ProgramIndex &program() const { return state.program(); }
};

} // namespace samedevice::analysis
