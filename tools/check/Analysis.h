// One source through Clang and the checks, as clang-tidy does it, but for what only costs time.
#pragma once

#include "Finding.h"
#include "PrecompiledHeaders.h"
#include "Source.h"

#include "clang-tidy/ClangTidyOptions.h"

namespace samedevice::check {

struct Analysis {
  Outcome outcome;
  std::vector<std::string> filesRead; ///< without those of the precompiled headers
  PrecompiledHeaders::Use headers;
  bool usesHeaders = false; ///< headers that are known not to compile by themselves are not used
};

/// In this process: where Clang crashes, it does. `headers`: none where nothing is to be kept.
Analysis analyze(const Source &source, const clang::tidy::ClangTidyOptions &options, PrecompiledHeaders *headers);

/// Clang's own headers, beside the library that this program is linked to.
std::string clangResources();

} // namespace samedevice::check
