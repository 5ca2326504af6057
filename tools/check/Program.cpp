#include "Program.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Program.h"

using namespace llvm;

namespace samedevice::check {

Answer ask(StringRef program, ArrayRef<StringRef> arguments) {
  Answer answer;
  const ErrorOr<std::string> found = sys::findProgramByName(program);
  SmallString<128> file;
  if (!found || sys::fs::createTemporaryFile("samedevice", "answer", file))
    return answer;
  std::vector<StringRef> command = {*found};
  append_range(command, arguments);
  const std::optional<StringRef> redirects[] = {StringRef(), file.str(), StringRef()};
  answer.status = sys::ExecuteAndWait(*found, command, std::nullopt, redirects, /*SecondsToWait=*/60);
  answer.text = textOfFile(file);
  (void)sys::fs::remove(file);
  return answer;
}

std::string textOfFile(StringRef file) {
  auto buffer = MemoryBuffer::getFile(file);
  return buffer ? (*buffer)->getBuffer().str() : std::string();
}

} // namespace samedevice::check
