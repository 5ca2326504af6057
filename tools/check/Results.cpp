#include "Results.h"

#include "Version.h"
#include "clang/Surroundings.h"
#include "llvm/Support/Path.h"

using namespace llvm;

namespace samedevice::check {

namespace {

struct Kept {
  std::vector<Input> inputs;
  std::string headers, headersDigest;
  std::string surroundings; ///< of the project, where other files of it were asked
  Outcome outcome;
};

bool fromJSON(const json::Value &value, Kept &kept, json::Path path) {
  json::ObjectMapper map(value, path);
  return map && map.map("inputs", kept.inputs) && map.map("headers", kept.headers) &&
         map.map("headersDigest", kept.headersDigest) && map.map("surroundings", kept.surroundings) &&
         map.map("outcome", kept.outcome);
}

std::string entryName(const std::string &key) { return key + ".result.json"; }

} // namespace

std::string Results::keyOf(const Source &source, const clang::tidy::ClangTidyOptions &options) {
  std::vector<std::string> parts = source.arguments;
  parts.insert(parts.end(),
               {source.file, source.directory, clang::tidy::configurationAsText(options), buildIdentity()});
  return digestOf(parts);
}

std::optional<Outcome> Results::find(const std::string &key, const Source &source) {
  const std::optional<json::Value> value = cache_.read(entryName(key));
  Kept kept;
  json::Path::Root root;
  if (!value || !fromJSON(*value, kept, root) || !disk_.hasUnchanged(kept.inputs))
    return std::nullopt;
  if (!kept.headers.empty() && !headers_.isCurrent(kept.headers, kept.headersDigest))
    return std::nullopt;
  if (!kept.surroundings.empty() && kept.surroundings != surroundingsOf(source))
    return std::nullopt;
  cache_.touch(entryName(key));
  return std::move(kept.outcome);
}

std::string Results::keep(const std::string &key, const Source &source, Analysis analysis) {
  write(key, source, analysis);
  analysis.outcome.cacheProblem = cache_.lost();
  std::string text;
  raw_string_ostream(text) << json::Value(analysis.outcome);
  return text;
}

Outcome outcomeOf(const ChildResult &result) {
  Outcome outcome;
  if (!result.failure.empty())
    outcome.notAnalyzed = result.failure;
  else if (Expected<Outcome> parsed = json::parse<Outcome>(result.output))
    outcome = std::move(*parsed);
  else
    outcome.notAnalyzed = toString(parsed.takeError());
  return outcome;
}

void Results::write(const std::string &key, const Source &source, const Analysis &analysis) {
  const Outcome &outcome = analysis.outcome;
  // What is missing today may be there tomorrow, and nothing that was read would tell.
  if (!outcome.notAnalyzed.empty() || !outcome.missingHeaders.empty())
    return;
  const bool wereRead = clangfront::Surroundings::wereRead();
  cache_.write(entryName(key), json::Object{{"inputs", disk_.record(analysis.filesRead, source.directory)},
                                            {"headers", analysis.headers.key},
                                            {"headersDigest", analysis.headers.digest},
                                            {"surroundings", wereRead ? surroundingsOf(source) : std::string()},
                                            {"outcome", outcome}});
}

const std::string &Results::surroundingsOf(const Source &source) {
  auto [known, isNew] = surroundings_.try_emplace(sys::path::parent_path(source.file));
  if (isNew)
    known->second = clangfront::Surroundings::fingerprint(source.file);
  return known->second;
}

} // namespace samedevice::check
