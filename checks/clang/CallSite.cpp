#include "CallSite.h"

namespace samedevice::clangfront {

using namespace clang;

CallSite CallSite::of(const CallExpr *expr) {
  CallSite site;
  site.expr = expr;
  site.callee = expr->getDirectCallee();
  site.args.append(expr->arg_begin(), expr->arg_end());
  if (const auto *methodCall = dyn_cast<CXXMemberCallExpr>(expr)) {
    site.object = methodCall->getImplicitObjectArgument();
    if (const auto *access = dyn_cast<MemberExpr>(methodCall->getCallee()->IgnoreParens()))
      site.isQualified = access->hasQualifier();
  } else if (isa<CXXOperatorCallExpr>(expr) && isa_and_nonnull<CXXMethodDecl>(site.callee) && !site.args.empty() &&
             !cast<CXXMethodDecl>(site.callee)->isStatic()) {
    site.object = site.args.front();
    site.args.erase(site.args.begin());
  }
  return site;
}

llvm::StringRef CallSite::name() const {
  if (!callee)
    return "";
  const IdentifierInfo *id = callee->getIdentifier();
  return id ? id->getName() : "";
}

std::string CallSite::paramName(unsigned index) const {
  if (!callee || callee->getNumParams() == 0)
    return {};
  unsigned last = callee->getNumParams() - 1;
  return callee->getParamDecl(std::min(index, last))->getNameAsString();
}

QualType CallSite::paramType(unsigned index) const {
  return callee && index < callee->getNumParams() ? callee->getParamDecl(index)->getType() : QualType();
}

bool CallSite::isVirtual() const {
  const auto *method = dyn_cast_or_null<CXXMethodDecl>(callee);
  return method && method->isVirtual() && !isQualified;
}

} // namespace samedevice::clangfront
