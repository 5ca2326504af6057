// device-async-copy: docs/checks/device-async-copy.md
#pragma once

#include "DeviceCheck.h"

namespace samedevice::tidy {

class AsyncCopyCheck : public DeviceCheck {
public:
  AsyncCopyCheck(llvm::StringRef name, clang::tidy::ClangTidyContext *context)
      : DeviceCheck(name, context, analysis::Check::AsyncCopy) {}

protected:
  std::string message(const analysis::Finding &finding, const SourceText &source) const override;
};

} // namespace samedevice::tidy
