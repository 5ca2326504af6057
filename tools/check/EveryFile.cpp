#include "EveryFile.h"

#include "clang/Lex/HeaderSearch.h"
#include "clang/Lex/HeaderSearchOptions.h"
#include "clang/Lex/PPCallbacks.h"
#include "clang/Lex/Preprocessor.h"
#include "llvm/Support/Path.h"

using namespace llvm;
using namespace clang;

namespace samedevice::check {

namespace {

class LookedInVain : public PPCallbacks {
public:
  LookedInVain(Preprocessor &preprocessor, std::set<std::string> &places)
      : preprocessor_(preprocessor), places_(places) {}

  bool FileNotFound(StringRef name) override {
    note(name);
    return false;
  }

  void HasInclude(SourceLocation, StringRef name, bool, OptionalFileEntryRef found,
                  SrcMgr::CharacteristicKind) override {
    if (!found)
      note(name);
  }

private:
  void note(StringRef name) {
    if (sys::path::is_absolute(name)) {
      places_.insert(name.str());
      return;
    }
    const PreprocessorLexer *includer = preprocessor_.getCurrentFileLexer();
    if (OptionalFileEntryRef file = includer ? includer->getFileEntry() : std::nullopt)
      add(sys::path::parent_path(file->getName()), name);
    HeaderSearch &search = preprocessor_.getHeaderSearchInfo();
    for (const HeaderSearchOptions::Entry &asked : search.getHeaderSearchOpts().UserEntries) // a folder may come later
      add(asked.Path, name);
    for (const DirectoryLookup &folder : search.search_dir_range())
      if (folder.isNormalDir())
        add(folder.getDirRef()->getName(), name);
  }

  void add(StringRef folder, StringRef name) {
    SmallString<256> place(folder);
    sys::path::append(place, name);
    places_.insert(place.str().str());
  }

  Preprocessor &preprocessor_;
  std::set<std::string> &places_;
};

} // namespace

void EveryFile::attachToPreprocessor(Preprocessor &preprocessor) {
  DependencyCollector::attachToPreprocessor(preprocessor);
  preprocessor.addPPCallbacks(std::make_unique<LookedInVain>(preprocessor, missing_));
}

} // namespace samedevice::check
