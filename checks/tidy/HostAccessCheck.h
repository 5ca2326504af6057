// device-host-access: docs/checks/device-host-access.md
#pragma once

#include "DeviceCheck.h"

namespace samedevice::tidy {

class HostAccessCheck : public DeviceCheck {
public:
  HostAccessCheck(llvm::StringRef name, clang::tidy::ClangTidyContext *context)
      : DeviceCheck(name, context, analysis::Check::HostAccess) {}

protected:
  std::string message(const analysis::Finding &finding, const SourceText &source) const override;
};

} // namespace samedevice::tidy
