// What was found, in every form in which somebody reads it.
#pragma once

#include "Finding.h"
#include "Summary.h"

#include "llvm/Support/Error.h"
#include "llvm/Support/raw_ostream.h"

namespace samedevice::check {

/// SARIF 2.1.0, for GitHub's code scanning and others.
void printSarif(const std::vector<Finding> &findings, llvm::raw_ostream &out);

/// Workflow commands: GitHub shows them at the lines of a pull request.
void printGithub(const std::vector<Finding> &findings, llvm::raw_ostream &out);

/// GitLab's Code Quality.
void printGitlab(const std::vector<Finding> &findings, llvm::raw_ostream &out);

/// A page of its own: the findings, where they are, and a picture of each one's story.
void printHtml(const std::vector<Finding> &findings, const Summary &summary, llvm::raw_ostream &out);

/// Which of them are asked for. Names of files; "-" is standard output, in place of the text.
struct Formats {
  std::string json, sarif, gitlab, html;
  bool printsGithub = false;
  bool printsText = true;
};

llvm::Error report(const Formats &formats, const std::vector<Finding> &findings, const Summary &summary);

enum class FailOn { Anything, Findings, Errors, Nothing };
enum ExitStatus { Clean = 0, Found = 1, Usage = 2, Incomplete = 3 };

ExitStatus exitStatusOf(FailOn failOn, const std::vector<Finding> &findings, bool isIncomplete);

} // namespace samedevice::check
