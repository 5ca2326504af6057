#include "FindingsFile.h"

#include "clang/Basic/SourceManager.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

#include <cstdlib>

namespace samedevice::tidy {
using analysis::Step;

namespace {

/// Where clang-tidy was started: it changes its folder for each file of a compilation database.
const std::string &startFolder() {
  static const std::string folder = [] {
    llvm::SmallString<256> current;
    return llvm::sys::fs::current_path(current) ? std::string() : std::string(current);
  }();
  return folder;
}
[[maybe_unused]] const std::string &askedAtLoad = startFolder();

/// Names in sources need not be UTF-8; JSON is.
std::string utf8(llvm::StringRef text) { return llvm::json::isUTF8(text) ? text.str() : llvm::json::fixUTF8(text); }

llvm::json::Value toJson(bool value) { return value; }
llvm::json::Value toJson(int value) { return value; }
llvm::json::Value toJson(const std::string &value) { return utf8(value); }
llvm::json::Value toJson(const Step::Argument &argument) {
  llvm::json::Object object{{"name", utf8(argument.name)}};
  if (argument.isList)
    object["ids"] = llvm::json::Array(argument.ids);
  else
    object["id"] = argument.ids.front();
  return object;
}
template <typename Item> llvm::json::Value toJson(const std::vector<Item> &items) {
  llvm::json::Array list;
  for (const Item &item : items)
    list.push_back(toJson(item));
  return list;
}

} // namespace

std::string FindingsFile::place(llvm::StringRef option) {
  const char *asked = std::getenv("SAMEDEVICE_FINDINGS");
  const llvm::StringRef path = asked && *asked ? llvm::StringRef(asked) : option;
  if (path.empty() || llvm::sys::path::is_absolute(path))
    return path.str();
  llvm::SmallString<256> whole(startFolder());
  llvm::sys::path::append(whole, path);
  return whole.str().str();
}

FindingsFile::Position FindingsFile::position(facts::SourceId id) const {
  clang::SourceLocation location = source_.location(id);
  clang::PresumedLoc presumed = sources_.getPresumedLoc(location);
  if (location.isInvalid() || presumed.isInvalid())
    return {};
  std::string file = presumed.getFilename();
  if (auto entry = sources_.getFileEntryRefForID(sources_.getFileID(location)))
    if (llvm::StringRef real = entry->getFileEntry().tryGetRealPathName(); !real.empty())
      file = real.str();
  return {std::move(file), presumed.getLine(), presumed.getColumn()};
}

void FindingsFile::write(llvm::json::OStream &out, const std::vector<Step> &steps, const std::string &file) const {
  out.object([&] {
    out.attributeArray("steps", [&] {
      for (const Step &step : steps)
        out.object([&] {
          out.attribute("do", step.action);
          for (const auto &[name, member] : step.members)
            out.attribute(name, std::visit([](const auto &value) { return toJson(value); }, member));
          const Position at = position(step.at);
          if (at.line)
            out.attribute("line", at.line);
          if (at.line && at.file != file)
            out.attribute("file", utf8(at.file));
          if (step.fails)
            out.attribute("fails", true);
        });
    });
  });
}

void FindingsFile::add(const analysis::Finding &finding, llvm::StringRef check, llvm::StringRef message, bool hasFix) {
  const Position at = position(finding.at);
  const analysis::Witness &told = finding.witness;
  text_ += text_.empty() ? "" : ",\n";
  llvm::raw_string_ostream stream(text_);
  llvm::json::OStream out(stream);
  out.object([&] {
    out.attribute("check", check);
    out.attribute("message", utf8(message));
    out.attribute("file", utf8(at.file));
    out.attribute("line", at.line);
    out.attribute("column", at.column);
    out.attribute("devices", told.devices);
    out.attribute("fix", hasFix);
    if (told.steps.empty()) {
      out.attribute("unsupported", utf8(told.unsupported));
      return;
    }
    out.attributeBegin("witness");
    write(out, told.steps, at.file);
    out.attributeEnd();
    if (!hasFix || told.fixedSteps.empty())
      return;
    out.attributeBegin("fixedWitness");
    write(out, told.fixedSteps, at.file);
    out.attributeEnd();
  });
}

void FindingsFile::append() {
  if (text_.empty())
    return;
  const std::string document = "{\"samedevice\": 1, \"findings\": [\n" + text_ + "\n]}\n";
  std::error_code error;
  llvm::raw_fd_ostream file(path_, error, llvm::sys::fs::CD_OpenAlways, llvm::sys::fs::FA_Write,
                            llvm::sys::fs::OF_Append);
  if (!error) {
    llvm::Expected<llvm::sys::fs::FileLocker> lock = file.lock();
    if (!lock)
      error = llvm::errorToErrorCode(lock.takeError());
    file << document;
    file.flush();
    if (file.has_error())
      error = file.error();
    file.clear_error();
  }
  if (error)
    llvm::errs() << "samedevice: findings cannot be written to " << path_ << ": " << error.message() << '\n';
}

} // namespace samedevice::tidy
