// device-pinned-index: docs/checks/device-pinned-index.md
#pragma once

#include "DeviceCheck.h"

namespace samedevice::tidy {

class PinnedIndexCheck : public DeviceCheck {
public:
  PinnedIndexCheck(llvm::StringRef name, clang::tidy::ClangTidyContext *context)
      : DeviceCheck(name, context, analysis::Check::PinnedIndex) {}

protected:
  std::string message(const analysis::Finding &finding, const SourceText &source) const override;
};

} // namespace samedevice::tidy
