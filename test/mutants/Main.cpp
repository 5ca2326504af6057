// Mutates fixtures and checks them: none may crash or hang the checks, nor be warned of what is not there.
//
//   samedevice-mutants [--count N] [--seed S] [--kind KIND] [--cut-short] [--jobs J] [--keep DIR] FILE... (for .cpp)
//                      -- FLAGS [-- FLAGS for .cu]
//
// N mutants of each file (0: all), of all kinds (token, line, brace, include, header, cut) or of one. Clang tells of
// all errors, as in an editor; with --cut-short, it falls silent behind a missing header, as in clang-tidy. A mutant
// that does not compile may be warned of only what its file is; one that compiles is another program, and what it is
// warned of was judged when it was written. What goes wrong is kept in DIR. Where Clang alone crashes or hangs as well,
// it is counted as Clang's.
#include "Checked.h"
#include "Mutants.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/CrashRecoveryContext.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

#include <csignal>
#include <map>
#include <set>

#include <fcntl.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace llvm;
using namespace samedevice::mutants;

namespace {

constexpr unsigned kLongest = 10; ///< seconds of a processor, however many others want it

/// 0: none.
void limit(unsigned seconds) {
  const itimerval timer{{0, 0}, {seconds, 0}};
  setitimer(ITIMER_PROF, &timer, nullptr);
}

struct Options {
  unsigned count = 20, seed = 0, jobs = 1;
  std::string kind; ///< empty: all
  Errors errors = Errors::AllTold;
  std::string keep = "mutants";
  std::vector<std::string> files;
  std::map<std::string, std::vector<std::string>> flags; ///< of an extension
};

Options readOptions(int argc, char **argv) {
  Options options;
  int index = 1;
  for (; index < argc && StringRef(argv[index]) != "--"; ++index) {
    const StringRef argument = argv[index];
    auto number = [&] { return static_cast<unsigned>(std::stoul(argv[++index])); };
    if (argument == "--count")
      options.count = number();
    else if (argument == "--seed")
      options.seed = number();
    else if (argument == "--jobs")
      options.jobs = number();
    else if (argument == "--kind")
      options.kind = argv[++index];
    else if (argument == "--cut-short")
      options.errors = Errors::CutShort;
    else if (argument == "--keep")
      options.keep = argv[++index];
    else
      options.files.push_back(argument.str());
  }
  std::string extension = "";
  for (; index < argc; ++index)
    if (StringRef(argv[index]) == "--")
      extension = extension.empty() ? ".cpp" : ".cu";
    else
      options.flags[extension].push_back(argv[index]);
  return options;
}

/// What a child tells its parent, in lines.
class Work {
public:
  Work(const Options &options, const std::string &file)
      : options_(options), file_(file),
        mutants_(read() ? mutantsOf(text_, options.count, options.seed + seedOf(file), options.kind)
                        : std::vector<Mutant>()) {}

  size_t count() const { return mutants_.size(); }

  std::string describe(size_t index) const {
    const Mutant &mutant = mutants_[index];
    const auto line = StringRef(text_).take_front(mutant.begin).count('\n') + 1;
    std::string gone = StringRef(text_).slice(mutant.begin, std::min(mutant.end, mutant.begin + 60)).trim().str();
    std::replace(gone.begin(), gone.end(), '\n', ' ');
    return file_ + ":" + std::to_string(line) + ": " + mutant.kind + " '" + gone + "'";
  }

  std::string keep(size_t index, StringRef what) const {
    SmallString<256> path(options_.keep);
    (void)sys::fs::create_directories(path); // opening the file tells
    sys::path::append(path, what + "-" + sys::path::stem(file_) + "-" + Twine(index) + sys::path::extension(file_));
    std::error_code error;
    raw_fd_ostream(path, error) << mutants_[index].of(text_);
    return path.str().str();
  }

  /// In a child, from one of the mutants on.
  void run(size_t from, raw_ostream &out) const {
    const auto invocation = command();
    if (!invocation) {
      out << "?\n";
      return;
    }
    std::set<std::pair<std::string, std::string>> usual;
    const Outcome whole = check(text_, file_, *invocation, options_.errors);
    for (const Outcome::Finding &finding : whole.findings)
      usual.emplace(finding.check, finding.line);
    for (size_t index = from; index < mutants_.size(); ++index) {
      out << "@" << index << "\n";
      out.flush();
      limit(kLongest);
      const Outcome outcome = check(mutants_[index].of(text_), file_, *invocation, options_.errors);
      limit(0);
      out << (outcome.compiles ? "+" : "-") << outcome.findings.size() << "\n";
      // What is spared of headers may be missed by the whole file as well.
      if (!outcome.compiles && outcome.firstError != whole.firstError)
        for (const Outcome::Finding &finding : outcome.findings)
          if (!usual.count({finding.check, finding.line}))
            out << "!" << index << " line " << finding.number << ": " << finding.message << " [" << finding.check
                << "] | " << finding.line << " | first error " << outcome.firstErrorLine << ": " << outcome.firstError
                << "\n";
    }
  }

  /// Whether Clang comes to an end on its own.
  bool compiles(size_t index) const {
    const pid_t child = fork();
    if (!child) {
      dup2(open("/dev/null", O_WRONLY), 2);
      limit(kLongest);
      compile(mutants_[index].of(text_), file_, *command());
      _exit(0);
    }
    int status = 0;
    waitpid(child, &status, 0);
    return WIFEXITED(status) && WEXITSTATUS(status) == 0;
  }

private:
  std::shared_ptr<clang::CompilerInvocation> command() const {
    std::vector<std::string> command = {"clang++"};
    const auto flags = options_.flags.find(sys::path::extension(file_).str());
    if (flags != options_.flags.end())
      append_range(command, flags->second);
    command.push_back(file_);
    return readCommand(command);
  }

  bool read() {
    auto buffer = MemoryBuffer::getFile(file_);
    if (buffer)
      text_ = (*buffer)->getBuffer().str();
    return bool(buffer);
  }

  static unsigned seedOf(StringRef file) {
    unsigned seed = 0;
    for (char c : sys::path::filename(file))
      seed = seed * 31 + static_cast<unsigned char>(c);
    return seed;
  }

  const Options &options_;
  std::string file_, text_;
  std::vector<Mutant> mutants_;
};

struct Totals {
  size_t mutants = 0, compile = 0, warnings = 0, crashes = 0, hangs = 0, clangs = 0, wrong = 0;
};

/// Runs a file's mutants in children, each from where the one before it has died.
void runFile(const Options &options, const std::string &file, Totals &totals, raw_ostream &out) {
  const Work work(options, file);
  for (size_t from = 0; from < work.count();) {
    int ends[2];
    if (pipe(ends))
      return;
    const pid_t child = fork();
    if (!child) {
      close(ends[0]);
      dup2(open("/dev/null", O_WRONLY), 2);
      raw_fd_ostream told(ends[1], /*shouldClose=*/true);
      work.run(from, told);
      told.flush();
      _exit(0);
    }
    close(ends[1]);
    std::string text;
    char buffer[4096];
    for (ssize_t size; (size = ::read(ends[0], buffer, sizeof buffer)) > 0;)
      text.append(buffer, static_cast<size_t>(size));
    close(ends[0]);
    int status = 0;
    waitpid(child, &status, 0);
    size_t at = from;
    for (StringRef line : split(text, '\n')) {
      if (line.consume_front("@")) {
        line.getAsInteger(10, at);
        ++totals.mutants;
      } else if (line.consume_front("+")) {
        ++totals.compile;
        totals.warnings += line != "0";
      } else if (line.consume_front("-")) {
        totals.warnings += line != "0";
      } else if (line.consume_front("!")) {
        ++totals.wrong;
        out << "warned: " << work.describe(at) << "\n    " << line << "\n    " << work.keep(at, "warned") << "\n";
      } else if (line == "?") {
        out << "cannot be compiled: " << file << "\n";
        ++totals.crashes;
      }
    }
    if (WIFEXITED(status) && WEXITSTATUS(status) == 0)
      return;
    const bool isHang = WIFSIGNALED(status) && WTERMSIG(status) == SIGPROF;
    const bool isClangs = !work.compiles(at);
    ++(isClangs ? totals.clangs : isHang ? totals.hangs : totals.crashes);
    const StringRef what = isHang ? "hang" : "crash";
    out << (isClangs ? "Clang's own " : "") << what << ": " << work.describe(at) << "\n    " << work.keep(at, what)
        << "\n";
    out.flush();
    from = at + 1;
  }
}

} // namespace

int main(int argc, char **argv) {
  const Options options = readOptions(argc, argv);
  if (options.files.empty() || options.flags.empty()) {
    errs() << "usage: samedevice-mutants [--count N] [--seed S] [--kind KIND] [--cut-short] [--jobs J] [--keep DIR] "
              "FILE... "
              "-- FLAGS [-- FLAGS]\n";
    return 2;
  }
  // One process for each job takes every so many-th file.
  Totals totals;
  std::vector<std::pair<pid_t, int>> jobs;
  for (unsigned job = 0; job < options.jobs; ++job) {
    int ends[2];
    if (pipe(ends))
      return 1;
    const pid_t child = fork();
    if (!child) {
      Totals own;
      for (size_t index = job; index < options.files.size(); index += options.jobs)
        runFile(options, options.files[index], own, outs());
      outs().flush();
      const bool written = ::write(ends[1], &own, sizeof own) == sizeof own;
      _exit(written ? 0 : 1);
    }
    close(ends[1]);
    jobs.emplace_back(child, ends[0]);
  }
  for (const auto &[child, end] : jobs) {
    Totals own;
    if (::read(end, &own, sizeof own) == sizeof own) {
      totals.mutants += own.mutants;
      totals.compile += own.compile;
      totals.warnings += own.warnings;
      totals.crashes += own.crashes;
      totals.hangs += own.hangs;
      totals.clangs += own.clangs;
      totals.wrong += own.wrong;
    } else {
      ++totals.crashes;
    }
    waitpid(child, nullptr, 0);
  }
  outs() << options.files.size() << " files, " << totals.mutants << " mutants, " << totals.compile
         << " of them compile, " << totals.warnings << " are warned of; " << totals.crashes << " crash, "
         << totals.hangs << " hang, " << totals.clangs << " do so in Clang alone, " << totals.wrong
         << " warnings that the file itself does not have\n";
  return totals.crashes + totals.hangs + totals.wrong ? 1 : 0;
}
