#include "Children.h"

#include "llvm/Support/Errno.h"
#include "llvm/Support/Signals.h"
#include "llvm/Support/raw_ostream.h"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

namespace samedevice::check {

namespace {

using Clock = std::chrono::steady_clock;

struct Child {
  size_t work;
  pid_t process;
  int pipe;
  Clock::time_point deadline;
  ChildResult result;
};

[[noreturn]] void runWork(size_t index, int pipe, pid_t parent, llvm::function_ref<std::string(size_t)> work) {
  // A parent that was killed leaves nobody behind.
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent)
    _exit(1);
  // The parent tells of a crash, in one line; a stack dump from each child would bury it.
  llvm::sys::unregisterHandlers();
  for (int signal : {SIGSEGV, SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGINT, SIGTERM})
    ::signal(signal, SIG_DFL);
  const rlimit noCore{0, 0};
  setrlimit(RLIMIT_CORE, &noCore);
  if (int nowhere = open("/dev/null", O_WRONLY); nowhere >= 0 && !getenv("SAMEDEVICE_VERBOSE"))
    dup2(nowhere, STDERR_FILENO);
  const std::string output = work(index);
  for (size_t written = 0; written < output.size();) {
    const ssize_t count = write(pipe, output.data() + written, output.size() - written);
    if (count < 0 && errno != EINTR)
      _exit(1);
    written += std::max<ssize_t>(count, 0);
  }
  _exit(0); // nothing is taken down: the kernel does that faster
}

Child start(size_t index, std::chrono::seconds limit, llvm::function_ref<std::string(size_t)> work) {
  Child child{index, -1, -1, Clock::now() + limit, {}};
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) {
    child.result.failure = llvm::sys::StrError();
    return child;
  }
  llvm::outs().flush();
  llvm::errs().flush();
  const pid_t parent = getpid();
  child.process = fork();
  if (child.process == 0) {
    close(ends[0]);
    runWork(index, ends[1], parent, work);
  }
  if (child.process < 0)
    child.result.failure = llvm::sys::StrError();
  child.pipe = ends[0];
  close(ends[1]);
  return child;
}

/// False where there will be no more.
bool readSome(Child &child) {
  char buffer[65536];
  const ssize_t count = read(child.pipe, buffer, sizeof buffer);
  if (count > 0)
    child.result.output.append(buffer, count);
  return count > 0 || (count < 0 && errno == EINTR);
}

void end(Child &child) {
  if (child.pipe >= 0)
    close(child.pipe);
  int status = 0;
  if (child.process < 0 || waitpid(child.process, &status, 0) < 0 || !child.result.failure.empty())
    return;
  if (WIFSIGNALED(status))
    child.result.failure = std::string("the front end crashed (") + strsignal(WTERMSIG(status)) + ")";
  else if (WEXITSTATUS(status) != 0)
    child.result.failure = "the front end gave up (exit status " + std::to_string(WEXITSTATUS(status)) + ")";
}

} // namespace

void runInChildren(size_t count, unsigned width, std::chrono::seconds limit,
                   llvm::function_ref<std::string(size_t)> work,
                   llvm::function_ref<void(size_t, ChildResult)> finished) {
  std::vector<Child> running;
  auto finish = [&](size_t which) {
    Child child = std::move(running[which]);
    running.erase(running.begin() + static_cast<std::ptrdiff_t>(which));
    end(child);
    finished(child.work, std::move(child.result));
  };
  for (size_t next = 0; next < count || !running.empty();) {
    while (next < count && running.size() < std::max(width, 1u))
      running.push_back(start(next++, limit, work));
    std::vector<pollfd> pipes;
    auto deadline = Clock::time_point::max();
    for (const Child &child : running) {
      pipes.push_back({child.pipe, POLLIN, 0});
      deadline = std::min(deadline, child.deadline);
    }
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(deadline - Clock::now()).count() + 1;
    poll(pipes.data(), pipes.size(), static_cast<int>(std::clamp<long long>(left, 0, 1000000)));
    for (size_t which = running.size(); which-- > 0;) {
      Child &child = running[which];
      if (child.process < 0 || (pipes[which].revents && !readSome(child))) {
        finish(which);
      } else if (Clock::now() >= child.deadline) {
        kill(child.process, SIGKILL);
        child.result.isLate = true;
        child.result.failure = "the front end was not done after " + std::to_string(limit.count()) + " s";
        finish(which);
      }
    }
  }
}

} // namespace samedevice::check
