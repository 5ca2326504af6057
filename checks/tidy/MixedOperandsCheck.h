// device-mixed-operands: docs/checks/device-mixed-operands.md
#pragma once

#include "DeviceCheck.h"

namespace samedevice::tidy {

class MixedOperandsCheck : public DeviceCheck {
public:
  MixedOperandsCheck(llvm::StringRef name, clang::tidy::ClangTidyContext *context)
      : DeviceCheck(name, context, analysis::Check::MixedOperands) {}

protected:
  std::string message(const analysis::Finding &finding, const SourceText &source) const override;
};

} // namespace samedevice::tidy
