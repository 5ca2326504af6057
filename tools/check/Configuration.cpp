#include "Configuration.h"

#include "clang-tidy/ClangTidy.h"
#include "clang-tidy/ClangTidyModule.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/SourceMgr.h"

using namespace llvm;
using namespace clang::tidy;

namespace samedevice::check {

namespace {

class Files : public FileOptionsProvider {
public:
  template <typename Parse>
  Files(const ClangTidyOptions &defaults, const ClangTidyOptions &asked, Parse parse)
      : FileOptionsProvider({}, defaults, asked, ConfigFileHandlers{{".clang-tidy", parse}}) {
    FS = vfs::getRealFileSystem(); // who brings a parser has to bring this as well
  }
};

} // namespace

/// Matches every header, and is unlike what anybody would write.
static constexpr const char *kNoFilter = "(.*)";

Configuration::Configuration(StringRef checks) {
  ClangTidyOptions defaults, asked;
  defaults.Checks = "device-*";
  // What was too much for the analysis belongs into the summary.
  defaults.CheckOptions["DeviceRemarks"] = "true";
  defaults.HeaderFilterRegex = kNoFilter;
  if (!checks.empty())
    asked.Checks = checks.str();
  provider_ = std::make_unique<Files>(defaults, asked, [this](MemoryBufferRef text) { return parse(text); });
}

Configuration::~Configuration() = default;

ClangTidyOptions Configuration::of(StringRef file) {
  ClangTidyOptions options = ClangTidyOptions::getDefaults().merge(provider_->getOptions(file), 0);
  // Others are not in this program, but for those that are Clang's own.
  options.Checks = options.Checks.value_or("") + ",-clang-*";
  return options;
}

bool filtersHeaders(const ClangTidyOptions &options) { return options.HeaderFilterRegex != kNoFilter; }

bool hasChecks(const ClangTidyOptions &options) {
  return !getCheckNames(options, /*AllowEnablingAnalyzerAlphaCheckers=*/false).empty();
}

ErrorOr<ClangTidyOptions> Configuration::parse(MemoryBufferRef text) {
  return parseConfigurationWithDiags(text, [this](const SMDiagnostic &diagnostic) {
    const std::string problem = (diagnostic.getFilename() + ":" + Twine(diagnostic.getLineNo()) + ":" +
                                 Twine(diagnostic.getColumnNo() + 1) + ": " + diagnostic.getMessage())
                                    .str();
    if (!is_contained(problems_, problem))
      problems_.push_back(problem);
  });
}

} // namespace samedevice::check
