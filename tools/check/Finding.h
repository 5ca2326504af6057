// What is known of a source once it has been checked, as a child process hands it to its parent and as it is cached.
#pragma once

#include "llvm/Support/JSON.h"

#include <compare>
#include <cstdint>
#include <optional>
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

/// What came of making it happen.
struct Verdict {
  std::string verdict; ///< confirmed, not reproduced, unsupported
  std::string outcome; ///< the error, or why there is none
  std::string at;      ///< the line of the step that failed
  std::string device;  ///< on what; it says so where that is simulated
  bool isSimulated = false;
  std::optional<bool> isResolved; ///< by the fix, where there is one
};

/// In one line.
std::string inWords(const Verdict &verdict);

/// What is known of a finding and does not tell it from another: the same one may have come about in two ways.
struct Evidence {
  llvm::json::Object witness; ///< for samedevice-replay (docs/witness-format.md): devices, fix, witness, ...
  std::optional<Verdict> verdict;

  std::strong_ordering operator<=>(const Evidence &) const { return std::strong_ordering::equal; }
  bool operator==(const Evidence &) const { return true; }
};

struct Finding {
  Place at;
  std::string check;
  std::string message;
  bool isError = false; ///< by WarningsAsErrors
  std::vector<Span> spans;
  std::vector<Note> notes;
  std::vector<Edit> edits;
  Evidence evidence;

  /// In the order in which they are printed; equal where two sources include one header.
  auto operator<=>(const Finding &) const = default;
};

/// In the order in which they are printed, each once.
void sortOnce(std::vector<Finding> &findings);

struct Outcome {
  std::vector<Finding> findings;
  std::vector<Note> givenUp;               ///< functions and classes that were too much for the analysis
  std::vector<Note> errors;                ///< what the front end did not understand
  std::vector<std::string> missingHeaders; ///< as #include spells them
  std::string cacheProblem;                ///< why not all of it could be kept
  std::string notAnalyzed;                 ///< why there is nothing of all this; empty: there is
};

llvm::json::Value toJSON(const Place &place);
llvm::json::Value toJSON(const Span &span);
llvm::json::Value toJSON(const Note &note);
llvm::json::Value toJSON(const Edit &edit);
llvm::json::Value toJSON(const Verdict &verdict);
llvm::json::Value toJSON(const Finding &finding);
llvm::json::Value toJSON(const Outcome &outcome);
bool fromJSON(const llvm::json::Value &value, Place &place, llvm::json::Path path);
bool fromJSON(const llvm::json::Value &value, Span &span, llvm::json::Path path);
bool fromJSON(const llvm::json::Value &value, Note &note, llvm::json::Path path);
bool fromJSON(const llvm::json::Value &value, Edit &edit, llvm::json::Path path);
bool fromJSON(const llvm::json::Value &value, Verdict &verdict, llvm::json::Path path);
bool fromJSON(const llvm::json::Value &value, Finding &finding, llvm::json::Path path);
bool fromJSON(const llvm::json::Value &value, Outcome &outcome, llvm::json::Path path);

} // namespace samedevice::check
