#include "Baseline.h"

#include "Fingerprint.h"
#include "WholeFile.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace samedevice::check {

Error writeBaseline(ArrayRef<Finding> findings, StringRef file) {
  const std::string root = rootOfNames();
  const std::vector<std::string> fingerprints = fingerprintsOf(findings, root);
  return writeWhole(file, [&](raw_ostream &out) {
    // A line each: such a file is merged, and reviewed.
    out << "{\"samedevice-baseline\": 1, \"findings\": [";
    for (size_t i = 0; i < findings.size(); ++i)
      out << (i ? ",\n" : "\n")
          << json::Value(json::Object{{"check", findings[i].check},
                                      {"file", relativeTo(root, findings[i].at.file)},
                                      {"line", findings[i].at.line},
                                      {"message", findings[i].message},
                                      {"fingerprint", fingerprints[i]}});
    out << "\n]}\n";
  });
}

Expected<Baseline> Baseline::read(StringRef file) {
  auto buffer = MemoryBuffer::getFile(file);
  if (!buffer)
    return createFileError(file, buffer.getError());
  Expected<json::Value> value = json::parse((*buffer)->getBuffer());
  if (!value)
    return createFileError(file, value.takeError());
  const json::Object *document = value->getAsObject();
  const json::Array *findings = document ? document->getArray("findings") : nullptr;
  if (!findings || document->getInteger("samedevice-baseline") != 1)
    return createStringError(inconvertibleErrorCode(), file + ": is no baseline of samedevice's");
  Baseline baseline;
  baseline.root_ = rootOfNames();
  for (const json::Value &finding : *findings)
    if (const json::Object *entry = finding.getAsObject())
      baseline.entries_.push_back({entry->getString("fingerprint").value_or("").str(),
                                   entry->getString("check").value_or("").str(),
                                   entry->getString("file").value_or("").str(), entry->getInteger("line").value_or(0)});
  return baseline;
}

void Baseline::removeFrom(std::vector<Finding> &findings) {
  const std::vector<std::string> fingerprints = fingerprintsOf(findings, root_);
  std::vector<Finding> rest;
  for (size_t i = 0; i < findings.size(); ++i) {
    auto entry = find_if(entries_, [&](const Entry &entry) { return entry.fingerprint == fingerprints[i]; });
    if (entry == entries_.end()) {
      rest.push_back(std::move(findings[i]));
    } else {
      entry->isMet = true;
      ++known_;
    }
  }
  findings = std::move(rest);
}

std::vector<std::string> Baseline::stale(function_ref<bool(StringRef)> wasAnalyzed) const {
  std::vector<std::string> stale;
  for (const Entry &entry : entries_)
    if (!entry.isMet && wasAnalyzed(root_ + "/" + entry.file))
      stale.push_back(entry.file + ":" + std::to_string(entry.line) + " " + entry.check);
  return stale;
}

} // namespace samedevice::check
