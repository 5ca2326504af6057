#include "OtherUnits.h"

#include "../facts/Object.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

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
  if (remembersFiles && !own.files.empty())
    remembered_[mainFileOf(own)] = std::make_shared<const facts::Program>(own);
}

std::vector<Unit> OtherUnits::asRemembered(std::vector<Unit> onDisk) const {
  if (!remembersFiles)
    return onDisk;
  llvm::erase_if(onDisk, [&](const Unit &unit) { return remembered_.count(mainFileOf(*unit)) != 0; });
  for (const auto &[file, unit] : remembered_)
    onDisk.push_back(unit);
  // However they were opened.
  llvm::stable_sort(onDisk, [](const Unit &one, const Unit &other) { return mainFileOf(*one) < mainFileOf(*other); });
  return onDisk;
}

std::string factsFolder(llvm::StringRef option) {
  const char *asked = std::getenv("SAMEDEVICE_FACTS");
  return asked && *asked ? asked : option.str();
}

} // namespace samedevice::tidy
