// Replays findings: each witness in a child process of its own, so that a fault or a broken GPU ends nothing else.
#pragma once

#include "Findings.h"

#include <functional>
#include <string>

namespace samedevice::runtime {

enum class Verdict { Confirmed, NotReproduced, Unsupported };
const char *verdictName(Verdict verdict);

/// What came of one witness.
struct Outcome {
  enum class Kind { Ran, Failed, Unsupported } kind = Kind::Ran;
  std::string text; ///< the error, or why it is unsupported
  int step = -1;    ///< from 0; -1: none in particular
};

struct Replay {
  Verdict verdict = Verdict::Unsupported;
  Outcome outcome;
  bool hasFixed = false;
  Outcome fixed;

  bool isResolved() const { return hasFixed && fixed.kind == Outcome::Kind::Ran; }
};

struct ReplayOptions {
  std::string backend = "auto"; ///< auto, cuda, sim, torch
  int devices = 0;              ///< of the simulation; 0: as many as a finding asks for
  int secondsPerWitness = 60;
};

/// The backend that will be used, and its devices as words: "sim", "2 simulated GPUs".
struct Stage {
  std::string backend;
  std::string device;
  int devices = 0;
  std::string problem; ///< not empty: this backend cannot be had here
  bool isReal = false; ///< there are no more devices than that
};

/// As a child has said it: how many devices, then their name, or why there are none.
Stage stageOf(const std::string &backend, const std::string &answer, bool isReal);

Stage openStage(const ReplayOptions &options);
Replay replay(const Finding &finding, const Stage &stage, const ReplayOptions &options);

} // namespace samedevice::runtime
