// A findings file in memory, as docs/witness-format.md describes it.
#pragma once

#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace samedevice::runtime {

enum class Action {
  Tensor,
  Move,
  View,
  Op,
  CopyInto,
  SetData,
  Release,
  Module,
  Register,
  Unregister,
  Parameter,
  MoveModule,
  CloneModule,
  LoadState,
  LoadScript,
  Forward,
  Optimizer,
  OptimizerStep,
  Pointer,
  Allocate,
  FromBlob,
  HostRead,
  DeviceUse,
  Memcpy,
  SetDevice,
  Stream,
  Launch,
  Synchronize,
};

inline constexpr int kNoValue = -1;

struct NamedValue {
  std::string name;
  std::vector<int> ids; ///< several for a tensor list
  bool isList = false;
};

/// One step. Which members mean something is up to the action; the names are the file's.
struct Step {
  Action action = Action::Tensor;
  std::string file;
  int line = 0;
  std::string note;
  bool fails = false;

  int id = kNoValue;
  int of = kNoValue;    ///< of, from, parent
  int to = kNoValue;    ///< dst, child, module, stream
  int from = kNoValue;  ///< src
  std::vector<int> ids; ///< args of forward and launch, of of optimizer
  std::vector<NamedValue> arguments;
  std::string device; ///< empty: left out
  std::string name;   ///< name, class, how, where, by
  std::string kind;   ///< as, kind, saved
  std::vector<std::string> state;
  int rank = -1; ///< left out
  int index = 0;
  bool nonBlocking = false;
  bool pinned = false;
  bool method = false;
  bool write = false;
  unsigned torch = 0; ///< 206 for 2.6: whose rule an operator follows; 0: the newest's
};

struct Witness {
  std::vector<Step> steps;
};

struct Finding {
  std::string check, message, file;
  int line = 0, column = 0;
  int devices = 1;
  bool fix = false;
  bool hasWitness = false, hasFixedWitness = false;
  Witness witness, fixedWitness;
  std::string unsupported;
};

struct FindingsError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Throws FindingsError, which says what is wrong and where. Findings that stand there twice come once.
std::vector<Finding> readFindings(std::string_view text);

/// The action's name in the file.
const char *actionName(Action action);

} // namespace samedevice::runtime
