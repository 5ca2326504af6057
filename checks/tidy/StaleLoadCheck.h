// device-stale-load: docs/checks/device-stale-load.md
#pragma once

#include "DeviceCheck.h"

namespace samedevice::tidy {

class StaleLoadCheck : public DeviceCheck {
public:
  StaleLoadCheck(llvm::StringRef name, clang::tidy::ClangTidyContext *context)
      : DeviceCheck(name, context, analysis::Check::StaleLoad) {}

protected:
  std::string message(const analysis::Finding &finding, const SourceText &source) const override;
};

} // namespace samedevice::tidy
