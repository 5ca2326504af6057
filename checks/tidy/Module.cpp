// Makes the checks known to clang-tidy.
#include "AsyncCopyCheck.h"
#include "DefaultFactoryCheck.h"
#include "DiscardedToCheck.h"
#include "HostAccessCheck.h"
#include "MissingGuardCheck.h"
#include "MixedOperandsCheck.h"
#include "ModuleAfterToCheck.h"
#include "PinnedIndexCheck.h"
#include "RawPointerCheck.h"
#include "StaleLoadCheck.h"
#include "StaleOptimizerCheck.h"
#include "UnmovedModuleCheck.h"
#include "UnregisteredMemberCheck.h"

#include "clang-tidy/ClangTidyModule.h"
#include "clang-tidy/ClangTidyModuleRegistry.h"

namespace samedevice::tidy {
namespace {

class Module : public clang::tidy::ClangTidyModule {
public:
  void addCheckFactories(clang::tidy::ClangTidyCheckFactories &factories) override {
#define CHECK(NAME, CLASS, ABOUT) factories.registerCheck<CLASS##Check>(NAME);
#include "Checks.def"
#undef CHECK
  }
};

clang::tidy::ClangTidyModuleRegistry::Add<Module> registration("samedevice",
                                                               "Device mismatches in code that uses PyTorch");

} // namespace
} // namespace samedevice::tidy
