// A folder of what need not be made again. Many processes may use one; what they cannot read they do without.
#pragma once

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

#include <optional>
#include <string>

namespace samedevice::check {

class Cache {
public:
  /// An empty name is no cache: nothing is found, nothing is kept.
  explicit Cache(std::string folder);

  /// The user's own: $XDG_CACHE_HOME/samedevice, ~/.cache/samedevice.
  static std::string usualFolder();

  bool isUsable() const { return !folder_.empty(); }
  /// Why a folder that was asked for is not used.
  const std::string &problem() const { return problem_; }

  std::string pathOf(llvm::StringRef name) const;
  /// An entry that is no JSON is taken away.
  std::optional<llvm::json::Value> read(llvm::StringRef name) const;
  /// What is no JSON, as it is.
  std::optional<std::string> readBytes(llvm::StringRef name) const;
  void write(llvm::StringRef name, const llvm::json::Value &value) const;
  /// All of it or nothing; false where that cannot be.
  bool keep(llvm::StringRef name, llvm::function_ref<void(llvm::raw_ostream &)> print) const;
  /// Why something that was written is not there: a full disk.
  const std::string &lost() const { return lost_; }
  /// Says that the entry was of use.
  void touch(llvm::StringRef name) const;
  /// Takes away what was of no use for the longest time.
  void trimTo(uint64_t bytes) const;

private:
  std::string folder_;
  std::string problem_;
  mutable std::string lost_;
};

} // namespace samedevice::check
