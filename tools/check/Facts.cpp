#include "Facts.h"

#include "facts/Object.h"
#include "tidy/OtherUnits.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"

using namespace llvm;

namespace samedevice::check {

static std::string temporaryFolder() {
  SmallString<128> folder;
  return sys::fs::createUniqueDirectory("samedevice-facts", folder) ? std::string() : folder.str().str();
}

static std::string entryName(StringRef key) { return (key + ".facts").str(); }

Facts::Facts(const Cache &cache)
    : temporary_(cache.isUsable() ? std::string() : temporaryFolder()), own_(temporary_),
      kept_(cache.isUsable() ? cache : own_) {}

Facts::~Facts() {
  if (!temporary_.empty())
    static_cast<void>(sys::fs::remove_directories(temporary_));
}

bool Facts::has(StringRef key) const { return kept_.isUsable() && sys::fs::exists(kept_.pathOf(entryName(key))); }

std::string Facts::of(StringRef key) const {
  kept_.touch(entryName(key));
  return kept_.readBytes(entryName(key)).value_or("");
}

void Facts::recordAs(const std::string &key) const {
  tidy::OtherUnits::ofThisProcess().record = [this, name = entryName(key)](const facts::Program &program) {
    kept_.keep(name, [&](raw_ostream &out) { out << facts::write(program); });
  };
}

} // namespace samedevice::check
