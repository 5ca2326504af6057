#include "Finding.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Path.h"

using namespace llvm;

namespace samedevice::check {

/// Names and texts of sources need not be UTF-8; JSON is.
static std::string utf8(const std::string &text) { return json::isUTF8(text) ? text : json::fixUTF8(text); }

json::Value toJSON(const Place &place) { return json::Array{utf8(place.file), place.offset, place.line, place.column}; }

bool fromJSON(const json::Value &value, Place &place, json::Path path) {
  const json::Array *parts = value.getAsArray();
  if (!parts || parts->size() != 4) {
    path.report("expected a place");
    return false;
  }
  return fromJSON((*parts)[0], place.file, path.index(0)) && fromJSON((*parts)[1], place.offset, path.index(1)) &&
         fromJSON((*parts)[2], place.line, path.index(2)) && fromJSON((*parts)[3], place.column, path.index(3));
}

json::Value toJSON(const Span &span) { return json::Object{{"begin", span.begin}, {"end", span.end}}; }

bool fromJSON(const json::Value &value, Span &span, json::Path path) {
  json::ObjectMapper map(value, path);
  return map && map.map("begin", span.begin) && map.map("end", span.end);
}

json::Value toJSON(const Note &note) { return json::Object{{"at", note.at}, {"text", utf8(note.text)}}; }

bool fromJSON(const json::Value &value, Note &note, json::Path path) {
  json::ObjectMapper map(value, path);
  return map && map.map("at", note.at) && map.map("text", note.text);
}

json::Value toJSON(const Edit &edit) {
  return json::Object{
      {"file", utf8(edit.file)}, {"offset", edit.offset}, {"length", edit.length}, {"text", utf8(edit.text)}};
}

bool fromJSON(const json::Value &value, Edit &edit, json::Path path) {
  json::ObjectMapper map(value, path);
  return map && map.map("file", edit.file) && map.map("offset", edit.offset) && map.map("length", edit.length) &&
         map.map("text", edit.text);
}

std::string inWords(const Verdict &verdict) {
  std::string words = verdict.verdict + " on " + verdict.device;
  if (!verdict.outcome.empty())
    words += ": " + verdict.outcome;
  if (!verdict.at.empty())
    words += " (" + sys::path::filename(verdict.at).str() + ")";
  if (verdict.isResolved)
    words += *verdict.isResolved ? "; with the fix it runs" : "; with the fix it does not run either";
  return words;
}

json::Value toJSON(const Verdict &verdict) {
  return json::Object{
      {"verdict", verdict.verdict},     {"outcome", utf8(verdict.outcome)},   {"at", utf8(verdict.at)},
      {"device", utf8(verdict.device)}, {"isSimulated", verdict.isSimulated}, {"isResolved", verdict.isResolved}};
}

bool fromJSON(const json::Value &value, Verdict &verdict, json::Path path) {
  json::ObjectMapper map(value, path);
  return map && map.map("verdict", verdict.verdict) && map.map("outcome", verdict.outcome) &&
         map.map("at", verdict.at) && map.map("device", verdict.device) &&
         map.map("isSimulated", verdict.isSimulated) && map.map("isResolved", verdict.isResolved);
}

json::Value toJSON(const Finding &finding) {
  json::Object object{{"at", finding.at},           {"check", finding.check}, {"message", utf8(finding.message)},
                      {"isError", finding.isError}, {"spans", finding.spans}, {"notes", finding.notes},
                      {"edits", finding.edits}};
  object["witness"] = json::Object(finding.evidence.witness);
  object["verdict"] = finding.evidence.verdict;
  return object;
}

bool fromJSON(const json::Value &value, Finding &finding, json::Path path) {
  json::ObjectMapper map(value, path);
  if (!map || !map.map("at", finding.at) || !map.map("check", finding.check) || !map.map("message", finding.message) ||
      !map.map("isError", finding.isError) || !map.map("spans", finding.spans) || !map.map("notes", finding.notes) ||
      !map.map("edits", finding.edits) || !map.map("verdict", finding.evidence.verdict))
    return false;
  if (const json::Object *witness = value.getAsObject()->getObject("witness"))
    finding.evidence.witness = *witness;
  return true;
}

void sortOnce(std::vector<Finding> &findings) {
  llvm::sort(findings);
  findings.erase(std::unique(findings.begin(), findings.end()), findings.end());
}

json::Value toJSON(const Outcome &outcome) {
  return json::Object{{"findings", outcome.findings},
                      {"givenUp", outcome.givenUp},
                      {"errors", outcome.errors},
                      {"missingHeaders", outcome.missingHeaders},
                      {"cacheProblem", utf8(outcome.cacheProblem)},
                      {"notAnalyzed", utf8(outcome.notAnalyzed)}};
}

bool fromJSON(const json::Value &value, Outcome &outcome, json::Path path) {
  json::ObjectMapper map(value, path);
  return map && map.map("findings", outcome.findings) && map.map("givenUp", outcome.givenUp) &&
         map.map("errors", outcome.errors) && map.map("missingHeaders", outcome.missingHeaders) &&
         map.map("cacheProblem", outcome.cacheProblem) && map.map("notAnalyzed", outcome.notAnalyzed);
}

} // namespace samedevice::check
