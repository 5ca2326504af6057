#include "PrecompiledHeaders.h"

#include "EveryFile.h"
#include "LibraryIncludes.h"
#include "OwnCode.h"
#include "Version.h"

#include "clang/Basic/CodeGenOptions.h"
#include "clang/Basic/FileManager.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Frontend/FrontendActions.h"
#include "clang/Lex/HeaderSearchOptions.h"
#include "clang/Lex/PreprocessorOptions.h"
#include "clang/Serialization/ASTWriter.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/LockFileManager.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/xxhash.h"

using namespace llvm;
using namespace clang;

namespace samedevice::check {

json::Value toJSON(const PrecompiledRecord &record) {
  return json::Object{{"text", json::fixUTF8(record.text)},
                      {"digest", record.digest},
                      {"file", record.file},
                      {"checksum", record.checksum},
                      {"inputs", record.inputs}};
}

bool fromJSON(const json::Value &value, PrecompiledRecord &record, json::Path path) {
  json::ObjectMapper map(value, path);
  return map && map.map("digest", record.digest) && map.map("file", record.file) &&
         map.map("checksum", record.checksum) && map.map("inputs", record.inputs);
}

namespace {

/// Into memory: Clang ends the program where a disk is full.
class MakeHeaders : public GeneratePCHAction {
public:
  StringRef bytes() const { return StringRef(buffer_->Data.data(), buffer_->Data.size()); }

protected:
  std::unique_ptr<ASTConsumer> CreateASTConsumer(CompilerInstance &compiler, StringRef) override {
    const FrontendOptions &options = compiler.getFrontendOpts();
    return librariesOnly(compiler, std::make_unique<PCHGenerator>(
                                       compiler.getPreprocessor(), compiler.getModuleCache(), options.OutputFile,
                                       /*isysroot=*/"", buffer_, options.ModuleFileExtensions,
                                       /*AllowASTWithErrors=*/false, options.IncludeTimestamps));
  }

private:
  std::shared_ptr<PCHBuffer> buffer_ = std::make_shared<PCHBuffer>();
};

/// The invocation that makes the headers for another.
std::shared_ptr<CompilerInvocation> making(const CompilerInvocation &invocation) {
  auto making = std::make_shared<CompilerInvocation>(invocation);
  making->getCodeGenOpts() = CodeGenOptions(); // it names the source
  making->getFrontendOpts().Inputs.clear();
  making->getFrontendOpts().ProgramAction = frontend::GeneratePCH;
  making->getFrontendOpts().IncludeTimestamps = false; // contents count, and we compare them
  making->getDependencyOutputOpts() = DependencyOutputOptions();
  making->getDiagnosticOpts().IgnoreWarnings = true;
  // A template's body is a row of tokens until somebody instantiates it, which hardly anybody does. C++20 has no such
  // mode.
  making->getLangOpts().DelayedTemplateParsing = !making->getLangOpts().CPlusPlus20;
  return making;
}

std::string checksumOf(StringRef bytes) { return utohexstr(xxh3_64bits(bytes)); }

std::string checksumOfFile(StringRef file) {
  auto buffer = MemoryBuffer::getFile(file, /*IsText=*/false, /*RequiresNullTerminator=*/false);
  return buffer ? checksumOf((*buffer)->getBuffer()) : std::string();
}

/// Where the command runs makes no difference to one that says everything in full.
std::string folderOf(const CompilerInvocation &invocation, vfs::FileSystem &system) {
  const bool isRelative = any_of(invocation.getHeaderSearchOpts().UserEntries,
                                 [](const auto &entry) { return !sys::path::is_absolute(entry.Path); }) ||
                          any_of(invocation.getPreprocessorOpts().Includes,
                                 [](const std::string &file) { return !sys::path::is_absolute(file); });
  return isRelative ? system.getCurrentWorkingDirectory().get() : std::string();
}

std::string recordName(StringRef key) { return (key + ".headers.json").str(); }

} // namespace

PrecompiledHeaders::Use PrecompiledHeaders::addTo(CompilerInvocation &invocation, FileManager &files) {
  const auto &inputs = invocation.getFrontendOpts().Inputs;
  // Who brings precompiled headers has ours in them, or has others.
  if (!cache_.isUsable() || inputs.size() != 1 || !inputs.front().isFile() ||
      !invocation.getPreprocessorOpts().ImplicitPCHInclude.empty())
    return {};
  vfs::FileSystem &system = files.getVirtualFileSystem();
  const auto [text, isSure] = libraryIncludes(inputs.front().getFile(), invocation, system);
  if (text.empty())
    return {};
  std::vector<std::string> parts = making(invocation)->getCC1CommandLine();
  parts.insert(parts.end(), {text, buildIdentity(), folderOf(invocation, system),
                             std::to_string(static_cast<int>(inputs.front().getKind().getLanguage()))});
  const std::string key = digestOf(parts);

  std::optional<PrecompiledRecord> record = find(key);
  while (!record) {
    // Of several who want the same headers, one makes them.
    LockFileManager lock(cache_.pathOf(key));
    if (lock == LockFileManager::LFS_Error)
      return {};
    if (lock == LockFileManager::LFS_Shared) {
      constexpr unsigned longest = 300;
      if (lock.waitForUnlock(longest) == LockFileManager::Res_Timeout)
        return {};
      record = find(key);
      continue;
    }
    record = find(key);
    if (!record)
      record = make(key, text, invocation, files);
    if (!record)
      return {};
  }
  if (record->file.empty())
    return {key, record->digest};
  PreprocessorOptions &preprocessor = invocation.getPreprocessorOpts();
  preprocessor.ImplicitPCHInclude = cache_.pathOf(record->file);
  // They were made with the same flags, of files that are what they were.
  preprocessor.DisablePCHOrModuleValidation = DisableValidationForModuleKind::All;
  preprocessor.UsePredefines = false;
  cache_.touch(record->file);
  cache_.touch(recordName(key));
  return {key, record->digest, isSure};
}

std::optional<PrecompiledRecord> PrecompiledHeaders::find(StringRef key) {
  std::optional<json::Value> value = cache_.read(recordName(key));
  if (!value)
    return std::nullopt;
  PrecompiledRecord record;
  json::Path::Root root;
  if (!fromJSON(*value, record, root) || !disk_.hasUnchanged(record.inputs))
    return std::nullopt;
  if (!record.file.empty() && checksumOfFile(cache_.pathOf(record.file)) != record.checksum)
    return std::nullopt;
  return record;
}

std::optional<PrecompiledRecord> PrecompiledHeaders::make(StringRef key, const std::string &text,
                                                          const CompilerInvocation &invocation, FileManager &files) {
  std::shared_ptr<CompilerInvocation> invoked = making(invocation);
  const std::unique_ptr<MemoryBuffer> buffer = MemoryBuffer::getMemBuffer(text, "libraries.h");
  invoked->getFrontendOpts().Inputs.emplace_back(buffer->getMemBufferRef(),
                                                 invocation.getFrontendOpts().Inputs.front().getKind());
  invoked->getFrontendOpts().OutputFile = cache_.pathOf((key + ".pch").str());
  CompilerInstance compiler;
  compiler.setInvocation(std::move(invoked));
  compiler.setFileManager(&files);
  compiler.createDiagnostics(new IgnoringDiagConsumer);
  compiler.createSourceManager(files);
  auto read = std::make_shared<EveryFile>();
  compiler.addDependencyCollector(read);
  MakeHeaders action;
  const bool succeeded = compiler.ExecuteAction(action) && !compiler.getDiagnostics().hasErrorOccurred();

  PrecompiledRecord record;
  record.text = text;
  std::vector<std::string> names = read->getDependencies(), digests;
  llvm::erase(names, "libraries.h");
  llvm::append_range(names, read->missing());
  record.inputs = disk_.record(names, files.getVirtualFileSystem().getCurrentWorkingDirectory().get());
  for (const Input &input : record.inputs)
    digests.push_back(input.file + input.digest);
  record.digest = digestOf(digests);
  if (succeeded) {
    // Named by what it was made of: who still reads an older one goes on with that.
    record.file = (key + "-" + record.digest + ".pch").str();
    record.checksum = checksumOf(action.bytes());
    if (!cache_.keep(record.file, [&](raw_ostream &out) { out << action.bytes(); }))
      return std::nullopt;
  }
  cache_.write(recordName(key), record);
  return record;
}

bool PrecompiledHeaders::isCurrent(StringRef key, StringRef digest) {
  auto [known, isNew] = currentDigests_.try_emplace(key);
  if (isNew)
    if (std::optional<json::Value> value = cache_.read(recordName(key))) {
      PrecompiledRecord record;
      json::Path::Root root;
      if (fromJSON(*value, record, root) && disk_.hasUnchanged(record.inputs))
        known->second = record.digest;
    }
  return known->second == digest;
}

} // namespace samedevice::check
