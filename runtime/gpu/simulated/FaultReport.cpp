#include "FaultReport.h"

#include <execinfo.h>
#include <signal.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <exception>

namespace samedevice::runtime {

namespace {

DescribeAddress describeAddress = nullptr;
ReportFault reportFault = nullptr;

void toStandardError(const std::string &text) {
  if (write(STDERR_FILENO, text.data(), text.size()) < 0)
    return;
  void *frames[64];
  backtrace_symbols_fd(frames, backtrace(frames, 64), STDERR_FILENO);
}

// The fault comes from an ordinary load or store of the program's, not from inside the C library's locks, so that
// making a string is safe in practice; whatever goes wrong here still ends in the default action.
void onFault(int signal, siginfo_t *info, void *) {
  struct sigaction standard = {};
  standard.sa_handler = SIG_DFL;
  sigaction(signal, &standard, nullptr);
  const std::string place = describeAddress ? describeAddress(info->si_addr) : std::string();
  char address[32];
  std::snprintf(address, sizeof(address), "%p", info->si_addr);
  const std::string text =
      place.empty() ? "SIGSEGV at " + std::string(address) : "SIGSEGV: the host touches " + place + " at " + address;
  (reportFault ? reportFault : toStandardError)(text + "\n");
  raise(signal);
}

/// An exception that nobody catches ends the program where it was thrown: the stack still tells from where.
void onTerminate() {
  std::string text = "terminate called";
  if (const std::exception_ptr current = std::current_exception()) {
    try {
      std::rethrow_exception(current);
    } catch (const std::exception &error) {
      text += " after throwing: " + std::string(error.what());
    } catch (...) {
      text += " after throwing something";
    }
  }
  toStandardError(text + "\n");
  std::abort();
}

} // namespace

void installTerminateReport() { std::set_terminate(onTerminate); }

void installFaultReport(DescribeAddress describe, ReportFault report) {
  describeAddress = describe;
  reportFault = report;
  void *warmUp[1];
  backtrace(warmUp, 1); // loads the unwinder now rather than inside the handler
  static char stack[1 << 16];
  stack_t alternative = {};
  alternative.ss_sp = stack;
  alternative.ss_size = sizeof(stack);
  sigaltstack(&alternative, nullptr);
  struct sigaction action = {};
  action.sa_sigaction = onFault;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK;
  sigaction(SIGSEGV, &action, nullptr);
  sigaction(SIGBUS, &action, nullptr);
}

} // namespace samedevice::runtime
