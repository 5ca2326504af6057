#include "SourceTable.h"

#include "SourceText.h"

#include "clang/AST/DeclCXX.h"
#include "clang/AST/ExprCXX.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/Support/Path.h"

namespace samedevice::tidy {
using namespace clang;

namespace {

class Table {
public:
  Table(ASTContext &context, clangfront::Lowered &lowered)
      : sources_(context.getSourceManager()), lowered_(lowered), text_(context, lowered, lowered.program) {}

  void fill() {
    fileOf(sources_.getMainFileID());
    std::vector<facts::Source> table(1);
    for (facts::SourceId id = 1; id < lowered_.sources.size(); ++id)
      table.push_back(at(id));
    lowered_.program.sources = std::move(table);
  }

private:
  facts::Source at(facts::SourceId id) {
    facts::Source source;
    const SourceLocation location = text_.location(id);
    if (location.isInvalid())
      return source;
    const auto [file, offset] = sources_.getDecomposedLoc(location);
    source.file = fileOf(file);
    source.line = sources_.getLineNumber(file, offset);
    source.column = sources_.getColumnNumber(file, offset);
    const clangfront::SourceEntry &entry = *text_.entry(id);
    if (entry.function)
      source.function = lookup(lowered_.functions, entry.function->getCanonicalDecl());
    const auto *expression = dyn_cast_or_null<Expr>(entry.stmt);
    const auto *member = expression ? dyn_cast<MemberExpr>(expression->IgnoreParenImpCasts()) : nullptr;
    if (member && isa<CXXThisExpr>(member->getBase()->IgnoreParenImpCasts()))
      if (const auto *owner = dyn_cast<CXXRecordDecl>(member->getMemberDecl()->getDeclContext()))
        source.member = lookup(lowered_.classes, owner->getDefinition());
    source.name = text_.name(id);
    source.label = text_.label(id);
    source.madeAs = text_.madeAs(id);
    source.callee = text_.callee(id);
    source.isLaunch = text_.isLaunch(id);
    return source;
  }

  static std::uint32_t lookup(const llvm::DenseMap<const Decl *, std::uint32_t> &ids, const Decl *decl) {
    auto known = ids.find(decl);
    return known == ids.end() ? facts::kNone : known->second;
  }

  std::uint32_t fileOf(FileID file) {
    auto [place, isNew] = files_.try_emplace(file, static_cast<std::uint32_t>(lowered_.program.files.size()));
    if (isNew) {
      std::string path;
      if (const auto entry = sources_.getFileEntryRefForID(file)) {
        const StringRef real = entry->getFileEntry().tryGetRealPathName();
        path = (real.empty() ? entry->getName() : real).str();
      }
      // A file that is included twice is still one.
      std::vector<std::string> &files = lowered_.program.files;
      if (auto known = llvm::find(files, path); known != files.end())
        place->second = static_cast<std::uint32_t>(known - files.begin());
      else
        files.push_back(std::move(path));
    }
    return place->second;
  }

  const SourceManager &sources_;
  clangfront::Lowered &lowered_;
  SourceText text_;
  llvm::DenseMap<FileID, std::uint32_t> files_;
};

} // namespace

void describeSources(ASTContext &context, clangfront::Lowered &lowered) { Table(context, lowered).fill(); }

} // namespace samedevice::tidy
