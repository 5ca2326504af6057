// Somebody who can carry out the steps of a witness.
#pragma once

#include "Findings.h"
#include "gpu/Backend.h"

#include <memory>
#include <stdexcept>
#include <string>

namespace samedevice::runtime {

/// The step failed, as it would in the program.
struct StepFailure : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// This interpreter cannot say what the step would do.
struct Unsupported : std::runtime_error {
  using std::runtime_error::runtime_error;
};

class Interpreter {
public:
  virtual ~Interpreter() = default;
  /// Throws StepFailure or Unsupported; a step may also end the process with SIGSEGV.
  virtual void run(const Step &step) = 0;
};

/// On the shim's own tensors.
std::unique_ptr<Interpreter> makeInterpreter(Backend &backend);

/// What the host is about to touch, for the report if that faults.
void announceTouch(const std::string &place);
std::string announcedTouch();

} // namespace samedevice::runtime
