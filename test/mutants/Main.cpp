// Mutates fixtures and checks them: none may crash or hang the checks, nor be warned of what is not there.
//
//   samedevice-mutants [--count N] [--seed S] [--kind KIND] [--cut-short] [--jobs J] [--keep DIR] --empty FILE
//                      FILE... (for .cpp) -- FLAGS [-- FLAGS for .cu]
//
// N mutants of each file (0: all), of all kinds (token, line, brace, include, header, cut) or of one. Clang tells of
// all errors, as in an editor; with --cut-short, it falls silent behind a missing header, as in clang-tidy. A mutant
// that does not compile may be warned of only what its file is; one that compiles is another program, and what it is
// warned of was judged when it was written. What goes wrong is kept in DIR. Where Clang alone crashes or hangs as well,
// it is counted as Clang's. --empty: a file in whose place they are compiled, without its extension.
#include "Checked.h"
#include "Mutants.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
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
  std::string keep = "mutants", empty;
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
    else if (argument == "--empty")
      options.empty = argv[++index];
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

struct Totals {
  size_t mutants = 0, compile = 0, warnings = 0, crashes = 0, hangs = 0, clangs = 0, wrong = 0;
};

/// A file and its mutants. Each is checked in a process of its own, which tells what it found in lines.
class Work {
public:
  Work(const Options &options, const std::string &file)
      : options_(options), file_(file),
        mutants_(read() ? mutantsOf(text_, options.count, options.seed + seedOf(file), options.kind)
                        : std::vector<Mutant>()) {}

  void run(Totals &totals, raw_ostream &out) {
    int ends[2];
    if (mutants_.empty() || pipe(ends))
      return;
    const pid_t child = fork();
    if (!child) {
      close(ends[0]);
      dup2(open("/dev/null", O_WRONLY), 2);
      raw_fd_ostream told(ends[1], /*shouldClose=*/true);
      checkAll(told);
      told.flush();
      _exit(0);
    }
    close(ends[1]);
    SmallVector<char, 0> text;
    consumeError(sys::fs::readNativeFileToEOF(ends[0], text));
    close(ends[0]);
    waitpid(child, nullptr, 0);
    judge(StringRef(text.data(), text.size()), totals, out);
    out.flush();
  }

private:
  /// In a child. The whole file comes first.
  void checkAll(raw_ostream &out) const {
    const auto invocation = command();
    if (!invocation)
      return;
    std::vector<std::string> texts{text_};
    for (const Mutant &mutant : mutants_)
      texts.push_back(mutant.of(text_));
    Listener listener;
    listener.begun = [](size_t) { limit(kLongest); };
    listener.found = [&](size_t, const Outcome &outcome) {
      limit(0);
      out << (outcome.compiles ? "+" : "-") << outcome.firstErrorLine << "\t" << outcome.firstError << "\n";
      for (const Outcome::Finding &finding : outcome.findings)
        out << "!" << finding.check << "\t" << finding.line << "\t" << finding.number << "\t" << finding.message
            << "\n";
      out.flush();
    };
    listener.ended = [&](size_t index, int status) {
      out << "@" << index << "\t" << (WIFSIGNALED(status) ? WTERMSIG(status) : -WEXITSTATUS(status)) << "\n";
      out.flush();
    };
    checkEach(texts, file_, options_.empty + sys::path::extension(file_).str(), *invocation, options_.errors, listener);
  }

  void judge(StringRef told, Totals &totals, raw_ostream &out) const {
    std::set<std::pair<StringRef, StringRef>> usual;
    StringRef usualError;
    bool compiles = false, isDone = false;
    StringRef error;
    std::vector<SmallVector<StringRef, 4>> findings;
    for (StringRef line : split(told, '\n')) {
      SmallVector<StringRef, 4> parts;
      line.drop_front(line.empty() ? 0 : 1).split(parts, '\t');
      if (line.starts_with("+") || line.starts_with("-")) {
        compiles = line.front() == '+';
        error = line.drop_front();
        findings.clear();
      } else if (line.starts_with("!") && parts.size() == 4) {
        findings.push_back(parts);
      } else if (line.starts_with("@")) {
        size_t index = 0;
        int signal = 0;
        parts[0].getAsInteger(10, index);
        parts[1].getAsInteger(10, signal);
        isDone = isDone || index == mutants_.size();
        if (signal) {
          died(index, signal == SIGPROF, totals, out);
        } else if (index == 0) {
          usualError = error.split('\t').second;
          for (const auto &finding : findings)
            usual.emplace(finding[0], finding[1]);
        } else {
          totals.compile += compiles;
          totals.warnings += !findings.empty();
          // What is spared of headers may be missed by the whole file as well.
          if (!compiles && error.split('\t').second != usualError)
            for (const auto &finding : findings)
              if (!usual.count({finding[0], finding[1]})) {
                ++totals.wrong;
                out << "warned: " << describe(index) << "\n    line " << finding[2] << ": " << finding[3] << " ["
                    << finding[0] << "] | " << finding[1] << " | first error " << error << "\n    "
                    << keep(index, "warned") << "\n";
              }
        }
        totals.mutants += index != 0;
      }
    }
    if (!isDone) {
      out << "cannot be compiled: " << file_ << "\n";
      ++totals.crashes;
    }
  }

  void died(size_t index, bool isHang, Totals &totals, raw_ostream &out) const {
    const bool isClangs = !clangComesToAnEnd(index);
    ++(isClangs ? totals.clangs : isHang ? totals.hangs : totals.crashes);
    const StringRef what = isHang ? "hang" : "crash";
    out << (isClangs ? "Clang's own " : "") << what << ": " << describe(index) << "\n    " << keep(index, what) << "\n";
  }

  std::string textOf(size_t index) const { return index ? mutants_[index - 1].of(text_) : text_; }

  std::string describe(size_t index) const {
    if (!index)
      return file_;
    const Mutant &mutant = mutants_[index - 1];
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
    raw_fd_ostream(path, error) << textOf(index);
    return path.str().str();
  }

  bool clangComesToAnEnd(size_t index) const {
    const pid_t child = fork();
    if (!child) {
      dup2(open("/dev/null", O_WRONLY), 2);
      limit(kLongest);
      compile(textOf(index), file_, *command());
      _exit(0);
    }
    int status = 0;
    waitpid(child, &status, 0);
    return WIFEXITED(status) && WEXITSTATUS(status) == 0;
  }

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

} // namespace

int main(int argc, char **argv) {
  const Options options = readOptions(argc, argv);
  if (options.files.empty() || options.flags.empty() || options.empty.empty()) {
    errs() << "usage: samedevice-mutants [--count N] [--seed S] [--kind KIND] [--cut-short] [--jobs J] [--keep DIR] "
              "--empty FILE FILE... -- FLAGS [-- FLAGS]\n";
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
        Work(options, options.files[index]).run(own, outs());
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
