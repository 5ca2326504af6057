// The headers of libraries, precompiled once for all sources that include the same of them.
#pragma once

#include "Cache.h"
#include "Inputs.h"

#include "clang/Frontend/CompilerInvocation.h"

namespace clang {
class FileManager;
}

namespace samedevice::check {

/// What can be told of precompiled headers without having them at hand.
struct PrecompiledRecord {
  std::string text;     ///< what is precompiled, for who looks into the cache
  std::string digest;   ///< of all that they were made of
  std::string file;     ///< in the cache; empty: these headers do not compile by themselves
  std::string checksum; ///< of that file
  std::vector<Input> inputs;
};

llvm::json::Value toJSON(const PrecompiledRecord &record);
bool fromJSON(const llvm::json::Value &value, PrecompiledRecord &record, llvm::json::Path path);

class PrecompiledHeaders {
public:
  PrecompiledHeaders(const Cache &cache, Disk &disk) : cache_(cache), disk_(disk) {}

  struct Use {
    std::string key;
    std::string digest;
    bool isSure = false; ///< the source's own includes would have come to the same
  };
  /// Has `invocation` use precompiled headers, and makes them before where nobody has. Without a key: it uses none.
  Use addTo(clang::CompilerInvocation &invocation, clang::FileManager &files);

  /// Whether what was made with these headers would be made with them again.
  bool isCurrent(llvm::StringRef key, llvm::StringRef digest);

private:
  std::optional<PrecompiledRecord> find(llvm::StringRef key);
  std::optional<PrecompiledRecord> make(llvm::StringRef key, const std::string &text,
                                        const clang::CompilerInvocation &invocation, clang::FileManager &files);

  const Cache &cache_;
  Disk &disk_;
  llvm::StringMap<std::optional<std::string>> currentDigests_;
};

} // namespace samedevice::check
