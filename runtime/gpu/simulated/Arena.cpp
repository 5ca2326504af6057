#include "Arena.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <stdexcept>

namespace samedevice::runtime {

namespace {

constexpr std::size_t kPage = 4096;

int protection(HostAccess access) {
  switch (access) {
  case HostAccess::None:
    return PROT_NONE;
  case HostAccess::Read:
    return PROT_READ;
  case HostAccess::ReadWrite:
    return PROT_READ | PROT_WRITE;
  }
  return PROT_NONE;
}

using Lock = std::lock_guard<std::recursive_mutex>;

} // namespace

Arena::Arena(std::size_t capacity, HostAccess access) : capacity_(capacity), access_(access) {
  file_ = memfd_create("samedevice", MFD_CLOEXEC);
  if (file_ < 0 || ftruncate(file_, static_cast<off_t>(capacity)) != 0)
    throw std::runtime_error("cannot reserve memory for a simulated GPU");
  void *base = mmap(nullptr, capacity, protection(access), MAP_SHARED | MAP_NORESERVE, file_, 0);
  void *alias = mmap(nullptr, capacity, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE, file_, 0);
  if (base == MAP_FAILED || alias == MAP_FAILED)
    throw std::runtime_error("cannot map memory for a simulated GPU");
  base_ = static_cast<char *>(base);
  alias_ = static_cast<char *>(alias);
  free_[base_] = capacity;
}

Arena::~Arena() {
  munmap(base_, capacity_);
  munmap(alias_, capacity_);
  close(file_);
}

void *Arena::allocate(std::size_t bytes) {
  const std::size_t size = bytes == 0 ? kPage : (bytes + kPage - 1) / kPage * kPage;
  Lock lock(mutex_);
  for (auto hole = free_.begin(); hole != free_.end(); ++hole) {
    if (hole->second < size)
      continue;
    char *address = hole->first;
    const std::size_t rest = hole->second - size;
    free_.erase(hole);
    if (rest != 0)
      free_[address + size] = rest;
    used_[address] = size;
    setHostAccess(address, access_);
    return address;
  }
  return nullptr;
}

bool Arena::release(void *address) {
  Lock lock(mutex_);
  const auto block = used_.find(static_cast<char *>(address));
  if (block == used_.end())
    return false;
  auto [begin, size] = *block;
  // The next owner finds zeros, and whoever still holds the address faults.
  setHostAccess(begin, HostAccess::None);
  fallocate(file_, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, begin - base_, static_cast<off_t>(size));
  used_.erase(block);
  auto next = free_.lower_bound(begin);
  if (next != free_.end() && next->first == begin + size) {
    size += next->second;
    next = free_.erase(next);
  }
  if (next != free_.begin()) {
    const auto previous = std::prev(next);
    if (previous->first + previous->second == begin) {
      previous->second += size;
      return true;
    }
  }
  free_[begin] = size;
  return true;
}

bool Arena::contains(const void *address) const {
  const char *byte = static_cast<const char *>(address);
  return byte >= base_ && byte < base_ + capacity_;
}

std::map<char *, std::size_t>::const_iterator Arena::find(const void *address) const {
  char *byte = const_cast<char *>(static_cast<const char *>(address));
  auto block = used_.upper_bound(byte);
  if (block == used_.begin())
    return used_.end();
  --block;
  return byte < block->first + block->second ? block : used_.end();
}

std::size_t Arena::bytesFrom(const void *address) const {
  Lock lock(mutex_);
  const auto block = find(address);
  return block == used_.end() ? 0 : block->first + block->second - static_cast<const char *>(address);
}

void *Arena::blockOf(const void *address) const {
  Lock lock(mutex_);
  const auto block = find(address);
  return block == used_.end() ? nullptr : block->first;
}

void *Arena::kernelView(const void *address) const { return alias_ + (static_cast<const char *>(address) - base_); }

bool Arena::containsKernelView(const void *address) const {
  const char *byte = static_cast<const char *>(address);
  return byte >= alias_ && byte < alias_ + capacity_;
}

void *Arena::hostView(const void *kernelAddress) const {
  return base_ + (static_cast<const char *>(kernelAddress) - alias_);
}

void Arena::setHostAccess(const void *address, HostAccess access) {
  Lock lock(mutex_);
  const auto block = find(address);
  if (block != used_.end())
    mprotect(block->first, block->second, protection(access));
}

} // namespace samedevice::runtime
