// Memory that is mapped twice: once at the addresses programs see, with whatever access the host is to have,
// and once more, always readable, for the "kernels" of a simulated GPU.
#pragma once

#include <cstddef>
#include <map>
#include <mutex>

namespace samedevice::runtime {

enum class HostAccess { None, Read, ReadWrite };

class Arena {
public:
  /// `capacity` bytes of addresses; pages are used only once they are touched.
  Arena(std::size_t capacity, HostAccess access);
  ~Arena();
  Arena(const Arena &) = delete;
  Arena &operator=(const Arena &) = delete;

  /// Zeroed memory in whole pages, or nullptr when the arena is full.
  void *allocate(std::size_t bytes);
  /// False when `address` does not begin a block of this arena.
  bool release(void *address);

  bool contains(const void *address) const;
  /// The bytes from `address` to the end of its block; 0 outside of every block.
  std::size_t bytesFrom(const void *address) const;
  /// Where a block begins; nullptr outside of every block.
  void *blockOf(const void *address) const;

  /// The same byte, as kernels reach it.
  void *kernelView(const void *address) const;
  bool containsKernelView(const void *address) const;
  /// The way back from kernelView.
  void *hostView(const void *kernelAddress) const;

  /// What the host may do with the block around `address` from now on.
  void setHostAccess(const void *address, HostAccess access);

private:
  std::map<char *, std::size_t>::const_iterator find(const void *address) const;

  char *base_ = nullptr;
  char *alias_ = nullptr;
  std::size_t capacity_;
  HostAccess access_;
  int file_ = -1;
  std::map<char *, std::size_t> used_;
  std::map<char *, std::size_t> free_;
  mutable std::recursive_mutex mutex_;
};

} // namespace samedevice::runtime
