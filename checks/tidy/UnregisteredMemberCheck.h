// device-unregistered-member: docs/checks/device-unregistered-member.md
#pragma once

#include "DeviceCheck.h"

namespace samedevice::tidy {

class UnregisteredMemberCheck : public DeviceCheck {
public:
  UnregisteredMemberCheck(llvm::StringRef name, clang::tidy::ClangTidyContext *context)
      : DeviceCheck(name, context, analysis::Check::UnregisteredMember) {}

protected:
  std::string message(const analysis::Finding &finding, const SourceText &source) const override;
};

} // namespace samedevice::tidy
