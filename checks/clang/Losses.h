// What is missing in the syntax tree of a file with errors. Unfinished code is not judged, nor is what it may be using.
#pragma once

#include "../facts/Program.h"

#include "clang/AST/Decl.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/StringSet.h"

namespace samedevice::clangfront {

class Losses {
public:
  Losses(clang::ASTContext &context, llvm::ArrayRef<clang::SourceLocation> errors);

  /// Whether something of its body, or of its class, may be missing. An error that shows in the tree, a call of something
  /// unknown, is no loss.
  bool affect(const clang::FunctionDecl *function);

  /// Functions and classes whose users may be among what is missing are left to these: nobody knows what they are given.
  void leaveOutUndriven(facts::Program &program) const;

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
  bool showsIn(const clang::FunctionDecl *function, Place error) const;
  void readNames(const clang::DeclContext *scope, Place error);
  void readNames(Range text);

  clang::ASTContext &context_;
  std::vector<Place> errors_;
  bool hasStrayBrace_ = false; ///< what follows may be the rest of the function before
  llvm::DenseMap<const clang::FunctionDecl *, bool> known_;
  llvm::StringSet<> named_; ///< in what may be missing
};

} // namespace samedevice::clangfront
