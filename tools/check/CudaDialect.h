// The files as Clang is to read them: what nvcc takes and Clang does not is spelled Clang's way, each character in its
// place, so that every position is what it is on the disk.
#pragma once

#include "llvm/Support/VirtualFileSystem.h"

namespace samedevice::check {

llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> filesForClang();

} // namespace samedevice::check
