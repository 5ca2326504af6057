// Says what the host ran into when it touches memory of a simulated GPU.
#pragma once

#include <string>

namespace samedevice::runtime {

/// `describe` gives a sentence for an address, or an empty string for one it does not know. `report` gets the whole
/// text before the process dies of SIGSEGV; without it the text goes to stderr, with the calls that led there.
using DescribeAddress = std::string (*)(const void *address);
using ReportFault = void (*)(const std::string &text);
void installFaultReport(DescribeAddress describe, ReportFault report = nullptr);

/// An uncaught exception leaves its text and the calls that led there on stderr.
void installTerminateReport();

} // namespace samedevice::runtime
