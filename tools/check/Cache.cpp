#include "Cache.h"

#include "WholeFile.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

#include <algorithm>
#include <vector>

using namespace llvm;
namespace path = llvm::sys::path;
namespace fs = llvm::sys::fs;

namespace samedevice::check {

Cache::Cache(std::string folder) : folder_(std::move(folder)) {
  if (folder_.empty())
    return;
  SmallString<256> whole(folder_);
  static_cast<void>(fs::make_absolute(whole));
  folder_ = whole.str().str();
  std::error_code error = fs::create_directories(folder_);
  if (!error && !fs::is_directory(folder_))
    error = std::make_error_code(std::errc::not_a_directory);
  if (!error)
    error = fs::access(folder_, fs::AccessMode::Write);
  if (!error)
    return;
  problem_ = "cache " + folder_ + ": " + error.message() + "; nothing is kept";
  folder_.clear();
}

std::string Cache::usualFolder() {
  SmallString<256> folder;
  if (!path::cache_directory(folder))
    return {};
  path::append(folder, "samedevice");
  return folder.str().str();
}

std::string Cache::pathOf(StringRef name) const {
  SmallString<256> file(folder_);
  path::append(file, name);
  return file.str().str();
}

std::optional<std::string> Cache::readBytes(StringRef name) const {
  if (!isUsable())
    return std::nullopt;
  auto buffer = MemoryBuffer::getFile(pathOf(name));
  return buffer ? std::optional((*buffer)->getBuffer().str()) : std::nullopt;
}

std::optional<json::Value> Cache::read(StringRef name) const {
  const std::optional<std::string> text = readBytes(name);
  if (!text)
    return std::nullopt;
  Expected<json::Value> value = json::parse(*text);
  if (value)
    return std::move(*value);
  consumeError(value.takeError());
  static_cast<void>(fs::remove(pathOf(name)));
  return std::nullopt;
}

void Cache::write(StringRef name, const json::Value &value) const {
  keep(name, [&](raw_ostream &out) { out << value; });
}

bool Cache::keep(StringRef name, function_ref<void(raw_ostream &)> print) const {
  if (!isUsable())
    return false;
  Error error = writeWhole(pathOf(name), print);
  if (!error)
    return true;
  handleAllErrors(
      std::move(error),
      [this](const FileError &why) {
        lost_ = "cache " + folder_ + ": " + why.messageWithoutFileInfo() + "; not all is kept";
      },
      [](const ErrorInfoBase &) {});
  return false;
}

void Cache::touch(StringRef name) const {
  int file = 0;
  if (fs::openFileForReadWrite(pathOf(name), file, fs::CD_OpenExisting, fs::OF_None))
    return;
  static_cast<void>(fs::setLastAccessAndModificationTime(file, std::chrono::system_clock::now()));
  static_cast<void>(fs::closeFile(file));
}

void Cache::trimTo(uint64_t bytes) const {
  struct Entry {
    sys::TimePoint<> used;
    uint64_t size;
    std::string path;
  };
  std::vector<Entry> entries;
  uint64_t all = 0;
  std::error_code error;
  for (fs::directory_iterator file(folder_, error), end; isUsable() && file != end && !error; file.increment(error)) {
    fs::file_status status;
    if (fs::status(file->path(), status) || status.type() != fs::file_type::regular_file)
      continue;
    entries.push_back({status.getLastModificationTime(), status.getSize(), file->path()});
    all += status.getSize();
  }
  std::sort(entries.begin(), entries.end(), [](const Entry &one, const Entry &other) { return one.used < other.used; });
  for (const Entry &entry : entries) {
    if (all <= bytes)
      return;
    if (!fs::remove(entry.path))
      all -= entry.size;
  }
}

} // namespace samedevice::check
