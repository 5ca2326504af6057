#include "LibraryIncludes.h"

#include "clang/Lex/DependencyDirectivesScanner.h"
#include "clang/Lex/HeaderSearchOptions.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/Path.h"

#include <set>

using namespace llvm;
using namespace clang;
using namespace clang::dependency_directives_scan;
namespace path = llvm::sys::path;

namespace samedevice::check {

namespace {

/// What everybody else's headers take, these take a hundred times.
constexpr llvm::StringLiteral kLibraries[] = {"torch/",   "ATen/", "c10/",    "caffe2/", "pybind11/", "Eigen/",
                                              "opencv2/", "cuda",  "thrust/", "cub/",    "Python.h"};

class Scan {
public:
  Scan(const CompilerInvocation &invocation, vfs::FileSystem &files)
      : search_(invocation.getHeaderSearchOpts()), files_(files) {}

  void read(StringRef file) {
    auto buffer = files_.getBufferForFile(file);
    if (!buffer || !seen_.insert(file).second)
      return;
    const StringRef text = (*buffer)->getBuffer();
    SmallVector<dependency_directives_scan::Token> tokens;
    SmallVector<Directive> directives;
    if (scanSourceForDependencyDirectives(text, tokens, directives))
      return;
    const bool isGuarded = directives.size() > 1 && directives[0].Kind == pp_ifndef && directives[1].Kind == pp_define;
    // What stands under a condition is left to the compiler: it comes to it after these.
    int conditions = isGuarded ? -1 : 0;
    for (const Directive &directive : directives) {
      switch (directive.Kind) {
      case pp_if:
      case pp_ifdef:
      case pp_ifndef:
        ++conditions;
        break;
      case pp_endif:
        --conditions;
        break;
      case pp_define:
        if (conditions > 0)
          hasUnknown_ = true;
        else if (!(isGuarded && &directive == &directives[1]))
          define(directive, text);
        break;
      case pp_undef:
        hasUnknown_ = true;
        break;
      case pp_include:
        if (conditions > 0)
          hasUnknown_ = true;
        else
          include(spelled(directive, text), file);
        break;
      default:
        break;
      }
    }
  }

  LibraryIncludes found() const {
    std::string text;
    if (libraries_.empty())
      return {};
    for (const std::string &macro : macrosBefore_)
      text += macro + "\n";
    for (const std::string &library : libraries_)
      text += "#include <" + library + ">\n";
    return {text, !hadUnknown_};
  }

private:
  static StringRef spelled(const Directive &directive, StringRef text) {
    const dependency_directives_scan::Token *name =
        find_if(directive.Tokens, [](const auto &token) { return token.is(tok::header_name); });
    return name == directive.Tokens.end() ? StringRef() : text.slice(name->Offset, name->getEnd());
  }

  /// Libraries let themselves be configured by names with or without a value.
  void define(const Directive &directive, StringRef text) {
    const ArrayRef<dependency_directives_scan::Token> tokens = directive.Tokens; // # define NAME ...
    const bool isFunction = tokens.size() > 3 && tokens[3].is(tok::l_paren) && tokens[3].Offset == tokens[2].getEnd();
    if (tokens.size() < 3 || isFunction) {
      hasUnknown_ = true;
      return;
    }
    std::string line = "#define";
    for (const auto &token : tokens.drop_front(2))
      if (!token.isOneOf(tok::eod, tok::eof))
        line += (" " + text.slice(token.Offset, token.getEnd())).str();
    macros_.push_back(line);
  }

  void include(StringRef spelling, StringRef includer) {
    const bool isQuoted = spelling.starts_with("\"");
    const StringRef name = spelling.drop_front(spelling.empty() ? 0 : 1).drop_back(spelling.empty() ? 0 : 1);
    if (name.empty())
      return;
    if (isQuoted) {
      SmallString<256> beside(path::parent_path(includer));
      path::append(beside, name);
      if (files_.exists(beside))
        return read(beside);
    }
    for (const HeaderSearchOptions::Entry &entry : search_.UserEntries) {
      SmallString<256> found(entry.Path);
      path::append(found, name);
      if (!files_.exists(found))
        continue;
      if (any_of(kLibraries, [&](StringRef library) { return name.starts_with(library); }))
        addLibrary(name);
      else if (entry.Group == frontend::Angled || entry.Group == frontend::Quoted)
        read(found);
      return;
    }
  }

  void addLibrary(StringRef name) {
    libraries_.insert(name.str());
    macrosBefore_ = macros_;
    hadUnknown_ = hasUnknown_;
  }

  const HeaderSearchOptions &search_;
  vfs::FileSystem &files_;
  StringSet<> seen_;
  std::vector<std::string> macros_;
  bool hasUnknown_ = false;               ///< what may define macros, too, and is not followed
  bool hadUnknown_ = false;               ///< before a library
  std::vector<std::string> macrosBefore_; ///< those that a library may have seen
  std::set<std::string> libraries_;       ///< in an order that does not depend on the source's
};

} // namespace

LibraryIncludes libraryIncludes(StringRef file, const CompilerInvocation &invocation, vfs::FileSystem &files) {
  Scan scan(invocation, files);
  scan.read(file);
  return scan.found();
}

} // namespace samedevice::check
