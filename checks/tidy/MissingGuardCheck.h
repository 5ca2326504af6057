// device-missing-guard: docs/checks/device-missing-guard.md
#pragma once

#include "DeviceCheck.h"

namespace samedevice::tidy {

class MissingGuardCheck : public DeviceCheck {
public:
  MissingGuardCheck(llvm::StringRef name, clang::tidy::ClangTidyContext *context)
      : DeviceCheck(name, context, analysis::Check::MissingGuard) {}

protected:
  std::string message(const analysis::Finding &finding, const SourceText &source) const override;
  std::string note(const analysis::Note &note, const analysis::Finding &finding,
                   const SourceText &source) const override;
};

} // namespace samedevice::tidy
