#include "WholeFile.h"

#include "llvm/Support/FileSystem.h"

using namespace llvm;

namespace samedevice::check {

/// A stream that is not asked how it went ends the program.
static std::error_code finish(raw_fd_ostream &out) {
  out.flush();
  const std::error_code error = out.error();
  out.clear_error();
  return error;
}

/// A pipe or a device cannot be replaced.
static Error writeInto(StringRef file, function_ref<void(raw_ostream &)> print) {
  std::error_code error;
  raw_fd_ostream out(file, error);
  if (!error) {
    print(out);
    error = finish(out);
  }
  return error ? createFileError(file, error) : Error::success();
}

Error writeWhole(StringRef file, function_ref<void(raw_ostream &)> print) {
  if (file == "-") {
    print(outs());
    return Error::success();
  }
  sys::fs::file_status status;
  if (!sys::fs::status(file, status) && status.type() != sys::fs::file_type::regular_file)
    return writeInto(file, print);
  Expected<sys::fs::TempFile> beside =
      sys::fs::TempFile::create(file + ".%%%%%%.tmp", sys::fs::all_read | sys::fs::all_write);
  if (!beside)
    return createFileError(file, beside.takeError());
  raw_fd_ostream out(beside->FD, /*shouldClose=*/false);
  print(out);
  if (const std::error_code error = finish(out)) {
    consumeError(beside->discard());
    return createFileError(file, error);
  }
  return beside->keep(file);
}

} // namespace samedevice::check
