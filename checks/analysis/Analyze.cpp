#include "Roots.h"

namespace samedevice::analysis {

Result analyze(const facts::Program &program, const Limits &limits, bool withWitnesses) {
  const ProgramIndex index(program);
  Universe universe(index);
  Budget budget(limits, program.mentionsDevices);
  Evidence evidence;
  Report report(index, evidence, withWitnesses);
  Interpreter interpreter(limits, universe, budget, evidence, report);
  Roots(interpreter, limits, universe, budget, evidence, report).runAll();
  Result result = report.finish();
  result.steps = budget.spent();
  return result;
}

} // namespace samedevice::analysis
