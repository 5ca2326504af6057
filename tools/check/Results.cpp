#include "Results.h"

#include "Version.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Path.h"

using namespace llvm;
using samedevice::clangfront::Surroundings;

namespace samedevice::clangfront {

static json::Value toJSON(const Surroundings::Asked &asked) {
  return json::Array{static_cast<int>(asked.kind), json::fixUTF8(asked.function), asked.bound, asked.parameters,
                     json::fixUTF8(asked.answer)};
}

static bool fromJSON(const json::Value &value, Surroundings::Asked &asked, json::Path path) {
  const json::Array *parts = value.getAsArray();
  int kind = 0;
  if (!parts || parts->size() != 5 || !json::fromJSON((*parts)[0], kind, path) ||
      !json::fromJSON((*parts)[1], asked.function, path) || !json::fromJSON((*parts)[2], asked.bound, path) ||
      !json::fromJSON((*parts)[3], asked.parameters, path) || !json::fromJSON((*parts)[4], asked.answer, path)) {
    path.report("expected a question");
    return false;
  }
  asked.kind = static_cast<Surroundings::Asked::Kind>(kind);
  return true;
}

} // namespace samedevice::clangfront

namespace samedevice::check {

namespace {

struct Kept {
  std::vector<Input> inputs;
  std::string headers, headersDigest;
  std::string surroundings; ///< of the project, where other files of it were asked
  std::vector<Surroundings::Asked> asked;
  Outcome outcome;
};

bool fromJSON(const json::Value &value, Kept &kept, json::Path path) {
  json::ObjectMapper map(value, path);
  return map && map.map("inputs", kept.inputs) && map.map("headers", kept.headers) &&
         map.map("headersDigest", kept.headersDigest) && map.map("surroundings", kept.surroundings) &&
         map.map("asked", kept.asked) && map.map("outcome", kept.outcome);
}

json::Value toJSON(const Kept &kept) {
  return json::Object{{"inputs", kept.inputs},
                      {"headers", kept.headers},
                      {"headersDigest", kept.headersDigest},
                      {"surroundings", kept.surroundings},
                      {"asked", kept.asked},
                      {"outcome", kept.outcome}};
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
  if (!kept.surroundings.empty() && kept.surroundings != surroundingsOf(source)) {
    if (!wouldAnswer(kept.asked, source))
      return std::nullopt;
    kept.surroundings = surroundingsOf(source); // nobody needs to ask again
    cache_.write(entryName(key), toJSON(kept));
  }
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
  if (!outcome.notAnalyzed.empty())
    return;
  const std::vector<Surroundings::Asked> &asked = Surroundings::asked();
  cache_.write(entryName(key), toJSON(Kept{disk_.record(analysis.filesRead, source.directory), analysis.headers.key,
                                           analysis.headers.digest,
                                           asked.empty() ? std::string() : surroundingsOf(source), asked, outcome}));
}

/// Other files of the project have changed, but not what they say of what matters here.
bool Results::wouldAnswer(ArrayRef<Surroundings::Asked> questions, const Source &source) {
  Surroundings::keepTexts(projectOf(source));
  Surroundings surroundings(source.file);
  return all_of(questions, [&](const Surroundings::Asked &asked) { return surroundings.wouldAnswer(asked); });
}

void Results::knowSurroundings(const Source &source) {
  Surroundings::keepTexts(projectOf(source));
  surroundingsOf(source);
}

const std::string &Results::projectOf(const Source &source) {
  auto [known, isNew] = projects_.try_emplace(sys::path::parent_path(source.file));
  if (isNew)
    known->second = Surroundings::projectOf(source.file);
  return known->second;
}

const std::string &Results::surroundingsOf(const Source &source) {
  auto [known, isNew] = surroundings_.try_emplace(projectOf(source));
  if (isNew)
    known->second = Surroundings::fingerprint(known->first());
  return known->second;
}

} // namespace samedevice::check
