#include "Inbox.h"

#include "llvm/ADT/StringExtras.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <poll.h>
#include <unistd.h>
#include <utility>

namespace samedevice::clangd {

/// Of the first message in a text, with its header; 0 while it is not all there.
static std::size_t lengthOfFirst(llvm::StringRef text) {
  constexpr llvm::StringRef kEnd = "\r\n\r\n";
  const std::size_t headerEnds = text.find(kEnd);
  if (headerEnds == llvm::StringRef::npos)
    return 0;
  std::size_t length = 0;
  for (llvm::StringRef line : llvm::split(text.take_front(headerEnds), "\r\n"))
    if (line.consume_front_insensitive("content-length:"))
      line.trim().getAsInteger(10, length);
  const std::size_t ends = headerEnds + kEnd.size() + length;
  return ends <= text.size() ? ends : 0;
}

Inbox::Inbox(std::FILE *editor) : editor_(fileno(editor)) {
  cookie_io_functions_t functions{};
  functions.read = [](void *inbox, char *to, std::size_t most) { return static_cast<Inbox *>(inbox)->read(to, most); };
  if (pipe(wakeUp_) == 0)
    stream_ = fopencookie(this, "r", functions);
}

void Inbox::post(llvm::StringRef json) {
  {
    std::lock_guard<std::mutex> lock(mutex_);
    posted_ += ("Content-Length: " + llvm::Twine(json.size()) + "\r\n\r\n" + json).str();
  }
  while (write(wakeUp_[1], "", 1) < 0 && errno == EINTR)
    ;
}

bool Inbox::takeMessage() {
  taken_ = 0;
  {
    std::lock_guard<std::mutex> lock(mutex_);
    message_ = std::exchange(posted_, {});
  }
  if (message_.empty()) {
    // What is left in the end is no message, which clangd is to judge.
    const std::size_t length = hasEnded_ ? coming_.size() : lengthOfFirst(coming_);
    message_ = coming_.substr(0, length);
    coming_.erase(0, length);
  }
  return !message_.empty();
}

bool Inbox::waitForMore() {
  pollfd either[] = {{editor_, POLLIN, 0}, {wakeUp_[0], POLLIN, 0}};
  if (poll(either, 2, -1) < 0)
    return false;
  char part[1 << 16];
  if (either[1].revents != 0 && ::read(wakeUp_[0], part, sizeof part) < 0)
    return false;
  if (either[0].revents == 0)
    return true;
  const ssize_t size = ::read(editor_, part, sizeof part);
  if (size > 0)
    coming_.append(part, static_cast<std::size_t>(size));
  hasEnded_ = size == 0;
  return size >= 0;
}

ssize_t Inbox::read(char *to, std::size_t most) {
  while (taken_ == message_.size() && !takeMessage()) {
    if (hasEnded_)
      return 0;
    if (!waitForMore())
      return -1; // clangd asks again, unless it is to end
  }
  const std::size_t size = std::min(most, message_.size() - taken_);
  std::memcpy(to, message_.data() + taken_, size);
  taken_ += size;
  return static_cast<ssize_t>(size);
}

} // namespace samedevice::clangd
