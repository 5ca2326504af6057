// Witnesses on the installed libtorch: a library of its own, loaded when it is asked for, so that the replayer runs
// where there is none.
#pragma once

#include "Interpreter.h"
#include "Replayer.h"
#include "gpu/simulated/FaultReport.h"

#include <functional>

namespace samedevice::runtime {

Stage torchStage(int devices);
/// In a child: loads libtorch and calls `play`.
void playOnTorch(int devices, ReportFault report, const std::function<void(Interpreter &)> &play);

} // namespace samedevice::runtime
