// What is missing in the syntax tree of a file with errors. Unfinished code is not judged, nor is what it may be using.
#pragma once

#include "../facts/Program.h"
#include "Errors.h"

#include "clang/AST/Decl.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringSet.h"

namespace samedevice::clangfront {

class Losses {
public:
  /// Null: nobody has listened.
  Losses(clang::ASTContext &context, const Errors *errors);

  /// Whether something of its body, or of its class, may be missing. For want of a header, what is unknown shows in the
  /// tree, and is no loss; otherwise somebody is typing.
  bool affect(const clang::FunctionDecl *function);

  /// What may be used by what is missing, or uses it, is left out as well: nobody knows what it is given, and gets.
  void leaveOut(facts::Program &program) const;

private:
  struct Place {
    clang::FileID file;
    unsigned offset;
  };
  struct Range {
    clang::FileID file;
    unsigned begin = 0, end = 0;
    bool has(Place place) const { return file == place.file && begin <= place.offset && place.offset <= end; }
  };

  Range range(clang::SourceRange written) const;
  bool affects(Place error, const clang::FunctionDecl *function) const;
  bool isInClass(Place error, const clang::CXXRecordDecl *record) const;
  bool isBehind(Place error, const clang::Decl *decl) const;
  void loseRest(clang::SourceLocation behind);
  bool isInRest(const clang::FunctionDecl *function) const;
  bool showsIn(const clang::FunctionDecl *function, Place error) const;
  void readNames(const clang::DeclContext *within, Place error);
  void readNames(Range text);
  void loseScope(const clang::DeclContext *scope);
  bool names(Range text, const llvm::StringSet<> &those) const;
  bool forEachName(Range text, llvm::function_ref<bool(llvm::StringRef)> see) const;
  void spread(const facts::Program &program, std::vector<char> &isOut) const;
  static void forgetGlobals(facts::Program &program, const std::vector<char> &isOut);

  clang::ASTContext &context_;
  std::vector<Place> errors_;
  std::optional<clang::SourceLocation> silence_; ///< from there on, what is missing has no errors
  bool lacksHeaders_ = false;
  bool hasLostScope_ = false;  ///< between functions, or cut off: variables of one may seem to be everybody's, callers
                               ///< may be missing
  bool hasStrayBrace_ = false; ///< what follows may be the rest of the function before
  llvm::DenseMap<const clang::FunctionDecl *, bool> known_;
  llvm::StringSet<> named_;       ///< in what may be missing
  llvm::StringSet<> lostClasses_; ///< of which a member may be
};

} // namespace samedevice::clangfront
