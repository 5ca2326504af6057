// device-raw-pointer: docs/checks/device-raw-pointer.md
#pragma once

#include "DeviceCheck.h"

namespace samedevice::tidy {

class RawPointerCheck : public DeviceCheck {
public:
  RawPointerCheck(llvm::StringRef name, clang::tidy::ClangTidyContext *context)
      : DeviceCheck(name, context, analysis::Check::RawPointer) {}

protected:
  std::string message(const analysis::Finding &finding, const SourceText &source) const override;
  std::string note(const analysis::Note &note, const analysis::Finding &finding,
                   const SourceText &source) const override;
};

} // namespace samedevice::tidy
