#include "Replay.h"

#include "FindingsFile.h"
#include "Program.h"
#include "WholeFile.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FileUtilities.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"

#include <map>
#include <tuple>

using namespace llvm;

namespace samedevice::check {

namespace {

constexpr StringLiteral kProgram = "samedevice-replay";

Expected<std::string> programBeside(const std::string &executable) {
  ErrorOr<std::string> found = sys::findProgramByName(kProgram, {sys::path::parent_path(executable)});
  if (!found)
    found = sys::findProgramByName(kProgram);
  if (!found)
    return createStringError(found.getError(), "samedevice-replay is not installed");
  return *found;
}

/// Which finding a replay is of.
using Identity = std::tuple<std::string, std::string, int64_t, int64_t, std::string>;

Verdict verdictOf(const json::Object &replay, const json::Object &document) {
  const auto text = [&](StringRef name) { return replay.getString(name).value_or("").str(); };
  return {text("verdict"),
          text("outcome"),
          text("at"),
          document.getString("device").value_or("").str(),
          document.getBoolean("simulated").value_or(true),
          replay.getBoolean("resolved")};
}

Error take(StringRef text, std::vector<Finding> &findings) {
  Expected<json::Value> document = json::parse(text);
  if (!document)
    return document.takeError();
  const json::Object *object = document->getAsObject();
  const json::Array *replays = object ? object->getArray("replays") : nullptr;
  if (!replays)
    return createStringError(inconvertibleErrorCode(), "it has no replays");
  std::map<Identity, Verdict> verdicts;
  for (const json::Value &value : *replays)
    if (const json::Object *replay = value.getAsObject())
      verdicts.try_emplace({replay->getString("check").value_or("").str(), replay->getString("file").value_or("").str(),
                            replay->getInteger("line").value_or(0), replay->getInteger("column").value_or(0),
                            replay->getString("message").value_or("").str()},
                           verdictOf(*replay, *object));
  for (Finding &finding : findings) {
    auto known = verdicts.find({finding.check, json::fixUTF8(finding.at.file), finding.at.line, finding.at.column,
                                json::fixUTF8(finding.message)});
    if (known != verdicts.end())
      finding.evidence.verdict = known->second;
  }
  return Error::success();
}

} // namespace

Error replay(std::vector<Finding> &findings, const std::string &executable, StringRef backend) {
  Expected<std::string> program = programBeside(executable);
  if (!program)
    return program.takeError();
  SmallString<128> file, answer;
  if (std::error_code error = sys::fs::createTemporaryFile("samedevice", "json", file))
    return errorCodeToError(error);
  const FileRemover remover(file);
  if (std::error_code error = sys::fs::createTemporaryFile("samedevice", "answer", answer))
    return errorCodeToError(error);
  const FileRemover answerRemover(answer);
  if (Error error = writeWhole(file, [&](raw_ostream &out) { printFindingsFile(findings, Summary(), out); }))
    return error;
  // Each witness has a limit of its own, all of them together have none.
  const std::optional<StringRef> redirects[] = {StringRef(), answer.str(), std::nullopt};
  const int status =
      sys::ExecuteAndWait(*program, {*program, file.str(), "--json", "--backend", backend}, std::nullopt, redirects);
  constexpr int unusable = 2; // it has said why
  if (status < 0 || status >= unusable)
    return createStringError(inconvertibleErrorCode(), "samedevice-replay gave no verdicts");
  if (Error error = take(textOfFile(answer), findings))
    return createStringError(inconvertibleErrorCode(), "what samedevice-replay says: %s",
                             toString(std::move(error)).c_str());
  return Error::success();
}

} // namespace samedevice::check
