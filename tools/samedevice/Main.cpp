// The `samedevice` command: one subcommand per job.
#include "Cache.h"
#include "CheckCommand.h"
#include "CompdbCommand.h"
#include "Version.h"

#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/InitLLVM.h"

using namespace llvm;
using namespace samedevice;

static cl::SubCommand compdbCommand("compdb", "Translate nvcc's compile commands for clang-tidy and clangd");
static cl::SubCommand baselineCommand("baseline",
                                      "Write down what is found, so that `check --baseline` leaves it alone");
static cl::SubCommand checkCommand("check", "Check sources, directories, or what a build compiles");

static cl::opt<std::string> databaseDirectory("p", cl::sub(compdbCommand), cl::sub(checkCommand),
                                              cl::sub(baselineCommand), cl::value_desc("directory"),
                                              cl::desc("Where compile_commands.json is (default: here or above)"));
static cl::opt<std::string> outputFile("o", cl::sub(compdbCommand), cl::sub(baselineCommand), cl::value_desc("file"),
                                       cl::desc("Where to write (default: standard output)"));

static cl::list<std::string> paths(cl::Positional, cl::sub(checkCommand), cl::sub(baselineCommand),
                                   cl::value_desc("path"), cl::desc("[PATHS...] [-- FLAGS]"));
static cl::opt<std::string> checks("checks", cl::sub(checkCommand), cl::sub(baselineCommand), cl::value_desc("globs"),
                                   cl::desc("Which checks, added to those of .clang-tidy (default: device-*)"));
static cl::opt<unsigned> jobs("j", cl::sub(checkCommand), cl::sub(baselineCommand), cl::value_desc("number"),
                              cl::Prefix,
                              cl::desc("How many sources at the same time (default: one for each processor)"));

static cl::opt<std::string> cache("cache", cl::sub(checkCommand), cl::sub(baselineCommand), cl::value_desc("folder"),
                                  cl::desc("Where to keep what need not be made again; --cache= for nowhere (default: "
                                           "$XDG_CACHE_HOME/samedevice, ~/.cache/samedevice)"),
                                  cl::init(check::Cache::usualFolder()));
static cl::opt<unsigned> cacheSize("cache-size", cl::sub(checkCommand), cl::sub(baselineCommand), cl::value_desc("MiB"),
                                   cl::init(4096), cl::desc("How large that folder may become (default: 4096)"));

static cl::opt<std::string> filesFrom("files-from", cl::sub(checkCommand), cl::value_desc("file"),
                                      cl::desc("More paths, one to a line (-: standard input)"));
static cl::opt<std::string>
    diffBase("diff", cl::sub(checkCommand), cl::value_desc("commit"),
             cl::desc("Only findings on lines that have changed since this commit, or with a note "
                      "on one"));
static cl::opt<std::string> jsonFile("json", cl::sub(checkCommand), cl::value_desc("file"),
                                     cl::desc("Also write what samedevice-replay takes (-: instead of text)"));
static cl::opt<std::string> sarifFile("sarif", cl::sub(checkCommand), cl::value_desc("file"),
                                      cl::desc("Also write SARIF 2.1.0 (-: instead of text)"));
static cl::opt<bool> github("github", cl::sub(checkCommand), cl::desc("Also print annotations for GitHub Actions"));
static cl::opt<std::string> baseline("baseline", cl::sub(checkCommand), cl::value_desc("file"),
                                     cl::desc("Leave alone what `samedevice baseline` has written into this file"));
static cl::opt<check::Fixing>
    fixing("fix", cl::sub(checkCommand), cl::ValueOptional, cl::desc("Apply the fixes"), cl::init(check::Fixing::No),
           cl::values(clEnumValN(check::Fixing::InPlace, "", "to the files"),
                      clEnumValN(check::Fixing::DryRun, "dry-run", "print them as a patch, and change nothing")));
static cl::opt<check::FailOn> failOn(
    "fail-on", cl::sub(checkCommand), cl::desc("What is a reason for an exit status other than 0"),
    cl::init(check::FailOn::Anything),
    cl::values(clEnumValN(check::FailOn::Anything, "anything", "findings, or something that could not be analysed"),
               clEnumValN(check::FailOn::Findings, "findings", "findings"),
               clEnumValN(check::FailOn::Errors, "errors", "findings that WarningsAsErrors makes errors"),
               clEnumValN(check::FailOn::Nothing, "nothing", "only a mistake in the command line")));

static int runCheckCommand(const std::string &executable, bool hasFlags, std::vector<std::string> flags) {
  check::CheckOptions options;
  options.request.paths = {paths.begin(), paths.end()};
  options.request.buildDirectory = databaseDirectory;
  options.request.hasFlags = hasFlags;
  options.request.flags = std::move(flags);
  options.request.executable = executable;
  options.checks = checks;
  options.cache = cache;
  options.cacheBytes = uint64_t{cacheSize} << 20;
  options.jobs = jobs;
  options.filesFrom = filesFrom;
  options.diffBase = diffBase;
  options.json = jsonFile;
  options.sarif = sarifFile;
  options.printsGithub = github;
  options.baseline = baseline;
  options.fixing = fixing;
  options.failOn = failOn;
  if (baselineCommand)
    options.newBaseline = outputFile.empty() ? "-" : outputFile.getValue();
  return check::runCheck(std::move(options));
}

int main(int argc, const char **argv) {
  InitLLVM init(argc, argv);
  cl::SetVersionPrinter([](raw_ostream &out) { out << check::versionText(); });
  // What is behind -- is for the compiler.
  const char **end = argv + argc;
  const char **dashes = std::find(argv, end, StringRef("--"));
  std::vector<std::string> flags(dashes == end ? end : dashes + 1, end);
  if (!cl::ParseCommandLineOptions(static_cast<int>(dashes - argv), argv,
                                   "samedevice: device mismatches in code that uses PyTorch\n", &errs()))
    return check::Usage;
  std::string executable = sys::fs::getMainExecutable(argv[0], reinterpret_cast<void *>(&main));
  if (compdbCommand)
    return compdb::runCompdb(databaseDirectory, outputFile, executable);
  if (checkCommand || baselineCommand)
    return runCheckCommand(executable, dashes != end, std::move(flags));
  cl::PrintHelpMessage();
  return check::Usage;
}
