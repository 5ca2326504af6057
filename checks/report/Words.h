// How messages speak of tensors and of places: in names the user gave, and in words that hold for a device that is
// chosen at run time, too.
#pragma once

#include "Names.h"

#include "../analysis/Findings.h"

namespace samedevice::report {

std::string quoted(const std::string &name, const std::string &otherwise);

/// "cuda:0", "'device'", "where 'x' is": what something is moved to.
std::string place(const analysis::Where &where);
/// "on cuda:0", "where 'x' is".
std::string on(const analysis::Where &where);
/// "is on cuda:0", "is on 'device', which may be CUDA", "follows 'x', which may be on CUDA". `who`, in quotes, is the
/// subject.
std::string isWhere(const analysis::Where &where, analysis::When when, const std::string &who);
/// "memory on cuda:0", "a tensor on 'device', which may be CUDA": `what` in that place.
std::string things(const char *what, const analysis::Where &where, analysis::When when);
/// ": 'mul' throws", ": then 'mul' throws".
std::string consequence(const std::string &what, analysis::When when);

/// ": this throws", ": this throws if 'device' is CUDA": of the place where it fails.
std::string throwsHere(const analysis::Finding &finding);

/// A module that was put in: by the name it is registered under, if there is one; else as it is written.
std::string leftBehind(const analysis::Finding &finding, const Names &names);

/// Who takes a pointer: a function by its name, a role ("the source of a device-to-host copy") as it is.
std::string userOf(const analysis::Finding &finding);

/// Both sides of a conflict: "'a' is on cpu, but 'b' follows 'x', which may be on CUDA".
std::string bothSides(const std::string &subject, const std::string &other, const analysis::Finding &finding);

} // namespace samedevice::report
