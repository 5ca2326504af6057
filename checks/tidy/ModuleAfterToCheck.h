// device-module-after-to: docs/checks/device-module-after-to.md
#pragma once

#include "DeviceCheck.h"

namespace samedevice::tidy {

class ModuleAfterToCheck : public DeviceCheck {
public:
  ModuleAfterToCheck(llvm::StringRef name, clang::tidy::ClangTidyContext *context)
      : DeviceCheck(name, context, analysis::Check::ModuleAfterTo) {}

protected:
  std::string message(const analysis::Finding &finding, const SourceText &source) const override;
  std::string note(const analysis::Note &note, const analysis::Finding &finding,
                   const SourceText &source) const override;
};

} // namespace samedevice::tidy
