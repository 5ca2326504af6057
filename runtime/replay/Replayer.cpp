#include "Replayer.h"

#include "ChildProcess.h"
#include "Interpreter.h"
#include "TorchStage.h"
#include "gpu/simulated/FaultReport.h"
#include "gpu/simulated/SimBackend.h"

#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <exception>
#include <memory>
#include <optional>

namespace samedevice::runtime {

namespace {

constexpr std::size_t kSimulatedMemory = std::size_t{64} << 20;
constexpr int kSimulatedDevices = 2;

// The child's report: one line per step begun, then how it ended.
constexpr char kStep = 's', kRan = 'r', kFailed = 'f', kUnsupported = 'u';

void reportLine(char kind, const std::string &text) {
  std::string line = kind + text;
  std::replace(line.begin(), line.end(), '\n', ' ');
  reportFromChild(line + "\n");
}

std::string describeTouch(const void *) { return announcedTouch(); }
void reportFault(const std::string &text) {
  // The address differs from run to run, and says nothing that the rest does not. A fault anywhere but on memory of
  // the witness is one of the library's.
  const bool isOurs = text.find(':') != std::string::npos;
  reportLine(isOurs ? kFailed : kUnsupported, text.substr(0, text.rfind(" at ")));
}

void play(Interpreter &interpreter, const Witness &witness) {
  for (std::size_t i = 0; i < witness.steps.size(); ++i) {
    reportLine(kStep, std::to_string(i));
    try {
      interpreter.run(witness.steps[i]);
    } catch (const StepFailure &failure) {
      return reportLine(kFailed, failure.what());
    } catch (const Unsupported &reason) {
      return reportLine(kUnsupported, reason.what());
    } catch (const std::exception &error) {
      return reportLine(kUnsupported, error.what());
    }
  }
  reportLine(kRan, "");
}

Outcome outcomeOf(const ChildResult &result, int seconds) {
  Outcome outcome;
  std::optional<Outcome::Kind> end;
  std::size_t begin = 0;
  for (std::size_t stop; (stop = result.text.find('\n', begin)) != std::string::npos && !end; begin = stop + 1) {
    const std::string rest = result.text.substr(begin + 1, stop - begin - 1);
    switch (result.text[begin]) {
    case kStep:
      outcome.step = std::atoi(rest.c_str());
      break;
    case kRan:
      end = Outcome::Kind::Ran;
      outcome.step = -1;
      break;
    case kFailed:
      end = Outcome::Kind::Failed;
      outcome.text = rest;
      break;
    default:
      end = Outcome::Kind::Unsupported;
      outcome.text = rest;
      break;
    }
  }
  outcome.kind = end.value_or(Outcome::Kind::Unsupported);
  if (end)
    return outcome;
  outcome.text = result.timedOut      ? "still running after " + std::to_string(seconds) + " s"
                 : result.signal != 0 ? std::string("the replay died of ") + strsignal(result.signal)
                                      : "the replay ended without a word";
  return outcome;
}

std::unique_ptr<Backend> makeBackend(const Stage &stage, int devices) {
  std::string problem;
  if (stage.backend == "cuda")
    return makeCudaBackend(problem);
  return std::make_unique<SimBackend>(devices, kSimulatedMemory);
}

Outcome runWitness(const Witness &witness, const Stage &stage, int devices, int seconds) {
  const auto work = [&] {
    if (stage.backend == "torch")
      return playOnTorch(devices, reportFault, [&](Interpreter &interpreter) { play(interpreter, witness); });
    installFaultReport(describeTouch, reportFault);
    const std::unique_ptr<Backend> backend = makeBackend(stage, devices);
    const std::unique_ptr<Interpreter> interpreter = makeInterpreter(*backend);
    play(*interpreter, witness);
    // The memory of a process that has seen an error is best left to the system.
    _exit(0);
  };
  return outcomeOf(runInChild(work, seconds, !stage.isReal), seconds);
}

} // namespace

const char *verdictName(Verdict verdict) {
  switch (verdict) {
  case Verdict::Confirmed:
    return "confirmed";
  case Verdict::NotReproduced:
    return "not reproduced";
  case Verdict::Unsupported:
    return "unsupported";
  }
  return "";
}

namespace {

/// Asks in a child: CUDA does not survive a fork of a process that has used it.
Stage cudaStage() {
  const auto ask = [] {
    std::string problem;
    const auto backend = makeCudaBackend(problem);
    if (!backend)
      return reportFromChild("0 " + problem);
    // A GPU that cannot run what was built for others would confirm everything.
    backend->launch(Kernel{Kernel::Delay}, 0);
    const Error error = backend->synchronizeDevice(), last = backend->takeError();
    if (error != Error::None || last != Error::None)
      return reportFromChild("0 kernels do not run on the " + backend->deviceName(0) + ": " +
                             backend->explain(error != Error::None ? error : last));
    reportFromChild(std::to_string(backend->deviceCount()) + " " + backend->deviceName(0));
  };
  return stageOf("cuda", runInChild(ask, 60, false).text, true);
}

} // namespace

Stage stageOf(const std::string &backend, const std::string &answer, bool isReal) {
  const std::size_t space = answer.find(' ');
  if (space == std::string::npos)
    return {backend, "", 0, "it does not answer", isReal};
  const int devices = std::atoi(answer.c_str());
  const std::string words = answer.substr(space + 1);
  return devices > 0 ? Stage{backend, words, devices, "", isReal} : Stage{backend, "", 0, words, isReal};
}

Stage openStage(const ReplayOptions &options) {
  const int devices = options.devices != 0 ? options.devices : kSimulatedDevices;
  if (options.backend == "cuda" || options.backend == "auto") {
    Stage stage = cudaStage();
    if (options.backend == "cuda" || stage.problem.empty())
      return stage;
  }
  if (options.backend == "torch")
    return torchStage(devices);
  return {"sim", std::to_string(devices) + (devices == 1 ? " simulated GPU" : " simulated GPUs"), devices, "", false};
}

Replay replay(const Finding &finding, const Stage &stage, const ReplayOptions &options) {
  Replay replay;
  const auto unsupported = [&](const std::string &why) {
    replay.outcome = {Outcome::Kind::Unsupported, why, -1};
    return replay;
  };
  if (!finding.hasWitness)
    return unsupported(finding.unsupported.empty() ? "the finding has no witness" : finding.unsupported);
  if (finding.devices > stage.devices && (stage.isReal || options.devices != 0))
    return unsupported("needs " + std::to_string(finding.devices) + " GPUs");
  const int devices = std::max(stage.devices, finding.devices);

  replay.outcome = runWitness(finding.witness, stage, devices, options.secondsPerWitness);
  const auto &steps = finding.witness.steps;
  const bool isMarked = std::any_of(steps.begin(), steps.end(), [](const Step &step) { return step.fails; });
  if (replay.outcome.kind == Outcome::Kind::Failed)
    replay.verdict = !isMarked || steps[static_cast<std::size_t>(replay.outcome.step)].fails ? Verdict::Confirmed
                                                                                             : Verdict::NotReproduced;
  else if (replay.outcome.kind == Outcome::Kind::Ran)
    replay.verdict = Verdict::NotReproduced;
  if (finding.hasFixedWitness) {
    replay.hasFixed = true;
    replay.fixed = runWitness(finding.fixedWitness, stage, devices, options.secondsPerWitness);
  }
  return replay;
}

} // namespace samedevice::runtime
