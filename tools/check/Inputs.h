// The files that something was made of: as long as they are what they were, it need not be made again.
#pragma once

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/JSON.h"

#include <optional>
#include <string>
#include <vector>

namespace samedevice::check {

struct Input {
  std::string file;
  int64_t size = 0;
  int64_t modified = 0; ///< in nanoseconds; 0 where it was too young to be told from a later change
  std::string digest;
};

llvm::json::Value toJSON(const Input &input);
bool fromJSON(const llvm::json::Value &value, Input &input, llvm::json::Path path);

/// Of texts, in hexadecimal. Where one text ends and the next begins makes a difference.
std::string digestOf(llvm::ArrayRef<std::string> texts);

/// What is on the disk now. Each file is looked at once.
class Disk {
public:
  /// `folder`: where names that are not whole begin.
  std::vector<Input> record(llvm::ArrayRef<std::string> files, llvm::StringRef folder);
  bool hasUnchanged(llvm::ArrayRef<Input> inputs);

private:
  struct File {
    int64_t size = -1; ///< there is none
    int64_t modified = 0;
    std::optional<std::string> digest;
  };
  File &look(const std::string &name);
  const std::string &digestOfFile(const std::string &name);

  llvm::StringMap<File> files_;
};

} // namespace samedevice::check
