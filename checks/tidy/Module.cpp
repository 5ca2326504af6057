// Makes the checks known to clang-tidy.
#include "DeviceCheck.h"

#include "clang-tidy/ClangTidyModule.h"
#include "clang-tidy/ClangTidyModuleRegistry.h"

namespace samedevice::tidy {
namespace {

class Module : public clang::tidy::ClangTidyModule {
public:
  void addCheckFactories(clang::tidy::ClangTidyCheckFactories &factories) override {
#define CHECK(NAME, ID, ABOUT)                                                                                         \
  factories.registerCheckFactory(NAME, [](llvm::StringRef name, clang::tidy::ClangTidyContext *context) {              \
    return std::make_unique<DeviceCheck>(name, context, analysis::Check::ID);                                          \
  });
#include "../analysis/Checks.def"
#undef CHECK
  }
};

clang::tidy::ClangTidyModuleRegistry::Add<Module> registration("samedevice",
                                                               "Device mismatches in code that uses PyTorch");

} // namespace
} // namespace samedevice::tidy
