#include "FactsCommand.h"

#include "Analysis.h"
#include "CheckCommand.h"
#include "Configuration.h"
#include "SourceLines.h"
#include "TextReport.h"

#include "analysis/Findings.h"
#include "facts/Link.h"
#include "facts/Object.h"
#include "facts/Programs.h"
#include "facts/Text.h"
#include "report/Messages.h"
#include "tidy/DeviceCheck.h"
#include "tidy/OtherUnits.h"

#include "clang-tidy/GlobList.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/WithColor.h"

#include <deque>

using namespace llvm;

namespace samedevice::check {

/// What the compiler is told to make.
static std::string objectIn(const std::vector<std::string> &flags) {
  auto output = find(flags, "-o");
  return flags.end() - output >= 2 ? *std::next(output) : std::string();
}

static int runFactsBesideObject(FactsOptions options) {
  const std::string object = objectIn(options.request.flags);
  options.output = object + ".facts";
  options.isBesideObject = false;
  if (object.empty() || runFacts(options) == Clean)
    return object.empty() ? Usage : Clean;
  static_cast<void>(sys::fs::remove(options.output)); // what was known before may not be so any more
  return Clean;
}

int runFacts(const FactsOptions &options) {
  if (options.isBesideObject)
    return runFactsBesideObject(options);
  auto fail = [](const Twine &why, int status) {
    WithColor::error(errs(), "samedevice facts") << why << '\n';
    return status;
  };
  Expected<Sources> sources = findSources(options.request);
  if (!sources)
    return fail(toString(sources.takeError()), Usage);
  if (sources->list.empty() || (sources->list.size() > 1 && !options.output.empty()))
    return fail(sources->list.empty() ? "there is no such source" : "-o is for one source", Usage);
  Configuration configuration("-*,device-*");
  for (const Source &source : sources->list) {
    std::string object, text;
    tidy::OtherUnits::ofThisProcess().record = [&](const facts::Program &program, const analysis::Result &) {
      object = facts::write(program);
      text = facts::print(program);
    };
    const Analysis analysis = analyze(source, configuration.of(source.file), nullptr);
    if (object.empty())
      return fail(source.file + ": " +
                      (analysis.outcome.notAnalyzed.empty() ? "nothing is known of it" : analysis.outcome.notAnalyzed),
                  Incomplete);
    if (options.output.empty())
      outs() << text;
    else if (Error error = writeToOutput(options.output, [&](raw_ostream &out) {
               out << object;
               return Error::success();
             }))
      return fail(toString(std::move(error)), Incomplete);
    for (const Note &error : analysis.outcome.errors)
      errs() << error.at.file << ':' << error.at.line << ':' << error.at.column << ": error: " << error.text << '\n';
  }
  return Clean;
}

namespace {

Place placeOf(const facts::Program &program, facts::SourceId id) {
  Place place;
  if (id >= program.sources.size() || program.sources[id].file >= program.files.size())
    return place;
  const facts::Source &at = program.sources[id];
  place.file = program.files[at.file];
  place.line = static_cast<int>(at.line);
  place.column = static_cast<int>(at.column);
  return place;
}

/// What the user's .clang-tidy and NOLINT say of findings, where clang-tidy itself has no part in it.
class Wishes {
public:
  explicit Wishes(StringRef checks) : configuration_(checks) {}

  /// Whether it is to be told; if so, it becomes an error where it is to be one.
  bool want(Finding &finding, analysis::Check check) {
    const clang::tidy::ClangTidyOptions &options = optionsOf(finding.at.file);
    if (tidy::isOff(check, options.Checks.value_or("")))
      return false;
    finding.isError = clang::tidy::GlobList(options.WarningsAsErrors.value_or("")).contains(finding.check);
    return clang::tidy::GlobList(options.Checks.value_or("")).contains(finding.check) && !isSilenced(finding);
  }

private:
  const clang::tidy::ClangTidyOptions &optionsOf(const std::string &file) {
    auto [known, isNew] = options_.try_emplace(sys::path::parent_path(file));
    if (isNew)
      known->second = configuration_.of(file);
    return known->second;
  }

  bool isSilenced(const Finding &finding) {
    Place before = finding.at;
    --before.line;
    return says(lines_.at(finding.at), "NOLINT", finding.check) ||
           says(lines_.at(before), "NOLINTNEXTLINE", finding.check);
  }

  /// `NOLINT`, `NOLINT(device-*, other)`; a longer word is another one.
  static bool says(StringRef line, StringRef word, StringRef check) {
    const size_t at = line.find(word);
    if (at == StringRef::npos)
      return false;
    StringRef rest = line.drop_front(at + word.size());
    if (!rest.consume_front("("))
      return rest.empty() || !isAlpha(rest.front());
    return clang::tidy::GlobList(rest.take_until([](char c) { return c == ')'; })).contains(check);
  }

  Configuration configuration_;
  StringMap<clang::tidy::ClangTidyOptions> options_; ///< by folder
  SourceLines lines_;
};

Finding told(const analysis::Finding &found, const facts::Program &program) {
  const report::NamesOfFacts names(program);
  Finding finding;
  finding.at = placeOf(program, found.at);
  finding.check = report::checkName(found.check);
  finding.message = report::message(found, names);
  for (const analysis::Note &note : found.notes)
    if (std::string text = report::note(note, found, names); !text.empty() && note.at)
      finding.notes.push_back({placeOf(program, note.at), std::move(text)});
  return finding;
}

} // namespace

int runLink(const LinkOptions &options) {
  bool isIncomplete = false;
  std::deque<facts::Program> objects;
  for (const std::string &file : options.objects) {
    auto buffer = MemoryBuffer::getFile(file);
    std::string fault = buffer ? std::string() : buffer.getError().message();
    std::optional<facts::Program> object = buffer ? facts::read((*buffer)->getBuffer().str(), fault) : std::nullopt;
    if (object) {
      objects.push_back(std::move(*object));
      continue;
    }
    WithColor::error(errs(), "samedevice link") << file << ": " << fault << '\n';
    isIncomplete = true;
  }
  std::vector<const facts::Program *> units;
  units.reserve(objects.size());
  for (const facts::Program &object : objects)
    units.push_back(&object);
  // However they were named, and in which order: they are the same programs.
  llvm::stable_sort(units,
                    [](const facts::Program *one, const facts::Program *other) { return one->files < other->files; });
  std::vector<Finding> findings;
  Wishes wishes(options.checks);
  for (const std::vector<std::size_t> &together : facts::programsAmong(units)) {
    const facts::Program program = facts::link(units, together);
    for (const analysis::Finding &found :
         analysis::analyze(program, analysis::Limits::ofFiles(together.size())).findings)
      if (Finding finding = told(found, program); wishes.want(finding, found.check))
        findings.push_back(std::move(finding));
  }
  sortOnce(findings);
  TextReport text(outs(), sys::Process::StandardOutHasColors());
  for (const Finding &finding : findings)
    text.print(finding);
  return exitStatusOf(options.failOn, findings, isIncomplete);
}

} // namespace samedevice::check
