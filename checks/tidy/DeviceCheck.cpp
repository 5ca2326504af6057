#include "DeviceCheck.h"

#include "FindingsFile.h"
#include "Fixes.h"
#include "Names.h"
#include "Words.h"

#include "clang/ASTMatchers/ASTMatchers.h"
#include "llvm/Support/Regex.h"

#include <set>

namespace samedevice::tidy {
using namespace clang;
using analysis::Event;
using analysis::Finding;
using analysis::Note;

namespace {

/// Options are shared by all checks, so they are looked up as global ones: `DeviceModuleBases`, not
/// `device-host-access.DeviceModuleBases` (which works, too).
struct OptionName {
  const char *name;
  std::vector<std::string> clangfront::LoweringOptions::*list;
};
constexpr OptionName kOptions[] = {
    {"DeviceModuleBases", &clangfront::LoweringOptions::moduleBases},
    {"DeviceTensorTypes", &clangfront::LoweringOptions::tensorTypes},
    {"DeviceHostFunctions", &clangfront::LoweringOptions::hostFunctions},
    {"DeviceDeviceFunctions", &clangfront::LoweringOptions::deviceFunctions},
    {"DeviceCheckMacros", &clangfront::LoweringOptions::checkMacros},
    {"DeviceGuardTypes", &clangfront::LoweringOptions::guardTypes},
    {"DeviceGuardMacros", &clangfront::LoweringOptions::guardMacros},
    {"DeviceAnnotations", &clangfront::LoweringOptions::annotations},
};

constexpr const char *kFindingsOption = "DeviceFindings";
constexpr const char *kRemarksOption = "DeviceRemarks";

std::vector<std::string> splitList(llvm::StringRef text) {
  std::vector<std::string> items;
  llvm::SmallVector<llvm::StringRef> parts;
  text.split(parts, ';', -1, false);
  for (llvm::StringRef part : parts)
    if (!part.trim().empty())
      items.push_back(part.trim().str());
  return items;
}

std::string joinList(const std::vector<std::string> &items) {
  std::string text;
  for (const std::string &item : items)
    text += (text.empty() ? "" : ";") + item;
  return text;
}

/// Headers count only when the header filter lets them through.
bool isOfUserCode(SourceLocation location, const SourceManager &sources, const clang::tidy::ClangTidyContext &tidy) {
  if (sources.isInMainFile(location))
    return true;
  const std::string filter = tidy.getOptions().HeaderFilterRegex.value_or("");
  return !filter.empty() && llvm::Regex(filter).match(sources.getFilename(location));
}

} // namespace

DeviceCheck::DeviceCheck(llvm::StringRef name, clang::tidy::ClangTidyContext *context, analysis::Check check)
    : ClangTidyCheck(name, context), check_(check), tidy_(*context),
      findingsOption_(Options.getLocalOrGlobal(kFindingsOption, "")),
      remarksOption_(Options.getLocalOrGlobal(kRemarksOption, "false") == "true") {
  for (const OptionName &option : kOptions)
    options_.*option.list = splitList(Options.getLocalOrGlobal(option.name, ""));
}

void DeviceCheck::storeOptions(clang::tidy::ClangTidyOptions::OptionMap &options) {
  for (const OptionName &option : kOptions)
    Options.store(options, option.name, joinList(options_.*option.list));
  Options.store(options, kFindingsOption, findingsOption_);
  Options.store(options, kRemarksOption, remarksOption_ ? "true" : "false");
}

void DeviceCheck::registerMatchers(ast_matchers::MatchFinder *finder) {
  finder->addMatcher(ast_matchers::translationUnitDecl(), this);
}

void DeviceCheck::check(const ast_matchers::MatchFinder::MatchResult &result) {
  const std::string findingsPath = FindingsFile::place(findingsOption_);
  analysis_ = TuAnalysis::of(*result.Context, options_, !findingsPath.empty());
  const SourceManager &sources = *result.SourceManager;
  SourceText source(*result.Context, analysis_->lowered);
  FindingsFile file(findingsPath, source, sources);
  for (const Finding &finding : analysis_->result.findings) {
    if (finding.check != check_ || source.location(finding.at).isInvalid())
      continue;
    const std::string warning = message(finding, source);
    const Fixes fixes = fixesFor(finding, source, *result.Context);
    if (say(finding, warning, fixes, source, *result.Context) && !findingsPath.empty())
      file.add(finding, checkName(check_), warning, !fixes.empty());
  }
  file.append();
  if (remarksOption_ && analysis_->saysRemarks())
    for (const analysis::Remark &remark : analysis_->result.remarks)
      diag(source.location(remark.at), "%0", DiagnosticIDs::Remark) << remark.text;
}

/// What is offered with a note, for `--fix-notes` and editors.
static Fixes alternativeAt(analysis::SourceId note, const Finding &finding, const SourceText &source,
                           ASTContext &context) {
  for (const analysis::Alternative &alternative : finding.alternatives)
    if (alternative.note == note) {
      Finding other = finding;
      other.fix = alternative.fix;
      return fixesFor(other, source, context);
    }
  return {};
}

bool DeviceCheck::say(const Finding &finding, const std::string &text, const Fixes &fixes, const SourceText &source,
                      ASTContext &context) {
  const SourceLocation location = source.location(finding.at);
  const unsigned silencedBefore = tidy_.getStats().ErrorsIgnoredNOLINT;
  {
    auto warning = diag(location, "%0") << text;
    if (const clangfront::SourceEntry *at = source.entry(finding.at); at->range.getBegin().isFileID())
      warning << at->range;
    for (const FixItHint &fix : fixes)
      warning << fix;
  }
  std::set<SourceLocation> repeated{location}; // a template's instances say the same
  for (const Note &told : finding.notes) {
    std::string text = note(told, finding, source);
    SourceLocation where = source.location(told.at);
    if (text.empty() || !where.isValid() || (told.kind == Event::Kept && !repeated.insert(where).second))
      continue;
    const Fixes instead = alternativeAt(told.at, finding, source, context);
    auto said = diag(where, "%0", DiagnosticIDs::Note)
                << text + (instead.empty() ? "" : "; it can be mended here, too");
    for (const FixItHint &fix : instead)
      said << fix;
  }
  return tidy_.getStats().ErrorsIgnoredNOLINT == silencedBefore &&
         isOfUserCode(location, context.getSourceManager(), tidy_);
}

std::string DeviceCheck::note(const Note &note, const Finding &finding, const SourceText &source) const {
  const std::string name = source.name(note.kind == Event::ModuleCreated ? note.at : note.subject);
  switch (note.kind) {
  case Event::CreatedByDefault:
    return quoted(name, "the tensor") + " is made here without a device, so on cpu";
  case Event::CreatedOn:
    return quoted(name, "the tensor") + " is made here, " + on(note.device);
  case Event::Batch:
    return quoted(name, "the batch") + " comes from a DataLoader, which hands out batches on cpu";
  case Event::ModuleCreated:
    return quoted(name, "the module") + " is made here, on cpu";
  case Event::Moved:
  case Event::ModuleMoved:
    return quoted(name, note.kind == Event::Moved ? "the tensor" : "the module") + " is moved here" +
           (note.device.kind == analysis::Where::Unsaid ? "" : ", to " + place(note.device));
  case Event::Registered:
    return quoted(name, "the module") + " is registered here";
  case Event::Loaded:
    return quoted(name, "it") + " is loaded here";
  case Event::PointerTaken:
    return "the pointer to " + quoted(name, "its memory") + " is taken here";
  case Event::Wrapped:
    return "host memory is wrapped here";
  case Event::Allocated:
    return "the memory is allocated here";
  case Event::CopiedAsync:
    return "the copy is started here, and nothing waits for its end";
  case Event::OptimizerBuilt:
    return "the optimizer takes its parameters here";
  case Event::OptimizerStepped:
    return "the optimizer makes its state here, where the parameters are";
  case Event::Computed: {
    // The message may be about what stands on its own line only: here both have names.
    const std::string met = source.name(note.other), what = name.empty() ? source.name(finding.subject) : name;
    const bool isConflict = finding.otherDevice.kind != analysis::Where::Unsaid || !finding.otherDevice.name.empty();
    const std::string outcome = !isConflict                   ? ""
                                : finding.variant == "kernel" ? ": the kernel gets memory of two GPUs"
                                                              : throwsHere(finding);
    if (met.empty() || met == what)
      return quoted(what, "it") + " is used here" + outcome;
    return quoted(what, "it") + " meets '" + met + "' here" + outcome;
  }
  case Event::Called:
    return name.empty() ? quoted(source.callee(note.at), "it") + " is called here" : "'" + name + "' calls it here";
  case Event::Returned:
    return quoted(name, "a function") + " returns it here";
  default:
    return {};
  }
}

} // namespace samedevice::tidy
