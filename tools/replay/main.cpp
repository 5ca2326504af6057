// samedevice-replay: makes every finding of a findings file happen, or says that it does not.
#include "../../runtime/witness/Json.h"
#include "../../runtime/witness/Replayer.h"

#include <unistd.h>

#include <algorithm>
#include <cstdlib>
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

Arguments parse(int argc, char **argv) {
  Arguments arguments;
  const auto value = [&](int &i) -> std::string {
    if (++i == argc)
      leave(kUnusable, std::string(argv[i - 1]) + " needs a value\n" + kUsage);
    return argv[i];
  };
  for (int i = 1; i < argc; ++i) {
    const std::string argument = argv[i];
    if (argument == "--help" || argument == "-h") {
      leave(0, kUsage);
    } else if (argument == "--json") {
      arguments.json = true;
    } else if (argument == "--backend") {
      std::string &backend = arguments.options.backend = value(i);
      if (backend != "auto" && backend != "cuda" && backend != "sim" && backend != "torch")
        leave(kUnusable, "there is no backend " + backend + "\n" + kUsage);
    } else if (argument == "--devices") {
      const std::string text = value(i);
      char *end = nullptr;
      const long devices = std::strtol(text.c_str(), &end, 10);
      if (text.empty() || *end != '\0' || devices < 1 || devices > 16)
        leave(kUnusable, "--devices takes a number from 1 to 16\n");
      arguments.options.devices = static_cast<int>(devices);
    } else if (argument.rfind("--", 0) == 0 || !arguments.file.empty()) {
      leave(kUnusable, "unknown argument " + argument + "\n" + kUsage);
    } else {
      arguments.file = argument;
    }
  }
  if (arguments.file.empty())
    leave(kUnusable, kUsage);
  return arguments;
}

std::vector<Finding> load(const std::string &path) {
  std::ifstream in(path, std::ios::binary);
  std::string text(64 << 10, '\0');
  std::size_t size = 0;
  while (in.read(&text[size], static_cast<std::streamsize>(text.size() - size)), in.gcount() > 0) {
    size += static_cast<std::size_t>(in.gcount());
    if (size > kMaxFile)
      leave(kUnusable, path + ": larger than 64 MiB\n");
    text.resize(std::max(text.size(), size * 2));
  }
  if (!in.eof()) // not there, no permission, a folder
    leave(kUnusable, path + ": cannot be read\n");
  text.resize(size);
  try {
    return readFindings(text);
  } catch (const FindingsError &error) {
    leave(kUnusable, path + ": " + error.what() + "\n");
  }
}

/// Text from the file must not steer the terminal.
std::string printable(std::string text) {
  for (char &c : text)
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f)
      c = ' ';
  return text;
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
      << ", \"line\": " << finding.line << ", \"message\": " << jsonString(finding.message)
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
    leave(kUnusable, "backend " + stage.backend + ": " + stage.problem + "\n");

  const bool onTerminal = isatty(STDERR_FILENO) && !arguments.json;
  std::size_t confirmed = 0, resolved = 0, withFix = 0, unsupported = 0;
  if (arguments.json)
    std::cout << "{\"samedevice\": 1, \"backend\": " << jsonString(stage.backend)
              << ", \"device\": " << jsonString(stage.device) << ", \"replays\": [";
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
    std::cout << confirmed << " of " << findings.size() << " confirmed, " << unsupported << " unsupported, " << resolved
              << " of " << withFix << " fixes resolve (" << stage.backend << ": " << stage.device << ")\n";
  return confirmed == findings.size() && resolved == withFix ? kAllConfirmed : kNotAllConfirmed;
}
