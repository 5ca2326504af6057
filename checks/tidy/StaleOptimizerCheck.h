// device-stale-optimizer: docs/checks/device-stale-optimizer.md
#pragma once

#include "DeviceCheck.h"

namespace samedevice::tidy {

class StaleOptimizerCheck : public DeviceCheck {
public:
  StaleOptimizerCheck(llvm::StringRef name, clang::tidy::ClangTidyContext *context)
      : DeviceCheck(name, context, analysis::Check::StaleOptimizer) {}

protected:
  std::string message(const analysis::Finding &finding, const SourceText &source) const override;
  std::string note(const analysis::Note &note, const analysis::Finding &finding,
                   const SourceText &source) const override;
};

} // namespace samedevice::tidy
