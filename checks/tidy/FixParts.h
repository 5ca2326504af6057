// What fixes are made of: which expressions can be written again, where text can go in.
#pragma once

#include "SourceText.h"

#include "clang/AST/DeclCXX.h"
#include "clang/Basic/Diagnostic.h"
#include "llvm/ADT/STLFunctionalExtras.h"

#include <optional>
#include <utility>

namespace samedevice::tidy {

using Fixes = std::vector<clang::FixItHint>;

/// A variable or a member of one: can be written twice without doing anything twice.
bool isPlain(const clang::Expr *expression);
/// `frames.back()`, `rows[i]`, `average[parameter.key()]`: asking for it again gives the same.
bool isRepeatable(const clang::Expr *expression);
bool isTensor(const clang::Expr *expression);
std::string textOf(const clang::Expr *expression, clang::ASTContext &context);
/// The statement without what Clang wraps around it for temporaries.
const clang::Stmt *withoutCleanups(const clang::Stmt *statement);
/// Whether `holds` for the class or one of its bases.
bool anyOfBases(const clang::CXXRecordDecl *record, llvm::function_ref<bool(const clang::CXXRecordDecl *)> holds);
/// Whether the class is the one of this qualified name, or has it among its bases.
bool isA(const clang::CXXRecordDecl *record, llvm::StringRef name);
/// What a `shared_ptr` or `unique_ptr` points to; nullptr for other classes.
const clang::CXXRecordDecl *heldBy(const clang::CXXRecordDecl *pointer);
/// The function's own assignment `a = b`, through whatever Clang wraps around it; nullptr when it is none.
const clang::CXXOperatorCallExpr *asAssignment(const clang::Stmt *statement);
/// The variable of a declaration that declares no other.
const clang::VarDecl *onlyVariable(const clang::Stmt *statement);
/// How often a variable or member is named there.
int mentions(const clang::ValueDecl *variable, const clang::Stmt *within);
/// `suffix` behind an expression that takes one: a name, a call, a subscript.
Fixes append(const clang::Expr *expression, const std::string &suffix, const SourceText &source);
/// How a member of this object is reached: holders and pointers by an arrow.
const char *accessOf(clang::QualType type);
/// Where the parameters of what `name` names are; empty where that is no module, or a script, whose list has no [].
std::string deviceOfModule(clang::QualType type, const std::string &name);
/// The name of the class, without references and the like.
std::string classOf(clang::QualType type);
/// What the fix says of a device, as it can be written at `place`; empty where nothing is at hand.
std::string deviceAt(const analysis::Fix &fix, facts::SourceId place, const SourceText &source);
/// The holder or pointer that an arrow or a star leads away from.
const clang::Expr *withoutArrow(const clang::Expr *expression);
/// Where it stands in the file, also as a macro's argument; invalid where it does not.
clang::CharSourceRange asInFile(const clang::Expr *expression, const clang::ASTContext &context);
/// What Clang makes of an argument, undone: `torch::kCUDA` may stand for options.
const clang::Expr *asWritten(const clang::Expr *expression);
bool isWithin(clang::SourceRange inner, const clang::Stmt *outer, const clang::ASTContext &context);
/// Whether an expression names what is declared within a statement, and nowhere behind it.
bool dependsOn(const clang::Stmt *expression, const clang::Stmt *statement, const clang::SourceManager &sources);
/// A line of its own at `place`, behind `statement`; or a part of its line, where a brace ends that.
clang::FixItHint lineAt(clang::SourceLocation place, const clang::Stmt *statement, const std::string &line,
                        const SourceText &source, const clang::SourceManager &sources);
/// A line behind a statement, which gets braces where it stands alone.
Fixes lineAfter(const SourceText::Room &room, const std::string &line, const SourceText &source,
                const clang::ASTContext &context);
/// A whole line before what stands at `place`, indented as that is.
clang::FixItHint lineBefore(clang::SourceLocation place, const std::string &line, const SourceText &source);

/// The line that includes a header, among the file's others; nothing where it is there already.
std::optional<clang::FixItHint> includeIn(clang::FileID file, llvm::StringRef header,
                                          const clang::SourceManager &sources);

/// The host reads a tensor's memory: it gets a copy, which is named where a pointer into it must live on.
Fixes hostCopy(const analysis::Fix &fix, const SourceText &source, clang::ASTContext &context);
/// A module that was left behind goes with others of its kind, or is moved where it is made (MoveFix.cpp).
Fixes moveModule(const analysis::Finding &finding, const SourceText &source, clang::ASTContext &context);
/// What a statement puts somewhere, as it is called from then on.
std::pair<std::string, clang::QualType> putInBy(const clang::Stmt *statement, const clang::Expr *subject,
                                                clang::ASTContext &context);
/// What was copied and then assigned to becomes a reference (ReferenceFix.cpp).
Fixes byReference(const analysis::Fix &fix, const SourceText &source, clang::ASTContext &context);
/// What was put in is moved after the statement that does it.
Fixes moveAfter(const analysis::Fix &fix, const SourceText &source, clang::ASTContext &context);
Fixes setData(const analysis::Fix &fix, const SourceText &source);
/// A tensor member, or a module, gets registered where it is stored.
Fixes registerMember(const analysis::Fix &fix, const SourceText &source, clang::ASTContext &context);
/// A tensor that nothing can register goes where it is needed, if that is one place (UseFix.cpp).
Fixes moveWhereUsed(const analysis::Finding &finding, const SourceText &source, clang::ASTContext &context);
/// The optimizer is told of what was put in behind its back (OptimizerFix.cpp).
Fixes addParameters(const analysis::Fix &fix, const SourceText &source, clang::ASTContext &context);
/// Copies that name the wrong side, or none (PointerFix.cpp).
Fixes memcpyKind(const analysis::Fix &fix, const SourceText &source, clang::ASTContext &context);
Fixes blobOptions(const analysis::Finding &finding, const SourceText &source, clang::ASTContext &context);
/// A function of the host's that is given memory of a device, or the other way round: its twin of the other side.
Fixes otherSide(const analysis::Finding &finding, const SourceText &source, clang::ASTContext &context);
/// A factory call gets a device.
Fixes addDevice(const analysis::Fix &fix, const std::string &device, const SourceText &source,
                clang::ASTContext &context);

} // namespace samedevice::tidy
