#include "Report.h"

#include "FindingsFile.h"
#include "TextReport.h"
#include "WholeFile.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Process.h"

using namespace llvm;

namespace samedevice::check {

static Error writeTo(const std::string &file, function_ref<void(raw_ostream &)> print) {
  return file.empty() ? Error::success() : writeWhole(file, print);
}

Error report(const Formats &formats, const std::vector<Finding> &findings, const Summary &summary) {
  if (formats.printsText && !is_contained({formats.json, formats.sarif, formats.gitlab, formats.html}, "-")) {
    TextReport text(outs(), sys::Process::StandardOutHasColors());
    for (const Finding &finding : findings)
      text.print(finding);
    if (formats.printsGithub)
      printGithub(findings, outs());
    outs().flush();
  }
  if (Error error = writeTo(formats.json, [&](raw_ostream &out) { printFindingsFile(findings, summary, out); }))
    return error;
  if (Error error = writeTo(formats.sarif, [&](raw_ostream &out) { printSarif(findings, out); }))
    return error;
  if (Error error = writeTo(formats.gitlab, [&](raw_ostream &out) { printGitlab(findings, out); }))
    return error;
  return writeTo(formats.html, [&](raw_ostream &out) { printHtml(findings, summary, out); });
}

ExitStatus exitStatusOf(FailOn failOn, const std::vector<Finding> &findings, bool isIncomplete) {
  const bool hasFound = failOn == FailOn::Errors
                            ? any_of(findings, [](const Finding &finding) { return finding.isError; })
                            : !findings.empty();
  if (hasFound && failOn != FailOn::Nothing)
    return Found;
  return isIncomplete && failOn == FailOn::Anything ? Incomplete : Clean;
}

} // namespace samedevice::check
