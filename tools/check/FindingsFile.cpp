#include "Report.h"

#include "llvm/ADT/StringRef.h"

#include <map>
#include <tuple>

using namespace llvm;

namespace samedevice::check {

namespace {

using Identity = std::tuple<std::string, int64_t, int64_t, std::string>; ///< file, line, column, message

/// One document for each check that had something to say, one after the other.
void readWitnesses(StringRef text, std::map<Identity, json::Value> &witnesses) {
  constexpr StringRef begin = "{\"samedevice\": 1, \"findings\": [\n"; // no string in JSON has quotes like these
  while (!text.empty()) {
    const size_t end = text.find(begin, 1);
    Expected<json::Value> document = json::parse(text.take_front(end));
    text = text.drop_front(std::min(end, text.size()));
    if (!document) {
      consumeError(document.takeError());
      continue;
    }
    for (const json::Value &value : *document->getAsObject()->getArray("findings")) {
      const json::Object &finding = *value.getAsObject();
      witnesses.try_emplace({finding.getString("file").value_or("").str(), finding.getInteger("line").value_or(0),
                             finding.getInteger("column").value_or(0), finding.getString("message").value_or("").str()},
                            value);
    }
  }
}

} // namespace

void printFindingsFile(const std::vector<Finding> &findings, const std::vector<std::string> &witnesses,
                       raw_ostream &out) {
  std::map<Identity, json::Value> known;
  for (const std::string &text : witnesses)
    readWitnesses(text, known);
  out << "{\"samedevice\": 1, \"findings\": [";
  StringRef comma = "\n";
  for (const Finding &finding : findings) {
    auto witness = known.find({finding.at.file, finding.at.line, finding.at.column, finding.message});
    if (witness == known.end())
      continue;
    out << comma << witness->second;
    comma = ",\n";
  }
  out << "\n]}\n";
}

} // namespace samedevice::check
