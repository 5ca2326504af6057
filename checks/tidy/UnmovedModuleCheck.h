// device-unmoved-module: docs/checks/device-unmoved-module.md
#pragma once

#include "DeviceCheck.h"

namespace samedevice::tidy {

class UnmovedModuleCheck : public DeviceCheck {
public:
  UnmovedModuleCheck(llvm::StringRef name, clang::tidy::ClangTidyContext *context)
      : DeviceCheck(name, context, analysis::Check::UnmovedModule) {}

protected:
  std::string message(const analysis::Finding &finding, const SourceText &source) const override;
};

} // namespace samedevice::tidy
