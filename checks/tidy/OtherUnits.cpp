#include "OtherUnits.h"

#include "../facts/Object.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/BLAKE3.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

#include <chrono>
#include <cstdlib>

namespace samedevice::tidy {

OtherUnits &OtherUnits::ofThisProcess() {
  static OtherUnits known;
  return known;
}

/// Something that it tells of may have become something else since.
static bool isStale(const facts::Program &unit, llvm::sys::TimePoint<> written) {
  return llvm::any_of(unit.files, [&](const std::string &file) {
    llvm::sys::fs::file_status status;
    return !file.empty() && (llvm::sys::fs::status(file, status) || status.getLastModificationTime() > written);
  });
}

namespace {

/// An object as it was read; it counts as long as the file is this one.
struct Read {
  llvm::sys::TimePoint<> written;
  std::uint64_t size = 0;
  Unit unit; ///< null where it cannot be read
};

Unit unitIn(const std::string &file, const llvm::sys::fs::file_status &status) {
  static llvm::StringMap<Read> known;
  Read &read = known[file];
  if (read.written == status.getLastModificationTime() && read.size == status.getSize())
    return read.unit;
  auto buffer = llvm::MemoryBuffer::getFile(file);
  std::string fault;
  std::optional<facts::Program> unit = buffer ? facts::read((*buffer)->getBuffer().str(), fault) : std::nullopt;
  if (!unit)
    llvm::errs() << "samedevice: " << file << ": " << (fault.empty() ? "cannot be read" : fault) << '\n';
  read = {status.getLastModificationTime(), status.getSize(),
          unit ? std::make_shared<const facts::Program>(std::move(*unit)) : nullptr};
  return read.unit;
}

std::string mainFileOf(const facts::Program &unit) { return unit.files.empty() ? std::string() : unit.files.front(); }

} // namespace

std::vector<Unit> unitsIn(const std::string &folder) {
  std::vector<std::string> files;
  std::error_code error;
  for (llvm::sys::fs::recursive_directory_iterator entry(folder, error), end; !error && entry != end;
       entry.increment(error))
    if (llvm::StringRef(entry->path()).ends_with(".facts"))
      files.push_back(entry->path());
  llvm::sort(files); // however the disk has them
  std::vector<Unit> units;
  for (const std::string &file : files) {
    llvm::sys::fs::file_status status;
    if (llvm::sys::fs::status(file, status))
      continue;
    if (Unit unit = unitIn(file, status); unit && !isStale(*unit, status.getLastModificationTime()))
      units.push_back(std::move(unit));
  }
  return units;
}

void OtherUnits::remember(const facts::Program &own) {
  if (!remembersFiles || own.files.empty())
    return;
  std::unique_lock<std::mutex> lock(names_);
  Remembered &seen = remembered_[mainFileOf(own)];
  lock.unlock();
  const bool isLate = seen.asOfSave != saves && !(seen.unit && facts::write(*seen.unit) == facts::write(own));
  seen = {std::make_shared<const facts::Program>(own), saves};
  if (isLate && onLateFacts)
    onLateFacts();
}

bool OtherUnits::hasOthers(llvm::StringRef source) const {
  {
    std::lock_guard<std::mutex> lock(names_);
    if (remembered_.count(source.str()) != 0)
      return true;
  }
  return LeftByCheck::isThereFor(source);
}

std::vector<Unit> OtherUnits::asRemembered(std::vector<Unit> onDisk) const {
  if (!remembersFiles)
    return onDisk;
  llvm::erase_if(onDisk, [&](const Unit &unit) { return remembered_.count(mainFileOf(*unit)) != 0; });
  for (const auto &[file, seen] : remembered_)
    onDisk.push_back(seen.unit);
  // However they were opened.
  llvm::stable_sort(onDisk, [](const Unit &one, const Unit &other) { return mainFileOf(*one) < mainFileOf(*other); });
  return onDisk;
}

FactsPlace FactsPlace::of(llvm::StringRef option) {
  if (const char *asked = std::getenv("SAMEDEVICE_FACTS"))
    return {asked, false};
  if (option == "none")
    return {};
  return {option.str(), option.empty()};
}

std::string LeftByCheck::digestOf(llvm::StringRef object) {
  llvm::BLAKE3 hash;
  hash.update(object);
  return llvm::toHex(hash.final<16>(), /*LowerCase=*/true);
}

std::string LeftByCheck::entryFor(llvm::StringRef source) {
  llvm::SmallString<256> real;
  if (llvm::sys::fs::real_path(source, real))
    real = source;
  return digestOf(real) + ".others.json";
}

static std::string inUsersCache(llvm::StringRef name) {
  llvm::SmallString<256> file;
  if (!llvm::sys::path::cache_directory(file))
    return {};
  llvm::sys::path::append(file, "samedevice", name);
  return file.str().str();
}

void LeftByCheck::print(llvm::raw_ostream &out) const {
  llvm::json::Array list;
  for (const Object &object : objects)
    list.push_back(llvm::json::Array{object.name, object.digest, llvm::json::fixUTF8(object.source)});
  out << llvm::json::Value(llvm::json::Object{{"asOf", asOf}, {"objects", std::move(list)}}) << '\n';
}

bool LeftByCheck::isThereFor(llvm::StringRef source) { return llvm::sys::fs::exists(inUsersCache(entryFor(source))); }

std::optional<LeftByCheck> LeftByCheck::read(llvm::StringRef source) {
  auto buffer = llvm::MemoryBuffer::getFile(inUsersCache(entryFor(source)));
  if (!buffer)
    return std::nullopt;
  llvm::Expected<llvm::json::Value> value = llvm::json::parse((*buffer)->getBuffer());
  if (!value)
    llvm::consumeError(value.takeError());
  const llvm::json::Object *entry = value ? value->getAsObject() : nullptr;
  const llvm::json::Array *list = entry ? entry->getArray("objects") : nullptr;
  if (!list)
    return std::nullopt;
  LeftByCheck left{entry->getInteger("asOf").value_or(0), {}};
  for (const llvm::json::Value &item : *list) {
    const llvm::json::Array *parts = item.getAsArray();
    if (!parts || parts->size() != 3)
      return std::nullopt;
    std::string words[3];
    for (size_t index = 0; index < 3; ++index)
      words[index] = (*parts)[index].getAsString().value_or("").str();
    left.objects.push_back({words[0], words[1], words[2]});
  }
  return left;
}

std::vector<Unit> OtherUnits::unitsOf(const LeftByCheck &left) const {
  const llvm::sys::TimePoint<> asOf{std::chrono::nanoseconds(left.asOf)};
  std::vector<Unit> units;
  for (const LeftByCheck::Object &object : left.objects) {
    if (auto seen = remembered_.find(object.source); remembersFiles && seen != remembered_.end()) {
      units.push_back(seen->second.unit);
      continue;
    }
    auto buffer = llvm::MemoryBuffer::getFile(inUsersCache(object.name));
    if (!buffer || LeftByCheck::digestOf((*buffer)->getBuffer()) != object.digest)
      continue;
    std::string fault; // of another version: as good as none
    std::optional<facts::Program> unit = facts::read((*buffer)->getBuffer().str(), fault);
    if (unit && !isStale(*unit, asOf))
      units.push_back(std::make_shared<const facts::Program>(std::move(*unit)));
  }
  return units;
}

std::optional<std::vector<Unit>> OtherUnits::othersAt(const FactsPlace &place, llvm::StringRef source) const {
  if (!place.folder.empty())
    return asRemembered(unitsIn(place.folder));
  if (place.isFoundByItself)
    if (const std::optional<LeftByCheck> left = LeftByCheck::read(source))
      return unitsOf(*left);
  return std::nullopt;
}

} // namespace samedevice::tidy
