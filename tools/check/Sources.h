// Which sources are to be checked, and with which commands.
#pragma once

#include "Source.h"

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

namespace samedevice::check {

struct Request {
  std::vector<std::string> paths; ///< files and directories; empty: everything
  std::string buildDirectory;     ///< of -p
  std::vector<std::string> flags; ///< behind --
  bool hasFlags = false;
  std::string executable; ///< our own: headers that Clang lacks are beside it
};

struct Sources {
  std::vector<Source> list;
  std::vector<Source> others;       ///< of the same project, and not asked for
  std::string buildDirectory;       ///< where the database is; empty without one
  std::vector<std::string> remarks; ///< a line each, for the user
  std::vector<std::string> absent;  ///< asked for, and not there
  std::vector<std::string> places;  ///< what was asked for: files, and folders with the headers below them

  /// Whether the user wants to hear of a header, where .clang-tidy says nothing of it.
  bool include(llvm::StringRef file) const;
};

llvm::Expected<Sources> findSources(const Request &request);

/// Whether a file is one of `paths`, or below one; true where there are none.
bool isBelowAny(llvm::StringRef file, const std::vector<std::string> &paths);

/// By the name's ending.
bool isSourceFile(llvm::StringRef file);
bool isHeaderFile(llvm::StringRef file);
bool isCudaFile(llvm::StringRef file);

} // namespace samedevice::check
