// Which program this is.
#pragma once

#include <string>

namespace samedevice::check {

/// For people: ours, and Clang's.
std::string versionText();

/// For caches: another build may find something else.
std::string buildIdentity();

} // namespace samedevice::check
