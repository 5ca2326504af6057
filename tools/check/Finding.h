// What is known of a source once it has been checked, as a child process hands it to its parent and as it is cached.
#pragma once

#include "llvm/Support/JSON.h"

#include <cstdint>
#include <string>
#include <vector>

namespace samedevice::check {

struct Place {
  std::string file; ///< absolute, without dots
  int offset = 0;
  int line = 0;
  int column = 0; ///< in bytes, from 1

  auto operator<=>(const Place &) const = default;
};

/// Part of the line that a finding is about.
struct Span {
  int begin = 0; ///< columns, the end not included
  int end = 0;

  auto operator<=>(const Span &) const = default;
};

struct Note {
  Place at;
  std::string text;

  auto operator<=>(const Note &) const = default;
};

struct Edit {
  std::string file;
  int offset = 0;
  int length = 0;
  std::string text;

  auto operator<=>(const Edit &) const = default;
};

struct Finding {
  Place at;
  std::string check;
  std::string message;
  bool isError = false; ///< by WarningsAsErrors
  std::vector<Span> spans;
  std::vector<Note> notes;
  std::vector<Edit> edits;

  /// In the order in which they are printed; equal where two sources include one header.
  auto operator<=>(const Finding &) const = default;
};

struct Outcome {
  std::vector<Finding> findings;
  std::vector<Note> givenUp;               ///< functions and classes that were too much for the analysis
  std::vector<Note> errors;                ///< what the front end did not understand
  std::vector<std::string> missingHeaders; ///< as #include spells them
  std::string witnesses;                   ///< the findings once more, as samedevice-replay takes them
  std::string notAnalyzed;                 ///< why there is nothing of all this; empty: there is
};

llvm::json::Value toJSON(const Place &place);
llvm::json::Value toJSON(const Span &span);
llvm::json::Value toJSON(const Note &note);
llvm::json::Value toJSON(const Edit &edit);
llvm::json::Value toJSON(const Finding &finding);
llvm::json::Value toJSON(const Outcome &outcome);
bool fromJSON(const llvm::json::Value &value, Place &place, llvm::json::Path path);
bool fromJSON(const llvm::json::Value &value, Span &span, llvm::json::Path path);
bool fromJSON(const llvm::json::Value &value, Note &note, llvm::json::Path path);
bool fromJSON(const llvm::json::Value &value, Edit &edit, llvm::json::Path path);
bool fromJSON(const llvm::json::Value &value, Finding &finding, llvm::json::Path path);
bool fromJSON(const llvm::json::Value &value, Outcome &outcome, llvm::json::Path path);

} // namespace samedevice::check
