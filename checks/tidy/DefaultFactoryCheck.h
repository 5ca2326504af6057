// device-default-factory: docs/checks/device-default-factory.md
#pragma once

#include "DeviceCheck.h"

namespace samedevice::tidy {

class DefaultFactoryCheck : public DeviceCheck {
public:
  DefaultFactoryCheck(llvm::StringRef name, clang::tidy::ClangTidyContext *context)
      : DeviceCheck(name, context, analysis::Check::DefaultFactory) {}

protected:
  std::string message(const analysis::Finding &finding, const SourceText &source) const override;
};

} // namespace samedevice::tidy
