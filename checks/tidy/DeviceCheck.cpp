#include "DeviceCheck.h"

#include "FindingsFile.h"
#include "Fixes.h"
#include "OtherUnits.h"

#include "../report/Messages.h"

#include "clang/ASTMatchers/ASTMatchers.h"
#include "clang/Lex/Preprocessor.h"
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
constexpr const char *kFactsOption = "DeviceFacts";

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

bool isOff(analysis::Check check, llvm::StringRef globs) {
  llvm::SmallVector<llvm::StringRef> items;
  globs.split(items, ',', -1, false);
  return analysis::isByName(check) &&
         llvm::none_of(items, [&](llvm::StringRef item) { return item.trim() == report::checkName(check); });
}

DeviceCheck::DeviceCheck(llvm::StringRef name, clang::tidy::ClangTidyContext *context, analysis::Check check)
    : ClangTidyCheck(name, context), check_(check), tidy_(*context),
      isOff_(isOff(check, context->getOptions().Checks.value_or(""))),
      findingsOption_(Options.getLocalOrGlobal(kFindingsOption, "")),
      factsOption_(Options.getLocalOrGlobal(kFactsOption, "")),
      remarksOption_(Options.getLocalOrGlobal(kRemarksOption, "false") == "true") {
  for (const OptionName &option : kOptions)
    options_.*option.list = splitList(Options.getLocalOrGlobal(option.name, ""));
}

void DeviceCheck::storeOptions(clang::tidy::ClangTidyOptions::OptionMap &options) {
  for (const OptionName &option : kOptions)
    Options.store(options, option.name, joinList(options_.*option.list));
  Options.store(options, kFindingsOption, findingsOption_);
  Options.store(options, kFactsOption, factsOption_);
  Options.store(options, kRemarksOption, remarksOption_ ? "true" : "false");
}

void DeviceCheck::registerPPCallbacks(const SourceManager &, Preprocessor *preprocessor, Preprocessor *) {
  errors_ = clangfront::Errors::of(preprocessor->getDiagnostics());
}

void DeviceCheck::registerMatchers(ast_matchers::MatchFinder *finder) {
  finder->addMatcher(ast_matchers::translationUnitDecl(), this);
}

/// What a check that is off tells all the same: this program itself has made another stream current.
static bool isCertain(const Finding &finding) { return !finding.variant.empty(); }

/// A fix is made in this file, of what can be seen in it.
static bool isInSight(const analysis::Fix &fix, const SourceText &source) {
  auto isFar = [&](facts::SourceId id) { return source.elsewhere(id) != nullptr; };
  return !isFar(fix.at) && !isFar(fix.subject) && !isFar(fix.device) && !isFar(fix.module) &&
         llvm::none_of(fix.homes, [&](const analysis::Home &home) { return isFar(home.source); }) &&
         llvm::none_of(fix.sisters, isFar);
}

void DeviceCheck::check(const ast_matchers::MatchFinder::MatchResult &result) {
  const std::string findingsPath = FindingsFile::place(findingsOption_);
  if (errors_)
    errors_->stop(); // what comes now is what we say ourselves
  analysis_ = TuAnalysis::of(*result.Context, options_, !findingsPath.empty(), FactsPlace::of(factsOption_));
  const SourceManager &sources = *result.SourceManager;
  std::set<facts::SourceId> told; // several programs may share the file, and the mistake
  for (const std::unique_ptr<Analyzed> &program : analysis_->programs) {
    SourceText source(*result.Context, analysis_->lowered, *program->program, program->sourcesBefore);
    FindingsFile file(findingsPath, source, sources);
    for (const Finding &finding : program->result.findings) {
      if (finding.check != check_ || source.elsewhere(finding.at) || source.location(finding.at).isInvalid() ||
          (isOff_ && !isCertain(finding)) || !told.insert(finding.at).second)
        continue;
      const std::string warning = report::message(finding, source);
      const Fixes fixes = isInSight(finding.fix, source) ? fixesFor(finding, source, *result.Context) : Fixes();
      if (say(finding, warning, fixes, source, *result.Context) && !findingsPath.empty())
        file.add(finding, report::checkName(check_), warning, !fixes.empty());
    }
    file.append();
  }
  if (!remarksOption_ || !analysis_->saysRemarks())
    return;
  for (const std::unique_ptr<Analyzed> &program : analysis_->programs) {
    const SourceText source(*result.Context, analysis_->lowered, *program->program, program->sourcesBefore);
    for (const analysis::Remark &remark : program->result.remarks)
      if (!source.elsewhere(remark.at))
        diag(source.location(remark.at), "%0", DiagnosticIDs::Remark) << remark.text;
  }
}

/// What is offered with a note, for `--fix-notes` and editors.
static Fixes alternativeAt(analysis::SourceId note, const Finding &finding, const SourceText &source,
                           ASTContext &context) {
  for (const analysis::Alternative &alternative : finding.alternatives)
    if (alternative.note == note && isInSight(alternative.fix, source)) {
      Finding other = finding;
      other.fix = alternative.fix;
      return fixesFor(other, source, context);
    }
  return {};
}

bool DeviceCheck::isInClangd = false;

static bool isInclude(const FixItHint &fix) {
  return llvm::StringRef(fix.CodeToInsert).ltrim().starts_with("#include");
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
      if (!included_.contains(fix.RemoveRange.getBegin()))
        warning << fix;
  }
  const bool isSaid = tidy_.getStats().ErrorsIgnoredNOLINT == silencedBefore;
  for (const FixItHint &fix : fixes) // clang-tidy applies them all together, an editor one by one
    if (isSaid && !isInClangd && isInclude(fix))
      included_.insert(fix.RemoveRange.getBegin());
  std::set<SourceLocation> repeated{location}; // a template's instances say the same
  for (const Note &told : finding.notes) {
    std::string text = report::note(told, finding, source);
    SourceLocation where = source.location(told.at);
    if (text.empty() || !where.isValid() || (told.kind == Event::Kept && !repeated.insert(where).second))
      continue;
    const Fixes instead = alternativeAt(told.at, finding, source, context);
    if (isInClangd && !instead.empty()) {
      diag(where, "%0", DiagnosticIDs::Note) << text;
      text = "mend line " + std::to_string(context.getSourceManager().getExpansionLineNumber(where)) + " instead";
    } else if (!instead.empty()) {
      text += "; it can be mended here, too";
    }
    auto said = diag(where, "%0", DiagnosticIDs::Note) << text;
    for (const FixItHint &fix : instead)
      said << fix;
  }
  return isSaid && isOfUserCode(location, context.getSourceManager(), tidy_);
}

} // namespace samedevice::tidy
