// samedevice-replay: makes every finding of a findings file happen, or says that it does not.
#include "replay/Json.h"
#include "replay/Replayer.h"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <sstream>

using namespace samedevice::runtime;

namespace {

constexpr char kUsage[] =
    R"(Usage: samedevice-replay FINDINGS.json [--backend auto|cuda|sim|torch] [--devices N] [--json]

Replays the witness of every finding, each in a process of its own, and with the fix where there is one.
  --backend  cuda: a real GPU; sim: simulated ones; torch: the installed libtorch. auto takes cuda if it can.
  --devices  how many GPUs to simulate; otherwise two, or as many as a finding asks for
  --json     one JSON document instead of text
Exit status: 0 all confirmed (and, where there is a fix, resolved); 1 not all; 2 the file or the backend cannot be used.
)";

constexpr int kAllConfirmed = 0, kNotAllConfirmed = 1, kUnusable = 2;
constexpr std::size_t kMaxFile = std::size_t{64} << 20;

struct Arguments {
  std::string file;
  ReplayOptions options;
  bool json = false;
};

[[noreturn]] void leave(int status, const std::string &message) {
  (status == 0 ? std::cout : std::cerr) << message;
  std::exit(status);
}

[[noreturn]] void complain(const std::string &what) { leave(kUnusable, "samedevice-replay: " + what + "\n"); }
[[noreturn]] void misused(const std::string &what) { complain(what + "; --help says how it is used"); }

Arguments parse(int argc, char **argv) {
  Arguments arguments;
  for (int i = 1; i < argc; ++i) {
    std::string argument = argv[i], value;
    const std::size_t equals = argument.find('=');
    const bool takesValue = argument.rfind("--backend", 0) == 0 || argument.rfind("--devices", 0) == 0;
    if (takesValue && equals != std::string::npos) {
      value = argument.substr(equals + 1);
      argument.resize(equals);
    } else if (takesValue) {
      if (++i == argc)
        misused(argument + " needs a value");
      value = argv[i];
    }
    if (argument == "--help" || argument == "-h") {
      leave(0, kUsage);
    } else if (argument == "--json") {
      arguments.json = true;
    } else if (argument == "--backend") {
      if (value != "auto" && value != "cuda" && value != "sim" && value != "torch")
        misused("there is no backend " + value);
      arguments.options.backend = value;
    } else if (argument == "--devices") {
      char *end = nullptr;
      const long devices = std::strtol(value.c_str(), &end, 10);
      if (value.empty() || *end != '\0' || devices < 1 || devices > 16)
        misused("--devices takes a number from 1 to 16");
      arguments.options.devices = static_cast<int>(devices);
    } else if (argument.size() > 1 && argument[0] == '-') {
      misused("unknown option " + argument);
    } else if (!arguments.file.empty()) {
      misused("one file at a time: " + arguments.file + ", " + argument);
    } else {
      arguments.file = argument;
    }
  }
  if (arguments.file.empty())
    misused("which file?");
  return arguments;
}

/// Text from the file must not steer the terminal: no control characters, not those of UTF-8's second page either.
std::string printable(std::string text) {
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto c = static_cast<unsigned char>(text[i]);
    const bool isHighControl = c == 0xC2 && i + 1 < text.size() && (text[i + 1] & 0xE0) == 0x80;
    if (c < 0x20 || c == 0x7F || isHighControl)
      text[i] = ' ';
    if (isHighControl)
      text[i + 1] = ' ';
  }
  return text;
}

[[noreturn]] void refuse(const std::string &path, const std::string &why) {
  constexpr std::size_t kMostWords = 500;
  complain(printable(path + ": " + (why.size() > kMostWords ? why.substr(0, kMostWords) + "..." : why)));
}

std::vector<Finding> load(const std::string &path) {
  std::ifstream in(path, std::ios::binary);
  if (!in)
    refuse(path, std::strerror(errno));
  if (std::filesystem::is_directory(path))
    refuse(path, "is a folder; a file that the plugin wrote is wanted");
  std::string text(64 << 10, '\0');
  std::size_t size = 0;
  while (in.read(&text[size], static_cast<std::streamsize>(text.size() - size)), in.gcount() > 0) {
    size += static_cast<std::size_t>(in.gcount());
    if (size > kMaxFile)
      refuse(path, "larger than 64 MiB");
    text.resize(std::max(text.size(), size * 2));
  }
  if (!in.eof())
    refuse(path, "cannot be read");
  text.resize(size);
  try {
    return readFindings(text);
  } catch (const FindingsError &error) {
    refuse(path, error.what());
  }
}

std::string place(const Finding &finding, int step) {
  const Step *at = step < 0 ? nullptr : &finding.witness.steps[static_cast<std::size_t>(step)];
  if (!at || at->line == 0)
    return "";
  return printable(at->file.empty() ? finding.file : at->file) + ":" + std::to_string(at->line);
}

std::string describe(const Finding &finding, const Outcome &outcome) {
  std::string text = printable(outcome.text);
  if (outcome.step < 0)
    return text;
  const auto &steps = finding.witness.steps;
  text += (text.empty() ? "" : ", ") + std::string("at step ") + std::to_string(outcome.step + 1) + " (" +
          actionName(steps[static_cast<std::size_t>(outcome.step)].action);
  const std::string where = place(finding, outcome.step);
  return text + (where.empty() ? ")" : ", " + where + ")");
}

void printText(const Finding &finding, const Replay &replay) {
  std::cout << printable(finding.file) << ':' << finding.line << ": " << verdictName(replay.verdict) << ": "
            << printable(finding.message) << " [" << printable(finding.check) << "]\n";
  if (replay.outcome.kind != Outcome::Kind::Ran)
    std::cout << "    " << describe(finding, replay.outcome) << '\n';
  if (replay.isResolved())
    std::cout << "    with the fix: resolved\n";
  else if (replay.hasFixed)
    std::cout << "    with the fix: "
              << (replay.fixed.kind == Outcome::Kind::Unsupported ? "unsupported: " : "not resolved: ")
              << printable(replay.fixed.text) << '\n';
}

std::string toJson(const Finding &finding, const Replay &replay) {
  std::ostringstream out;
  out << "{\"check\": " << jsonString(finding.check) << ", \"file\": " << jsonString(finding.file)
      << ", \"line\": " << finding.line << ", \"column\": " << finding.column
      << ", \"message\": " << jsonString(finding.message)
      << ", \"verdict\": " << jsonString(verdictName(replay.verdict));
  if (replay.outcome.kind != Outcome::Kind::Ran) {
    out << ", \"outcome\": " << jsonString(replay.outcome.text);
    if (replay.outcome.step >= 0)
      out << ", \"step\": " << replay.outcome.step + 1
          << ", \"at\": " << jsonString(place(finding, replay.outcome.step));
  }
  if (replay.hasFixed)
    out << ", \"resolved\": " << (replay.isResolved() ? "true" : "false");
  if (replay.hasFixed && !replay.isResolved())
    out << ", \"fixedOutcome\": " << jsonString(replay.fixed.text);
  return out.str() + "}";
}

void showProgress(std::size_t done, std::size_t all) {
  constexpr std::size_t kWidth = 30;
  const std::size_t filled = done * kWidth / all;
  std::cerr << "\r[" << std::string(filled, '#') << std::string(kWidth - filled, ' ') << "] " << done << '/' << all
            << (done == all ? "\r\033[K" : "") << std::flush;
}

} // namespace

int main(int argc, char **argv) {
  const Arguments arguments = parse(argc, argv);
  const std::vector<Finding> findings = load(arguments.file);
  const Stage stage = openStage(arguments.options);
  if (!stage.problem.empty())
    complain("backend " + stage.backend + ": " + stage.problem);

  const bool onTerminal = isatty(STDERR_FILENO) && !arguments.json;
  std::size_t confirmed = 0, resolved = 0, withFix = 0, unsupported = 0;
  if (arguments.json)
    std::cout << "{\"samedevice\": 1, \"backend\": " << jsonString(stage.backend)
              << ", \"device\": " << jsonString(stage.device)
              << ", \"simulated\": " << (stage.isReal ? "false" : "true") << ", \"replays\": [";
  else
    std::cout << "Replaying on " << stage.backend << ": " << stage.device << '\n';
  for (std::size_t i = 0; i < findings.size(); ++i) {
    if (onTerminal)
      showProgress(i, findings.size());
    const Replay result = replay(findings[i], stage, arguments.options);
    confirmed += result.verdict == Verdict::Confirmed;
    unsupported += result.verdict == Verdict::Unsupported;
    withFix += result.hasFixed;
    resolved += result.isResolved();
    if (onTerminal)
      std::cerr << "\r\033[K" << std::flush;
    if (arguments.json)
      std::cout << (i == 0 ? "\n" : ",\n") << toJson(findings[i], result);
    else
      printText(findings[i], result);
    std::cout.flush();
  }
  if (arguments.json)
    std::cout << "]}\n";
  else
    std::cout << confirmed << " of " << findings.size() << " confirmed, " << findings.size() - confirmed - unsupported
              << " not reproduced, " << unsupported << " unsupported, " << resolved << " of " << withFix
              << " fixes resolve (" << stage.backend << ": " << stage.device << ")\n";
  return confirmed == findings.size() && resolved == withFix ? kAllConfirmed : kNotAllConfirmed;
}
