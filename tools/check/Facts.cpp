#include "Facts.h"

#include "Inputs.h"

#include "facts/Object.h"
#include "tidy/OtherUnits.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"

#include <set>

using namespace llvm;

namespace samedevice::check {

static std::string temporaryFolder() {
  SmallString<128> folder;
  return sys::fs::createUniqueDirectory("samedevice-facts", folder) ? std::string() : folder.str().str();
}

static std::string signsName(StringRef key) { return (key + ".alone.json").str(); }

Signs signsOf(const facts::Program &program, const analysis::Result &result) {
  std::map<std::string, std::set<std::string>> found;
  for (const std::vector<analysis::Finding> *list : {&result.findings, &result.undecided})
    for (const analysis::Finding &finding : *list) {
      if (finding.at >= program.sources.size() || program.sources[finding.at].file >= program.files.size())
        continue;
      const facts::Source &at = program.sources[finding.at];
      const std::string subject =
          finding.subject < program.sources.size() ? program.sources[finding.subject].name : std::string();
      found[program.files[at.file]].insert(
          digestOf({std::to_string(at.line), std::to_string(at.column), std::to_string(static_cast<int>(finding.check)),
                    finding.variant, subject, finding.device.name + finding.otherDevice.name,
                    list == &result.undecided ? "undecided" : ""}));
    }
  Signs signs;
  for (const auto &[file, list] : found)
    signs[file] = digestOf(std::vector<std::string>(list.begin(), list.end()));
  return signs;
}

Facts::Facts(const Cache &cache)
    : temporary_(cache.isUsable() ? std::string() : temporaryFolder()), own_(temporary_),
      kept_(cache.isUsable() ? cache : own_) {}

std::string Facts::entryName(StringRef key) { return (key + ".facts").str(); }

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
  tidy::OtherUnits::ofThisProcess().record = [this, key](const facts::Program &program,
                                                         const analysis::Result &result) {
    json::Object signs;
    for (const auto &[file, sign] : check::signsOf(program, result))
      signs[json::fixUTF8(file)] = sign;
    kept_.write(signsName(key), std::move(signs));
    kept_.keep(entryName(key), [&](raw_ostream &out) { out << facts::write(program); });
  };
}

Signs Facts::signsOf(StringRef key) const {
  Signs signs;
  const std::optional<json::Value> value = kept_.read(signsName(key));
  if (const json::Object *known = value ? value->getAsObject() : nullptr)
    for (const auto &[file, sign] : *known)
      signs[file.str()] = sign.getAsString().value_or("").str();
  kept_.touch(signsName(key));
  return signs;
}

} // namespace samedevice::check
