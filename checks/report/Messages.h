// The words of warnings and of the notes below them.
#pragma once

#include "Names.h"

#include "../analysis/Findings.h"

namespace samedevice::report {

/// "device-host-access"
const char *checkName(analysis::Check check);

/// The warning, without the check's name.
std::string message(const analysis::Finding &finding, const Names &names);

/// A note of the story; empty: not worth telling.
std::string note(const analysis::Note &note, const analysis::Finding &finding, const Names &names);

} // namespace samedevice::report
