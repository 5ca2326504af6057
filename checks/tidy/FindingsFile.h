// The findings file that samedevice-replay reads (docs/witness-format.md), as one translation unit adds to it.
#pragma once

#include "SourceText.h"

#include "llvm/Support/JSON.h"

namespace samedevice::tidy {

class FindingsFile {
public:
  /// Where findings go: the environment has the first word, then the option. Empty: nowhere.
  static std::string place(llvm::StringRef option);

  FindingsFile(std::string path, const SourceText &source, const clang::SourceManager &sources)
      : path_(std::move(path)), source_(source), sources_(sources) {}

  void add(const analysis::Finding &finding, llvm::StringRef check, llvm::StringRef message, bool hasFix);
  /// Appends what was added, in one go: other processes may be doing the same.
  void append();

private:
  struct Position {
    std::string file;
    unsigned line = 0, column = 0;
  };
  Position position(facts::SourceId id) const;
  void write(llvm::json::OStream &out, const std::vector<analysis::Step> &steps, const std::string &file) const;

  const std::string path_;
  const SourceText &source_;
  const clang::SourceManager &sources_;
  std::string text_; ///< what was added, as JSON
};

} // namespace samedevice::tidy
