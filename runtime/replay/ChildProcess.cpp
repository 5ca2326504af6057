#include "ChildProcess.h"

#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <stdexcept>

namespace samedevice::runtime {

namespace {

constexpr rlim_t kMemory = rlim_t{4} << 30;
constexpr std::size_t kMaxReport = 1 << 20;

int reportPipe = -1;

void limit(int resource, rlim_t most) {
  const struct rlimit limits = {most, most};
  setrlimit(resource, &limits);
}

[[noreturn]] void becomeChild(const std::function<void()> &work, int seconds, bool limitMemory) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  limit(RLIMIT_CORE, 0);
  limit(RLIMIT_CPU, static_cast<rlim_t>(seconds) + 1);
  if (limitMemory)
    limit(RLIMIT_DATA, kMemory); // not the address space: simulated GPUs reserve plenty of that
  work();
  _exit(0);
}

} // namespace

void reportFromChild(const std::string &line) {
  std::size_t written = 0;
  while (written < line.size()) {
    const ssize_t count = write(reportPipe, line.data() + written, line.size() - written);
    if (count <= 0)
      return;
    written += static_cast<std::size_t>(count);
  }
}

ChildResult runInChild(const std::function<void()> &work, int seconds, bool limitMemory) {
  int ends[2];
  if (pipe(ends) != 0)
    throw std::runtime_error("cannot make a pipe");
  const pid_t child = fork();
  if (child < 0)
    throw std::runtime_error("cannot start a process");
  if (child == 0) {
    close(ends[0]);
    reportPipe = ends[1];
    becomeChild(work, seconds, limitMemory);
  }
  close(ends[1]);

  ChildResult result;
  using Clock = std::chrono::steady_clock;
  const auto deadline = Clock::now() + std::chrono::seconds(seconds);
  while (true) {
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(deadline - Clock::now()).count();
    struct pollfd ready = {ends[0], POLLIN, 0};
    if (left <= 0 || poll(&ready, 1, static_cast<int>(left)) == 0) {
      result.timedOut = true;
      kill(child, SIGKILL);
      break;
    }
    char buffer[4096];
    const ssize_t count = read(ends[0], buffer, sizeof(buffer));
    if (count <= 0)
      break;
    if (result.text.size() < kMaxReport)
      result.text.append(buffer, static_cast<std::size_t>(count));
  }
  close(ends[0]);
  int status = 0;
  waitpid(child, &status, 0);
  if (WIFSIGNALED(status))
    result.signal = WTERMSIG(status);
  result.finished = WIFEXITED(status) && WEXITSTATUS(status) == 0;
  return result;
}

} // namespace samedevice::runtime
