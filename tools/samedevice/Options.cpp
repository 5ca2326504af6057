#include "Options.h"

#include "Cache.h"

using namespace llvm;

namespace samedevice {

cl::SubCommand checkCommand("check", "Check sources, directories, or what a build compiles");
cl::SubCommand baselineCommand("baseline", "Write down what is found, so that `check --baseline` leaves it alone");
cl::SubCommand mergeCommand("merge", "Tell together what several runs of `check --json` have found");
cl::SubCommand confirmCommand("confirm", "Make what `check --json` has found happen, and tell what came of it");
cl::SubCommand factsCommand("facts", "Write down what the checks know of a source");
cl::SubCommand linkCommand("link", "Check the programs that sources make, of what `samedevice facts` has written");
cl::SubCommand compdbCommand("compdb", "Translate nvcc's compile commands for clang-tidy and clangd");

namespace {

cl::list<std::string> paths(cl::Positional, cl::sub(checkCommand), cl::sub(baselineCommand), cl::sub(factsCommand),
                            cl::value_desc("path"), cl::desc("[PATHS...] [-- FLAGS]"));
cl::list<std::string> findingsFiles(cl::Positional, cl::OneOrMore, cl::sub(mergeCommand), cl::sub(confirmCommand),
                                    cl::value_desc("file"), cl::desc("FINDINGS..."));

cl::list<std::string> objectFiles(cl::Positional, cl::OneOrMore, cl::sub(linkCommand), cl::value_desc("object"),
                                  cl::desc("OBJECTS..."));

cl::opt<std::string> databaseDirectory("p", cl::sub(compdbCommand), cl::sub(checkCommand), cl::sub(baselineCommand),
                                       cl::sub(factsCommand), cl::value_desc("directory"),
                                       cl::desc("Where compile_commands.json is (default: here or above)"));
cl::opt<std::string> outputFile("o", cl::sub(compdbCommand), cl::sub(baselineCommand), cl::sub(factsCommand),
                                cl::value_desc("file"), cl::desc("Where to write (default: standard output)"));

cl::opt<bool> isBesideObject("beside-object", cl::sub(factsCommand),
                             cl::desc("Write to what -o of FLAGS says, with .facts behind: for builds"));

cl::opt<std::string> checks("checks", cl::sub(checkCommand), cl::sub(baselineCommand), cl::sub(linkCommand),
                            cl::value_desc("globs"),
                            cl::desc("Which checks, added to those of .clang-tidy (default: device-*)"));
cl::list<std::string> argumentsBefore("extra-arg-before", cl::sub(checkCommand), cl::sub(factsCommand), cl::Hidden,
                                      cl::desc("Put before FLAGS: CMake says --driver-mode so"));
cl::opt<std::string> filesFrom("files-from", cl::sub(checkCommand), cl::value_desc("file"),
                               cl::desc("More paths, one to a line (-: standard input)"));
cl::opt<std::string> diffBase("diff", cl::sub(checkCommand), cl::value_desc("commit"),
                              cl::desc("Only findings on lines that have changed since this commit, or with a note "
                                       "on one"));
cl::opt<std::string> shard("shard", cl::sub(checkCommand), cl::value_desc("i/n"),
                           cl::desc("Only the i-th of n parts of the sources, for `samedevice merge` afterwards"));
cl::opt<bool> isEachAlone("alone", cl::sub(checkCommand), cl::sub(baselineCommand),
                          cl::desc("Look at each source by itself, not at the programs that they make"));
cl::opt<unsigned> jobs("j", cl::sub(checkCommand), cl::sub(baselineCommand), cl::value_desc("number"), cl::Prefix,
                       cl::desc("How many sources at the same time (default: one for each processor)"));

cl::opt<std::string> cache("cache", cl::sub(checkCommand), cl::sub(baselineCommand), cl::value_desc("folder"),
                           cl::desc("Where to keep what need not be made again; --cache= for nowhere (default: "
                                    "$XDG_CACHE_HOME/samedevice, ~/.cache/samedevice)"),
                           cl::init(check::Cache::usualFolder()));
cl::opt<unsigned> cacheSize("cache-size", cl::sub(checkCommand), cl::sub(baselineCommand), cl::value_desc("MiB"),
                            cl::init(4096), cl::desc("How large that folder may become (default: 4096)"));

cl::opt<std::string> jsonFile("json", cl::sub(checkCommand), cl::sub(mergeCommand), cl::sub(confirmCommand),
                              cl::value_desc("file"),
                              cl::desc("Also write what `samedevice merge` and `confirm` take (-: instead of text)"));
cl::opt<std::string> sarifFile("sarif", cl::sub(checkCommand), cl::sub(mergeCommand), cl::sub(confirmCommand),
                               cl::value_desc("file"), cl::desc("Also write SARIF 2.1.0 (-: instead of text)"));
cl::opt<std::string> gitlabFile("gitlab", cl::sub(checkCommand), cl::sub(mergeCommand), cl::sub(confirmCommand),
                                cl::value_desc("file"),
                                cl::desc("Also write a Code Quality report for GitLab (-: instead of text)"));
cl::opt<std::string> htmlFile("html", cl::sub(checkCommand), cl::sub(mergeCommand), cl::sub(confirmCommand),
                              cl::value_desc("file"), cl::desc("Also write a page for a browser (-: instead of text)"));
cl::opt<bool> github("github", cl::sub(checkCommand), cl::sub(mergeCommand), cl::sub(confirmCommand),
                     cl::desc("Also print annotations for GitHub Actions"));

cl::opt<std::string> backend("backend", cl::sub(confirmCommand), cl::value_desc("name"), cl::init("auto"),
                             cl::desc("Where to make it happen: cuda, sim (simulated GPUs), torch (the installed "
                                      "libtorch), or auto: cuda if there is one, else sim"));
cl::opt<std::string> baseline("baseline", cl::sub(checkCommand), cl::value_desc("file"),
                              cl::desc("Leave alone what `samedevice baseline` has written into this file"));
cl::opt<check::Fixing>
    fixing("fix", cl::sub(checkCommand), cl::ValueOptional, cl::desc("Apply the fixes"), cl::init(check::Fixing::No),
           cl::values(clEnumValN(check::Fixing::InPlace, "", "to the files"),
                      clEnumValN(check::Fixing::DryRun, "dry-run", "print them as a patch, and change nothing")));
cl::opt<check::FailOn> failOn(
    "fail-on", cl::sub(checkCommand), cl::sub(mergeCommand), cl::sub(confirmCommand), cl::sub(linkCommand),
    cl::desc("What is a reason for an exit status other than 0"), cl::init(check::FailOn::Anything),
    cl::values(clEnumValN(check::FailOn::Anything, "anything", "findings, or something that could not be analysed"),
               clEnumValN(check::FailOn::Findings, "findings", "findings"),
               clEnumValN(check::FailOn::Errors, "errors", "findings that WarningsAsErrors makes errors"),
               clEnumValN(check::FailOn::Nothing, "nothing", "only a mistake in the command line")));

check::Formats formats() {
  check::Formats formats;
  formats.json = jsonFile;
  formats.sarif = sarifFile;
  formats.gitlab = gitlabFile;
  formats.html = htmlFile;
  formats.printsGithub = github;
  return formats;
}

} // namespace

check::CheckOptions checkOptions() {
  check::CheckOptions options;
  options.request.paths = {paths.begin(), paths.end()};
  options.request.buildDirectory = databaseDirectory;
  options.request.flags = {argumentsBefore.begin(), argumentsBefore.end()};
  options.checks = checks;
  options.cache = cache;
  options.cacheBytes = uint64_t{cacheSize} << 20;
  options.jobs = jobs;
  options.isEachAlone = isEachAlone;
  options.filesFrom = filesFrom;
  options.diffBase = diffBase;
  options.shard = shard;
  options.formats = formats();
  options.baseline = baseline;
  options.fixing = fixing;
  options.failOn = failOn;
  if (baselineCommand)
    options.newBaseline = outputFile.empty() ? "-" : outputFile.getValue();
  return options;
}

check::MergeOptions mergeOptions() {
  check::MergeOptions options;
  options.files = {findingsFiles.begin(), findingsFiles.end()};
  options.formats = formats();
  options.failOn = failOn;
  options.isReplayed = bool(confirmCommand);
  options.backend = backend;
  return options;
}

check::FactsOptions factsOptions() {
  check::FactsOptions options;
  options.request.paths = {paths.begin(), paths.end()};
  options.request.buildDirectory = databaseDirectory;
  options.request.flags = {argumentsBefore.begin(), argumentsBefore.end()};
  options.output = outputFile;
  options.isBesideObject = isBesideObject;
  return options;
}

check::LinkOptions linkOptions() { return {{objectFiles.begin(), objectFiles.end()}, checks, failOn}; }

template <typename Option> static std::vector<Choice> choicesOf(Option &option) {
  std::vector<Choice> choices;
  choices.reserve(option.getParser().getNumOptions());
  for (unsigned i = 0; i < option.getParser().getNumOptions(); ++i)
    choices.push_back({option.getParser().getOption(i).str(), option.getParser().getDescription(i).str()});
  return choices;
}

std::vector<Choice> choicesOf(StringRef option) {
  if (option == fixing.ArgStr)
    return choicesOf(fixing);
  if (option == failOn.ArgStr)
    return choicesOf(failOn);
  return {};
}

CompdbOptions compdbOptions() { return {databaseDirectory, outputFile}; }

} // namespace samedevice
