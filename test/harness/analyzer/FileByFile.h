#pragma once

#include "clang/AST/ASTContext.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Lex/PPCallbacks.h"
#include "clang/Lex/Preprocessor.h"
#include "clang/Sema/Sema.h"
#include "clang/Serialization/ASTDeserializationListener.h"
#include "clang/Serialization/ASTReader.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"

#include <cstring>
#include <functional>
#include <optional>
#include <string>
#include <sys/wait.h>
#include <unistd.h>
#include <utility>
#include <vector>

namespace samedevice {

void forgetIncluders(clang::Preprocessor &preprocessor);
/// The preprocessor has no door to them. An explicit instantiation may name what is private.
template <auto Member> struct DoorToIncluders {
  friend void forgetIncluders(clang::Preprocessor &preprocessor) { (preprocessor.*Member).clear(); }
};
template struct DoorToIncluders<&clang::Preprocessor::IncludeMacroStack>;

struct FileToCompile {
  std::string file;
  std::optional<std::string> text = std::nullopt; ///< in the place of what the file has
};

/// Most of the time that a fixture takes goes into reading what it needs of the precompiled header, nearly the same for
/// each: Clang 19 loads all of a template's specialisations where it makes one more. So Clang is given an empty file,
/// and each of the real ones is compiled by a copy of the process in the place of the empty one. What a copy had to
/// read is read by the process itself before it makes the next one.
class FileByFile : public clang::PPCallbacks, public clang::ASTDeserializationListener {
public:
  /// `begun` is called in each copy, `ended` in the process, with what waitpid says of the copy.
  using Begun = std::function<void(size_t)>;
  using Ended = std::function<void(size_t, int)>;
  FileByFile(clang::Preprocessor &preprocessor, std::vector<FileToCompile> files, Begun begun, Ended ended)
      : preprocessor_(preprocessor), files_(std::move(files)), begun_(std::move(begun)), ended_(std::move(ended)) {}

  void FileChanged(clang::SourceLocation to, FileChangeReason reason, clang::SrcMgr::CharacteristicKind,
                   clang::FileID) override {
    // Back from what is predefined, and the empty file is about to be read.
    const clang::SourceManager &sources = preprocessor_.getSourceManager();
    if (reason != ExitFile || sources.getFileID(to) != sources.getMainFileID())
      return;
    const std::vector<FileToCompile> files = std::exchange(files_, {});
    for (size_t index = 0; index < files.size(); ++index)
      if (!isOneCopyDone(files[index], index))
        return;
  }

  void EndOfMainFile() override {
    if (report_ != -1)
      llvm::raw_fd_ostream(report_, /*shouldClose=*/true)
          .write(reinterpret_cast<const char *>(read_.data()), read_.size() * sizeof(read_.front()));
  }

  void DeclRead(clang::GlobalDeclID id, const clang::Decl *) override { read_.push_back(id.getRawValue()); }

private:
  clang::ASTReader *reader() const { return static_cast<clang::ASTReader *>(preprocessor_.getExternalSource()); }

  /// False in the copy.
  bool isOneCopyDone(const FileToCompile &file, size_t index) {
    int ends[2];
    if (pipe(ends) != 0)
      llvm::report_fatal_error("no pipe");
    const pid_t copy = fork();
    if (copy == 0) {
      close(ends[0]);
      report_ = ends[1];
      begun_(index);
      become(file);
      return false;
    }
    close(ends[1]);
    readAhead(ends[0]);
    close(ends[0]);
    int status = 0;
    waitpid(copy, &status, 0);
    ended_(index, status);
    return true;
  }

  void become(const FileToCompile &file) {
    clang::SourceManager &sources = preprocessor_.getSourceManager();
    const auto entry = sources.getFileManager().getOptionalFileRef(file.file);
    if (!entry)
      llvm::report_fatal_error(llvm::Twine("cannot read ") + file.file);
    if (file.text)
      sources.overrideFileContents(*entry, llvm::MemoryBuffer::getMemBufferCopy(*file.text, file.file));
    if (reader()) {
      reader()->setDeserializationListener(this);
      // The copy ends with all that it has: to take it apart is to copy each page of it.
      reader()->getSema()->getASTContext().Retain();
    }
    // Included from nowhere, as main files are.
    const clang::FileID id = sources.createFileID(*entry, clang::SourceLocation(), clang::SrcMgr::C_User);
    sources.setMainFileID(id);
    preprocessor_.markIncluded(*entry);
    preprocessor_.EnterSourceFile(id, nullptr, clang::SourceLocation());
    forgetIncluders(preprocessor_); // the end of this file is the end of it all
  }

  /// What the copy tells that it read, until it has nothing more to tell.
  void readAhead(int report) {
    llvm::SmallVector<char, 0> told;
    llvm::consumeError(llvm::sys::fs::readNativeFileToEOF(report, told));
    if (!reader())
      return;
    const clang::ExternalASTSource::Deserializing atOnce(reader());
    for (size_t at = 0; at + sizeof(uint64_t) <= told.size(); at += sizeof(uint64_t)) {
      uint64_t id;
      std::memcpy(&id, &told[at], sizeof id);
      reader()->GetDecl(clang::GlobalDeclID(id));
    }
  }

  clang::Preprocessor &preprocessor_;
  std::vector<FileToCompile> files_;
  Begun begun_;
  Ended ended_;
  std::vector<uint64_t> read_;
  int report_ = -1;
};

} // namespace samedevice
