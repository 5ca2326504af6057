#include "Inputs.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/BLAKE3.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"

#include <chrono>

using namespace llvm;

namespace samedevice::check {

json::Value toJSON(const Input &input) { return json::Array{input.file, input.size, input.modified, input.digest}; }

bool fromJSON(const json::Value &value, Input &input, json::Path path) {
  const json::Array *parts = value.getAsArray();
  if (!parts || parts->size() != 4) {
    path.report("expected an input");
    return false;
  }
  return fromJSON((*parts)[0], input.file, path.index(0)) && fromJSON((*parts)[1], input.size, path.index(1)) &&
         fromJSON((*parts)[2], input.modified, path.index(2)) && fromJSON((*parts)[3], input.digest, path.index(3));
}

std::string digestOf(ArrayRef<std::string> texts) {
  BLAKE3 hash;
  for (const std::string &text : texts) {
    hash.update(std::to_string(text.size()) + ":");
    hash.update(text);
  }
  return toHex(hash.final<16>(), /*LowerCase=*/true);
}

Disk::File &Disk::look(const std::string &name) {
  auto [known, isNew] = files_.try_emplace(name);
  sys::fs::file_status status;
  if (isNew && !sys::fs::status(name, status)) {
    known->second.size = static_cast<int64_t>(status.getSize());
    known->second.modified =
        std::chrono::duration_cast<std::chrono::nanoseconds>(status.getLastModificationTime().time_since_epoch())
            .count();
  }
  return known->second;
}

const std::string &Disk::digestOfFile(const std::string &name) {
  std::optional<std::string> &digest = look(name).digest;
  if (!digest) {
    auto buffer = MemoryBuffer::getFile(name);
    digest = buffer ? digestOf((*buffer)->getBuffer().str()) : std::string();
  }
  return *digest;
}

std::vector<Input> Disk::record(ArrayRef<std::string> files, StringRef folder) {
  constexpr std::chrono::seconds coarsest{2}; // what clocks of file systems cannot tell apart
  const auto now = std::chrono::system_clock::now() - coarsest;
  const int64_t old = std::chrono::duration_cast<std::chrono::nanoseconds>(now.time_since_epoch()).count();
  std::vector<Input> inputs;
  for (const std::string &relative : files) {
    SmallString<256> whole(relative);
    sys::fs::make_absolute(folder, whole);
    const std::string name = whole.str().str();
    const File &file = look(name);
    inputs.push_back({name, file.size, file.modified < old ? file.modified : 0, digestOfFile(name)});
  }
  return inputs;
}

bool Disk::hasUnchanged(ArrayRef<Input> inputs) {
  return all_of(inputs, [this](const Input &input) {
    const File &file = look(input.file);
    if (file.size != input.size)
      return false;
    return (input.modified && file.modified == input.modified) || digestOfFile(input.file) == input.digest;
  });
}

} // namespace samedevice::check
