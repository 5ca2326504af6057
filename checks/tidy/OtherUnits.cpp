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

const std::vector<Unit> &unitsIn(const std::string &folder) {
  static llvm::StringMap<std::vector<Unit>> known;
  auto [place, isNew] = known.try_emplace(folder);
  std::vector<Unit> &units = place->second;
  if (!isNew)
    return units;
  std::vector<std::string> files;
  std::error_code error;
  for (llvm::sys::fs::recursive_directory_iterator entry(folder, error), end; !error && entry != end;
       entry.increment(error))
    if (llvm::StringRef(entry->path()).ends_with(".facts"))
      files.push_back(entry->path());
  llvm::sort(files); // however the disk has them
  for (const std::string &file : files) {
    llvm::sys::fs::file_status status;
    auto buffer = llvm::MemoryBuffer::getFile(file);
    std::string fault;
    std::optional<facts::Program> unit = buffer && !llvm::sys::fs::status(file, status)
                                             ? facts::read((*buffer)->getBuffer().str(), fault)
                                             : std::nullopt;
    if (!unit)
      llvm::errs() << "samedevice: " << file << ": " << (fault.empty() ? "cannot be read" : fault) << '\n';
    else if (!isStale(*unit, status.getLastModificationTime()))
      units.push_back(std::make_shared<const facts::Program>(std::move(*unit)));
  }
  return units;
}

std::string factsFolder(llvm::StringRef option) {
  const char *asked = std::getenv("SAMEDEVICE_FACTS");
  return asked && *asked ? asked : option.str();
}

} // namespace samedevice::tidy
