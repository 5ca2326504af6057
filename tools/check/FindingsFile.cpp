#include "FindingsFile.h"

#include "Fingerprint.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Support/MemoryBuffer.h"

#include <map>
#include <tuple>

using namespace llvm;

namespace samedevice::check {

namespace {

using Identity = std::tuple<std::string, std::string, int, int, std::string>; ///< check, file, line, column, message

Identity identityOf(const Finding &finding) {
  return {finding.check, finding.at.file, finding.at.line, finding.at.column, finding.message};
}

/// The members of which each is told as itself, whoever has written the file.
bool readBasics(const json::Object &object, Finding &finding) {
  const std::optional<StringRef> check = object.getString("check"), message = object.getString("message"),
                                 file = object.getString("file");
  if (!check || !message || !file)
    return false;
  finding.check = check->str();
  finding.message = message->str();
  finding.at.file = file->str();
  finding.at.line = static_cast<int>(object.getInteger("line").value_or(0));
  finding.at.column = static_cast<int>(object.getInteger("column").value_or(0));
  for (const auto &[name, value] : object)
    if (!is_contained({"check", "message", "file", "line", "column", "told", "verdict"}, StringRef(name)))
      finding.evidence.witness[name] = value;
  return true;
}

/// What only our own files say.
bool readRest(const json::Object &object, Finding &finding, json::Path path) {
  if (const json::Value *told = object.get("told")) {
    json::ObjectMapper map(*told, path.field("told"));
    if (!map || !map.map("offset", finding.at.offset) || !map.map("isError", finding.isError) ||
        !map.map("spans", finding.spans) || !map.map("notes", finding.notes) || !map.map("edits", finding.edits))
      return false;
  }
  const json::Value *verdict = object.get("verdict");
  return !verdict || fromJSON(*verdict, finding.evidence.verdict, path.field("verdict"));
}

json::Value entryOf(const Finding &finding) {
  const json::Value known = finding; // as JSON wants it
  const json::Object &object = *known.getAsObject();
  json::Object entry = finding.evidence.witness;
  entry["check"] = finding.check;
  entry["message"] = *object.get("message");
  entry["file"] = (*object.getArray("at"))[0];
  entry["line"] = finding.at.line;
  entry["column"] = finding.at.column;
  json::Object told{{"offset", finding.at.offset}};
  for (StringRef name : {"isError", "spans", "notes", "edits"})
    told[name] = *object.get(name);
  entry["told"] = std::move(told);
  if (finding.evidence.verdict)
    entry["verdict"] = *finding.evidence.verdict;
  return entry;
}

constexpr StringRef kBegin = "{\"samedevice\": 1, \"findings\": ["; // no string in JSON has quotes like these

/// Each run of the checks appends a document.
Error forEachDocument(StringRef text, function_ref<Error(json::Object &)> work) {
  if (!text.trim().starts_with(kBegin))
    return createStringError(inconvertibleErrorCode(), "this is no findings file of samedevice's");
  while (!text.trim().empty()) {
    const size_t end = text.find(kBegin, text.find(kBegin) + 1);
    Expected<json::Value> document = json::parse(text.take_front(end));
    if (!document)
      return document.takeError();
    text = text.drop_front(std::min(end, text.size()));
    if (Error error = work(*document->getAsObject()))
      return error;
  }
  return Error::success();
}

void rename(json::Value &value, StringRef from, StringRef to) {
  if (std::optional<StringRef> text = value.getAsString()) {
    if (text->consume_front(from) && text->starts_with("/"))
      value = (to + *text).str();
  } else if (json::Array *items = value.getAsArray()) {
    for (json::Value &item : *items)
      rename(item, from, to);
  } else if (json::Object *members = value.getAsObject()) {
    for (auto &[name, member] : *members)
      rename(member, from, to);
  }
}

} // namespace

void addWitnesses(StringRef text, std::vector<Finding> &findings) {
  std::map<Identity, json::Object> known;
  if (text.empty())
    return;
  consumeError(forEachDocument(text, [&](json::Object &document) {
    for (const json::Value &entry : *document.getArray("findings"))
      if (Finding finding; readBasics(*entry.getAsObject(), finding))
        known.try_emplace(identityOf(finding), std::move(finding.evidence.witness));
    return Error::success();
  }));
  for (Finding &finding : findings)
    if (auto witness = known.find(identityOf(finding)); witness != known.end())
      finding.evidence.witness = witness->second;
}

void printFindingsFile(const std::vector<Finding> &findings, const Summary &summary, raw_ostream &out) {
  out << kBegin;
  StringRef comma = "\n";
  for (const Finding &finding : findings) {
    out << comma << entryOf(finding);
    comma = ",\n";
  }
  out << "\n], \"run\": " << json::Value(json::Object{{"root", rootOfNames()}, {"summary", summary}}) << "}\n";
}

Error readFindingsFile(StringRef file, std::vector<Finding> &findings, Summary &summary) {
  auto buffer = MemoryBuffer::getFileOrSTDIN(file);
  if (!buffer)
    return createFileError(file, buffer.getError());
  const std::string here = rootOfNames();
  Error error = forEachDocument((*buffer)->getBuffer(), [&](json::Object &document) -> Error {
    json::Path::Root path("document");
    if (const json::Object *run = document.getObject("run")) {
      const std::string there = run->getString("root").value_or("").str();
      for (auto &[name, member] : document)
        if (!there.empty())
          rename(member, there, here);
      Summary more;
      if (!run->get("summary") || !fromJSON(*run->get("summary"), more, path))
        return path.getError();
      summary.add(more);
    }
    const json::Array *entries = document.getArray("findings");
    for (size_t i = 0; entries && i < entries->size(); ++i) {
      const json::Object *entry = (*entries)[i].getAsObject();
      Finding finding;
      if (!entry || !readBasics(*entry, finding))
        return createStringError(inconvertibleErrorCode(), "finding %zu: check, message or file is missing", i + 1);
      if (!readRest(*entry, finding, path))
        return path.getError();
      findings.push_back(std::move(finding));
    }
    return Error::success();
  });
  return error ? createFileError(file, std::move(error)) : Error::success();
}

} // namespace samedevice::check
