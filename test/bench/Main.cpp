// What the checks cost: within clang-tidy's run on a file that includes libtorch, and as functions grow.
//
//   samedevice-bench OUTPUT.md
#include "Diagnostics.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <fstream>
#include <iostream>
#include <regex>
#include <sstream>
#include <sys/resource.h>
#include <sys/utsname.h>
#include <thread>

namespace fs = std::filesystem;

namespace samedevice {
namespace {

constexpr int kRuns = 9;
/// Visits the AST as any check does, and finds nothing to do.
constexpr const char *kTrivialCheck = "misc-unused-alias-decls";
constexpr const char *kAllChecks = "device-*";

/// Processor seconds, which other programs on the machine disturb less than the clock's.
double secondsOfChildren() {
  rusage usage{};
  getrusage(RUSAGE_CHILDREN, &usage);
  auto seconds = [](const timeval &time) { return double(time.tv_sec) + double(time.tv_usec) / 1e6; };
  return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

double median(std::vector<double> values) {
  std::ranges::sort(values);
  return values[values.size() / 2];
}

std::string rounded(double value, int digits) {
  std::ostringstream out;
  out << std::fixed;
  out.precision(digits);
  out << value;
  return out.str();
}

class Tidy {
public:
  explicit Tidy(fs::path work) : work_(std::move(work)) {}

  /// The whole process, in seconds.
  double run(const std::string &checks, const fs::path &source, const std::vector<std::string> &flags) const {
    std::vector<std::string> command = {CLANG_TIDY,
                                        "-load",
                                        PLUGIN,
                                        "--config={}",
                                        "--checks=-*," + checks,
                                        "--enable-check-profile",
                                        "--store-check-profile=" + (work_ / "profile").string(),
                                        source,
                                        "--"};
    command.insert(command.end(), flags.begin(), flags.end());
    fs::remove_all(work_ / "profile");
    const double before = secondsOfChildren();
    harness::run(command);
    return secondsOfChildren() - before;
  }

  /// What our checks had of the last run, by clang-tidy's own account. How the kernel splits milliseconds into the
  /// user's and its own is chance.
  double ownSeconds() const {
    static const std::regex entry(R"re("time\.clang-tidy\.device-[\w-]+\.(?:user|sys)":\s*([0-9.e+-]+))re");
    double sum = 0;
    for (const fs::directory_entry &file : fs::directory_iterator(work_ / "profile")) {
      std::ifstream in(file.path());
      const std::string text{std::istreambuf_iterator<char>(in), {}};
      for (std::sregex_iterator match(text.begin(), text.end(), entry), end; match != end; ++match)
        sum += std::stod((*match)[1]);
    }
    return sum;
  }

private:
  fs::path work_;
};

std::vector<std::string> words(const std::string &text) {
  std::vector<std::string> result;
  std::istringstream in(text);
  for (std::string word; std::getline(in, word, '|');)
    result.push_back(word);
  return result;
}

std::string machine() {
  utsname name{};
  uname(&name);
  return std::string(name.sysname) + " " + name.machine + ", " + std::to_string(std::thread::hardware_concurrency()) +
         " processors, LLVM 19";
}

struct Share {
  double trivial = 0, ours = 0, own = 0;
};

/// Alternating, so that whatever else the machine does disturbs both alike.
Share shareOfARun(const Tidy &tidy, const fs::path &source) {
  std::vector<double> trivial, ours, own;
  for (int i = 0; i < kRuns; ++i) {
    trivial.push_back(tidy.run(kTrivialCheck, source, words(TORCH_FLAGS)));
    ours.push_back(tidy.run(kAllChecks, source, words(TORCH_FLAGS)));
    own.push_back(tidy.ownSeconds());
  }
  // What disturbs a run only ever makes it longer: the shortest is the truest.
  return {std::ranges::min(trivial), std::ranges::min(ours), std::ranges::min(own)};
}

/// A function of that many statements, with branches and calls as code that trains a network has them.
void writeFunction(const fs::path &path, int statements) {
  std::ofstream out(path);
  out << "#include <torch/torch.h>\n"
         "torch::Tensor step(const torch::Tensor &x, const torch::Tensor &w) { return torch::relu(x.matmul(w)); }\n"
         "torch::Tensor run(torch::Tensor x, torch::Device device, bool verbose) {\n"
         "  torch::Tensor w = torch::randn({8, 8}, device);\n  x = x.to(device);\n";
  for (int i = 2; i < statements; ++i)
    switch (i % 5) {
    case 0:
      out << "  auto y" << i << " = step(x, w);\n";
      break;
    case 1:
      out << "  x = x + torch::ones({8, 8}, x.options());\n";
      break;
    case 2:
      out << "  if (verbose) x = x * 2;\n";
      break;
    case 3:
      out << "  w = torch::cat({w, x}).narrow(0, 0, 8);\n";
      break;
    default:
      out << "  x = x.to(device);\n";
    }
  out << "  return x;\n}\n";
}

struct Size {
  int statements;
  double seconds;
};

std::vector<Size> growth(const Tidy &tidy, const fs::path &work) {
  std::vector<Size> sizes;
  for (int statements : {100, 300, 1000, 3000, 10000}) {
    const fs::path source = work / "function.cpp";
    writeFunction(source, statements);
    std::vector<double> seconds;
    for (int i = 0; i < 3; ++i) {
      tidy.run(kAllChecks, source, words(STAND_IN_FLAGS));
      seconds.push_back(tidy.ownSeconds());
    }
    sizes.push_back({statements, median(seconds)});
  }
  return sizes;
}

/// The k of seconds = c * statements^k, by least squares.
double exponent(const std::vector<Size> &sizes) {
  double n = 0, sumX = 0, sumY = 0, sumXX = 0, sumXY = 0;
  for (const Size &size : sizes) {
    const double x = std::log(size.statements), y = std::log(std::max(size.seconds, 1e-6));
    n += 1, sumX += x, sumY += y, sumXX += x * x, sumXY += x * y;
  }
  return (n * sumXY - sumX * sumY) / (n * sumXX - sumX * sumX);
}

void write(std::ostream &out, const Share *share, const std::vector<Size> &sizes) {
  out << "# Benchmarks\n\nThe first two sections were written by `./dev bench`, the others as each says. Machine: "
      << machine() << ".\n\n## In clang-tidy\n\n";
  if (share)
    out << "`docs/examples/finetune.cpp` with libtorch's own headers, the shortest of " << kRuns
        << " alternating runs, processor seconds.\n\n"
           "| | seconds |\n|---|---|\n"
        << "| whole run, one trivial check (`" << kTrivialCheck << "`) | " << rounded(share->trivial, 3) << " |\n"
        << "| whole run, all our checks | " << rounded(share->ours, 3) << " |\n"
        << "| our checks by `--enable-check-profile` | " << rounded(share->own, 4) << " |\n\n"
        << "Share by the profile: " << rounded(100 * share->own / share->ours, 2)
        << " %. Whole run against whole run: " << rounded(100 * (share->ours / share->trivial - 1), 2)
        << " %.\n(The trivial check is asked about declarations of the headers, too; ours look at the user's own "
           "alone, so this "
           "can be below zero.)\n";
  else
    out << "Not measured: no libtorch on this machine.\n";
  out << "\n## As functions grow\n\nOne function of that many statements, stand-in headers, our checks alone, medians "
         "of "
         "3.\n\n| statements | seconds |\n|---|---|\n";
  for (const Size &size : sizes)
    out << "| " << size.statements << " | " << rounded(size.seconds, 4) << " |\n";
  out << "\nFitted: time grows with statements to the power of " << rounded(exponent(sizes), 2) << ".\n";
}

} // namespace
} // namespace samedevice

int main(int argc, char **argv) {
  using namespace samedevice;
  if (argc != 2 || argv[1][0] == '-') {
    std::cerr << "usage: samedevice-bench OUTPUT.md\n";
    return 2;
  }
  const fs::path work = fs::path(BINARY_DIR) / "bench";
  fs::create_directories(work);
  const Tidy tidy(work);
  const bool hasTorch = !std::string_view(TORCH_FLAGS).empty();
  const Share share = hasTorch ? shareOfARun(tidy, fs::path(SOURCE_DIR) / "docs/examples/finetune.cpp") : Share{};
  const std::vector<Size> sizes = growth(tidy, work);
  // What was measured on other people's code is not measured here: it stays.
  std::ifstream old(argv[1]);
  const std::string before{std::istreambuf_iterator<char>(old), {}};
  const std::size_t kept = before.find("\n## On real code");
  std::ofstream file(argv[1]);
  write(file, hasTorch ? &share : nullptr, sizes);
  file << (kept == std::string::npos ? "" : before.substr(kept));
  write(std::cout, hasTorch ? &share : nullptr, sizes);
}
