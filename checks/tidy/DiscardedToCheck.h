// device-discarded-to: docs/checks/device-discarded-to.md
#pragma once

#include "DeviceCheck.h"

namespace samedevice::tidy {

class DiscardedToCheck : public DeviceCheck {
public:
  DiscardedToCheck(llvm::StringRef name, clang::tidy::ClangTidyContext *context)
      : DeviceCheck(name, context, analysis::Check::DiscardedTo) {}

protected:
  std::string message(const analysis::Finding &finding, const SourceText &source) const override;
  std::string note(const analysis::Note &note, const analysis::Finding &finding,
                   const SourceText &source) const override;
};

} // namespace samedevice::tidy
