#include "Questions.h"

#include "Ast.h"
#include "CallSite.h"

#include "clang/AST/ASTContext.h"
#include "clang/Basic/CharInfo.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/bit.h"
#include "llvm/Support/raw_ostream.h"

#include <limits>

namespace samedevice::clangfront {

using namespace clang;

namespace {

/// The words of a name: `try_pop`, `tryPop` and `TryPop` have two.
llvm::SmallVector<std::string, 4> wordsOf(StringRef name) {
  llvm::SmallVector<std::string, 4> words(1);
  for (size_t i = 0; i < name.size(); ++i) {
    const bool begins = isUppercase(name[i]) && i > 0 && isLowercase(name[i - 1]);
    if ((begins || !llvm::isAlnum(name[i])) && !words.back().empty())
      words.emplace_back();
    if (llvm::isAlnum(name[i]))
      words.back() += llvm::toLower(name[i]);
  }
  return words;
}

/// What such a function answers holds for the moment only: it waits, draws, takes or measures.
bool isOfTheMoment(StringRef name) {
  static constexpr llvm::StringLiteral moments[] = {
      "rand",  "random",  "now",     "time",     "clock",     "elapsed", "tick",     "next",  "poll",    "try",
      "read",  "recv",    "receive", "wait",     "pop",       "take",    "fetch",    "pull",  "accept",  "sample",
      "draw",  "uniform", "normal",  "getline",  "getc",      "getchar", "eof",      "scanf", "input",   "flip",
      "toss",  "lock",    "acquire", "exchange", "ready",     "done",    "finished", "stop",  "stopped", "running",
      "query", "peek",    "good",    "fail",     "progress",  "update",  "step",     "load",  "dequeue", "advance",
      "cas",   "signal",  "pending", "alive",    "connected", "expired"};
  return llvm::any_of(wordsOf(name), [](const std::string &word) { return llvm::is_contained(moments, word); });
}

/// Methods that have a const twin, and change nothing themselves.
bool onlyLeadsTo(StringRef name) {
  static constexpr llvm::StringLiteral leading[] = {"at",   "begin",  "end",  "front", "back", "data",
                                                    "find", "rbegin", "rend", "get",   "value"};
  return llvm::is_contained(leading, name);
}

bool isPointerOperator(OverloadedOperatorKind kind) { return kind == OO_Arrow || kind == OO_Star; }

/// What a holder, a pointer or an optional leads to is it itself, as in facts.
const Expr *behindPointers(const Expr *expr) {
  for (expr = stripped(expr); expr; expr = stripped(expr)) {
    const auto *op = dyn_cast<CXXOperatorCallExpr>(expr);
    const auto *deref = dyn_cast<UnaryOperator>(expr);
    if (op && op->getNumArgs() == 1 && isPointerOperator(op->getOperator()))
      expr = op->getArg(0);
    else if (deref && deref->getOpcode() == UO_Deref)
      expr = deref->getSubExpr();
    else
      break;
  }
  return expr;
}

/// Whether `access` is a place of its own, as a member of a structure of the user's is.
bool isOwnMember(const MemberExpr *access, Types &types) {
  const facts::Type base = types.of(behindPointers(access->getBase())->getType()).type;
  return isa<FieldDecl>(access->getMemberDecl()) && (base == facts::Type::Record || base == facts::Type::Module);
}

bool isVariable(const Expr *expr, Types &types) {
  expr = behindPointers(expr);
  if (const auto *ref = dyn_cast_or_null<DeclRefExpr>(expr))
    return isa<VarDecl, BindingDecl>(ref->getDecl());
  const auto *access = dyn_cast_or_null<MemberExpr>(expr);
  return isa_and_nonnull<CXXThisExpr>(expr) ||
         (access && isOwnMember(access, types) && isVariable(access->getBase(), types));
}

/// Two of these are one place exactly where this is the same.
std::string spelledPlace(const Expr *expr) {
  expr = behindPointers(expr);
  auto name = [](const ValueDecl *decl) {
    return std::to_string(reinterpret_cast<std::uintptr_t>(decl->getCanonicalDecl()));
  };
  if (const auto *ref = dyn_cast<DeclRefExpr>(expr))
    return name(ref->getDecl());
  if (const auto *access = dyn_cast<MemberExpr>(expr))
    return spelledPlace(access->getBase()) + '.' + name(access->getMemberDecl());
  return "this";
}

/// `x.item<float>`, as against what the arguments say.
bool namesTypes(const Expr *callee) {
  if (const auto *method = dyn_cast_or_null<MemberExpr>(callee))
    return method->hasExplicitTemplateArgs();
  const auto *function = dyn_cast_or_null<DeclRefExpr>(callee);
  return function && function->hasExplicitTemplateArgs();
}

/// The number that is written there.
std::optional<double> numberIn(const Expr *expr) {
  expr = stripped(expr);
  const auto *sign = dyn_cast_or_null<UnaryOperator>(expr);
  const bool isNegative = sign && sign->getOpcode() == UO_Minus;
  if (isNegative)
    expr = stripped(sign->getSubExpr());
  std::optional<double> number;
  if (const auto *whole = dyn_cast_or_null<IntegerLiteral>(expr))
    number = whole->getValue().roundToDouble();
  else if (const auto *real = dyn_cast_or_null<FloatingLiteral>(expr))
    number = real->getValueAsApproximateDouble();
  return number && isNegative ? -*number : number;
}

class Reader {
public:
  explicit Reader(Types &types) : types_(types) {}

  bool read(const Expr *expr);
  std::optional<Question> found() && {
    out_.flush();
    return std::move(question_);
  }

private:
  bool readCall(const CallExpr *call);
  bool readBinary(BinaryOperatorKind kind, const Expr *left, const Expr *right);
  bool readName(const DeclRefExpr *ref);
  bool about(const Expr *place);
  bool readAll(llvm::ArrayRef<const Expr *> parts);

  Types &types_;
  Question question_;
  llvm::raw_string_ostream out_{question_.text};
  llvm::SmallVector<std::string, 2> places_;
  int depth_ = 0;
};

bool Reader::about(const Expr *place) {
  const std::string key = spelledPlace(place);
  const auto *known = llvm::find(places_, key);
  if (known == places_.end()) {
    question_.about.push_back(behindPointers(place));
    places_.push_back(key);
    known = std::prev(places_.end());
  }
  out_ << '$' << (known - places_.begin());
  constexpr size_t few = 4;
  return places_.size() <= few;
}

bool Reader::readAll(llvm::ArrayRef<const Expr *> parts) {
  for (const Expr *part : parts) {
    out_ << ',';
    if (!isOmitted(part) && !read(part))
      return false;
  }
  return true;
}

bool Reader::readName(const DeclRefExpr *ref) {
  const ValueDecl *decl = ref->getDecl();
  if (const auto *enumerator = dyn_cast<EnumConstantDecl>(decl)) {
    out_ << '#' << llvm::toString(enumerator->getInitVal(), 10);
    return true;
  }
  const auto *variable = dyn_cast<VarDecl>(decl);
  if (variable && variable->hasGlobalStorage() && variable->getType().isConstQualified()) {
    out_ << variable->getQualifiedNameAsString();
    return true;
  }
  return isVariable(ref, types_) && about(ref);
}

/// `a > b` is asked like `b < a`; that a question is negated, only the whole of it says. With a number that is written
/// there, the question is for the other side, and what is known of that answers others, too.
bool Reader::readBinary(BinaryOperatorKind kind, const Expr *left, const Expr *right) {
  if (numberIn(left) && BinaryOperator::isComparisonOp(kind)) {
    std::swap(left, right);
    if (BinaryOperator::isRelationalOp(kind))
      kind = BinaryOperator::reverseComparisonOp(kind);
  }
  const bool isNegation = kind == BO_NE || kind == BO_GE || kind == BO_LE;
  const std::optional<double> bound = BinaryOperator::isComparisonOp(kind) ? numberIn(right) : std::nullopt;
  if (bound && depth_ == 1) {
    question_.isNegated ^= isNegation;
    question_.how = kind == BO_EQ || kind == BO_NE   ? facts::Mode::Equal
                    : kind == BO_LT || kind == BO_GE ? facts::Mode::Less
                                                     : facts::Mode::Greater;
    question_.bound = orderOf(*bound);
    return read(left);
  }
  if (kind == BO_GT || kind == BO_LE) // a <= b: not b < a
    std::swap(left, right);
  StringRef sign = kind == BO_EQ || kind == BO_NE         ? "=="
                   : BinaryOperator::isRelationalOp(kind) ? "<"
                                                          : BinaryOperator::getOpcodeStr(kind);
  if (isNegation && depth_ > 1)
    out_ << '!';
  else
    question_.isNegated ^= isNegation;
  out_ << '(';
  if (!read(left))
    return false;
  out_ << sign;
  const bool isRead = read(right);
  out_ << ')';
  return isRead;
}

bool Reader::readCall(const CallExpr *expr) {
  const CallSite call = CallSite::of(expr);
  if (!call.callee)
    return false;
  const auto *method = dyn_cast<CXXMethodDecl>(call.callee);
  if (const auto *op = dyn_cast<CXXOperatorCallExpr>(expr)) {
    if (const BinaryOperatorKind kind =
            op->isComparisonOp() ? BinaryOperator::getOverloadedOpcode(op->getOperator()) : BO_Comma;
        op->getNumArgs() == 2 && kind != BO_Comma)
      return readBinary(kind, op->getArg(0), op->getArg(1));
    const bool isSubscript =
        op->getOperator() == OO_Subscript && !(method && !method->isConst() && types_.isMap(method->getParent()));
    const bool isRead = isSubscript || isPointerOperator(op->getOperator()) || !method || method->isConst();
    const bool isLambda = method && method->getParent()->isLambda();
    if (!isRead || op->isAssignmentOp() || (op->getOperator() == OO_Call && !isLambda))
      return false;
    out_ << getOperatorSpelling(op->getOperator()) << '(';
    const bool areRead = readAll({op->getArgs(), op->getNumArgs()});
    out_ << ')';
    return areRead;
  }
  const IdentifierInfo *name = call.callee->getIdentifier();
  if (name && isOfTheMoment(name->getName()))
    return false;
  if (call.object) {
    if (!method || (!method->isConst() && !method->isStatic() && !(name && onlyLeadsTo(name->getName()))))
      return false;
    if (!read(call.object))
      return false;
    out_ << '.';
  }
  for (unsigned i = 0; i < call.args.size(); ++i)
    if (const QualType param = call.paramType(i);
        !param.isNull() && (param->isReferenceType() || param->isPointerType()) &&
        !param->getPointeeType().isConstQualified() && !param->isRValueReferenceType())
      return false;
  call.callee->printQualifiedName(out_);
  const TemplateArgumentList *given =
      namesTypes(stripped(expr->getCallee())) ? call.callee->getTemplateSpecializationArgs() : nullptr;
  for (unsigned i = 0; given && i < given->size(); ++i) {
    out_ << '~';
    given->get(i).print(PrintingPolicy(LangOptions()), out_, /*IncludeType=*/false);
  }
  out_ << '(';
  const bool areRead = readAll(call.args);
  out_ << ')';
  return areRead;
}

bool Reader::read(const Expr *expr) {
  constexpr int deep = 12;
  expr = stripped(expr);
  if (!expr || expr->containsErrors() || expr->isTypeDependent() || expr->isValueDependent() || depth_ > deep)
    return false;
  ++depth_;
  const bool isRead = [&] {
    if (const auto *number = dyn_cast<IntegerLiteral>(expr)) {
      out_ << '#' << llvm::toString(number->getValue(), 10, /*Signed=*/false);
      return true;
    }
    if (const auto *number = dyn_cast<FloatingLiteral>(expr)) {
      out_ << '#' << number->getValueAsApproximateDouble();
      return true;
    }
    if (const auto *literal = dyn_cast<CXXBoolLiteralExpr>(expr)) {
      out_ << '#' << literal->getValue();
      return true;
    }
    if (const auto *letter = dyn_cast<CharacterLiteral>(expr)) {
      out_ << '#' << letter->getValue();
      return true;
    }
    if (const auto *text = dyn_cast<StringLiteral>(expr)) {
      out_ << '"' << text->getBytes() << '"';
      return true;
    }
    if (isa<CXXNullPtrLiteralExpr>(expr) || isa<GNUNullExpr>(expr)) {
      out_ << "null";
      return true;
    }
    if (const auto *ref = dyn_cast<DeclRefExpr>(expr))
      return readName(ref);
    if (isa<CXXThisExpr>(expr))
      return about(expr);
    if (const auto *access = dyn_cast<MemberExpr>(expr)) {
      if (isVariable(access, types_))
        return about(access);
      if (!isa<FieldDecl>(access->getMemberDecl()) || !read(access->getBase()))
        return false;
      out_ << '.' << access->getMemberDecl()->getName();
      return true;
    }
    if (const auto *call = dyn_cast<CallExpr>(expr))
      return readCall(call);
    if (const auto *lambda = dyn_cast<LambdaExpr>(expr); lambda && lambda->capture_size() == 0) {
      lambda->getBody()->printPretty(out_, nullptr, PrintingPolicy(LangOptions()));
      return true;
    }
    if (const auto *op = dyn_cast<BinaryOperator>(expr)) {
      if (op->isAssignmentOp() || op->isPtrMemOp() || op->getOpcode() == BO_Comma)
        return false;
      return readBinary(op->getOpcode(), op->getLHS(), op->getRHS());
    }
    if (const auto *rewritten = dyn_cast<CXXRewrittenBinaryOperator>(expr)) {
      const auto form = rewritten->getDecomposedForm();
      return readBinary(form.Opcode, form.LHS, form.RHS);
    }
    if (const auto *op = dyn_cast<UnaryOperator>(expr)) {
      if (op->isIncrementDecrementOp() || op->getOpcode() == UO_AddrOf)
        return false;
      if (op->getOpcode() == UO_LNot && depth_ == 1) {
        question_.isNegated = !question_.isNegated;
        --depth_;
        const bool inner = read(op->getSubExpr());
        ++depth_;
        return inner;
      }
      if (op->getOpcode() != UO_Deref)
        out_ << UnaryOperator::getOpcodeStr(op->getOpcode());
      return read(op->getSubExpr());
    }
    if (const auto *subscript = dyn_cast<ArraySubscriptExpr>(expr)) {
      if (!read(subscript->getBase()))
        return false;
      out_ << '[';
      const bool inner = read(subscript->getIdx());
      out_ << ']';
      return inner;
    }
    if (const auto *cast = dyn_cast<CastExpr>(expr)) { // to bool, or to a whole number
      if (cast->getCastKind() == CK_NullToPointer) {
        out_ << "null";
        return true;
      }
      const bool isNumber = cast->getCastKind() == CK_IntegralToBoolean || cast->getCastKind() == CK_FloatingToBoolean;
      if (isNumber && depth_ == 1) {
        question_.isNegated = !question_.isNegated;
        question_.how = facts::Mode::Equal;
        return read(cast->getSubExpr());
      }
      const bool isTest = isNumber || cast->getCastKind() == CK_PointerToBoolean;
      if (isTest && depth_ == 1)
        question_.isNegated = !question_.isNegated;
      out_ << (isTest ? "(" : "int(");
      if (!read(cast->getSubExpr()))
        return false;
      out_ << (!isTest ? ")" : cast->getCastKind() == CK_PointerToBoolean ? "==null)" : "==#0)");
      return isTest || cast->getCastKind() == CK_FloatingToIntegral;
    }
    if (const auto *made = dyn_cast<CXXConstructExpr>(expr)) { // a text of a literal
      if (made->getNumArgs() == 0 || !isOmitted(made->getArg(made->getNumArgs() - 1)))
        return made->getNumArgs() == 1 && read(made->getArg(0));
      return read(made->getArg(0));
    }
    return false;
  }();
  --depth_;
  return isRead;
}

} // namespace

std::int64_t orderOf(double number) {
  const auto bits = llvm::bit_cast<std::int64_t>(number);
  return bits < 0 ? std::numeric_limits<std::int64_t>::min() - bits : bits;
}

std::optional<Question> questionIn(const Expr *condition, Types &types) {
  Reader reader(types);
  if (!reader.read(condition))
    return std::nullopt;
  return std::move(reader).found();
}

const Expr *changedWith(const Expr *target, Types &types) {
  constexpr int deep = 12;
  for (int depth = 0; depth < deep; ++depth) {
    target = behindPointers(target);
    if (!target || isVariable(target, types))
      return target;
    if (const auto *access = dyn_cast<MemberExpr>(target))
      target = access->getBase();
    else if (const auto *subscript = dyn_cast<ArraySubscriptExpr>(target))
      target = subscript->getBase();
    else if (const auto *call = dyn_cast<CallExpr>(target))
      target = CallSite::of(call).object;
    else if (const auto *address = dyn_cast<UnaryOperator>(target); address && address->getOpcode() == UO_AddrOf)
      target = address->getSubExpr();
    else
      return nullptr;
  }
  return nullptr;
}

llvm::SmallVector<const Expr *, 2> writtenBy(const Expr *expr) {
  llvm::SmallVector<const Expr *, 2> written;
  auto giveTo = [&](QualType param, const Expr *argument) {
    if (param.isNull())
      return;
    const bool isAddress = param->isPointerType() && isa<UnaryOperator>(stripped(argument));
    if ((param->isLValueReferenceType() || isAddress) && !param->getPointeeType().isConstQualified())
      written.push_back(argument);
  };
  if (const auto *op = dyn_cast<BinaryOperator>(expr)) {
    if (op->isAssignmentOp())
      written.push_back(op->getLHS());
  } else if (const auto *op = dyn_cast<UnaryOperator>(expr)) {
    if (op->isIncrementDecrementOp())
      written.push_back(op->getSubExpr());
  } else if (const auto *call = dyn_cast<CallExpr>(expr)) {
    const CallSite site = CallSite::of(call);
    const auto *method = dyn_cast_or_null<CXXMethodDecl>(site.callee);
    const auto *op = dyn_cast<CXXOperatorCallExpr>(expr);
    const bool leads = op ? isPointerOperator(op->getOperator()) || op->getOperator() == OO_Subscript
                          : site.callee && site.callee->getIdentifier() && onlyLeadsTo(site.name());
    if (site.object && method && !method->isConst() && !method->isStatic() && !leads)
      written.push_back(site.object);
    for (unsigned i = 0; i < site.args.size(); ++i)
      giveTo(site.paramType(i), site.args[i]);
  } else if (const auto *made = dyn_cast<CXXConstructExpr>(expr)) {
    for (unsigned i = 0; i < made->getNumArgs() && i < made->getConstructor()->getNumParams(); ++i)
      giveTo(made->getConstructor()->getParamDecl(i)->getType(), made->getArg(i));
  }
  return written;
}

} // namespace samedevice::clangfront
