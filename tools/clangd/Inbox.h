// What clangd reads from the editor, with messages of our own between the editor's.
#pragma once

#include "llvm/ADT/StringRef.h"

#include <cstdio>
#include <mutex>
#include <string>
#include <sys/types.h>

namespace samedevice::clangd {

/// Two senders, one reader: a message is handed on when it has come as a whole, so that none is put into another.
class Inbox {
public:
  explicit Inbox(std::FILE *editor);
  Inbox(const Inbox &) = delete;
  Inbox &operator=(const Inbox &) = delete;

  /// To be read in the editor's place.
  std::FILE *stream() { return stream_; }
  /// A message of ours, from any thread.
  void post(llvm::StringRef json);

private:
  ssize_t read(char *to, std::size_t most);
  bool takeMessage();
  /// Returns false where a signal interrupts it.
  bool waitForMore();

  int editor_, wakeUp_[2] = {-1, -1};
  std::FILE *stream_ = nullptr;
  std::string coming_;    ///< from the editor, not yet a whole message
  std::string message_;   ///< the one that is being read
  std::size_t taken_ = 0; ///< of it
  bool hasEnded_ = false; ///< the editor says no more
  std::mutex mutex_;
  std::string posted_;
};

} // namespace samedevice::clangd
