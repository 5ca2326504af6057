// A few lines of C++, as facts. The torch in front of them is just big enough for what the tests say.
#pragma once

#include "facts/Text.h"
#include "clang/Lowering.h"

#include "clang/Tooling/Tooling.h"

#include <gtest/gtest.h>

#include <string>

namespace samedevice::clangfront {

inline const char *const kTorch = R"(
namespace c10 { enum class DeviceType { CPU, CUDA }; constexpr DeviceType kCPU = DeviceType::CPU, kCUDA = DeviceType::CUDA;
  struct Device { Device(DeviceType, int = -1); Device(const char *); bool is_cuda() const; }; }
namespace at { using c10::Device; using c10::kCPU; using c10::kCUDA;
  struct TensorOptions { TensorOptions(); TensorOptions(Device); TensorOptions device(Device) const; };
  struct Tensor { Tensor(); Tensor(const Tensor &); Tensor &operator=(const Tensor &); Device device() const;
    Tensor to(Device, bool = false) const; Tensor cuda() const; Tensor add(const Tensor &) const; Tensor add_(const Tensor &) const;
    Tensor operator+(const Tensor &) const; bool is_cuda() const; template <class T> T *data_ptr() const; TensorOptions options() const; };
  Tensor cat(const Tensor &, const Tensor &); }
namespace torch { using namespace at; using namespace c10; Tensor zeros(int, TensorOptions = {});
  namespace cuda { bool is_available(); }
  namespace nn { struct Module { virtual ~Module(); void to(Device); template <class M> M register_module(const char *, M); };
    template <class Impl> struct ModuleHolder { ModuleHolder(); template <class... A> explicit ModuleHolder(A...); Impl *operator->(); Impl &operator*();
      template <class... A> Tensor operator()(A...); };
    struct LinearImpl : Module { LinearImpl(int, int); Tensor forward(const Tensor &); };
    struct Linear : ModuleHolder<LinearImpl> { using ModuleHolder<LinearImpl>::ModuleHolder; }; } }
)";

/// Headers, by their paths.
using Files = clang::tooling::FileContentMappings;

/// A program that finds its headers, torch's as well, by these flags.
inline Lowered loweredWith(const Files &files, const std::vector<std::string> &flags, const std::string &code,
                           const LoweringOptions &options = {}) {
  static std::vector<std::unique_ptr<clang::ASTUnit>> alive; // facts point into it
  std::vector<std::string> all{"-std=c++17", "-w"};
  all.insert(all.end(), flags.begin(), flags.end());
  alive.push_back(clang::tooling::buildASTFromCodeWithArgs(
      code, all, "/home/me/project/input.cc", "lowering-test", std::make_shared<clang::PCHContainerOperations>(),
      clang::tooling::getClangStripDependencyFileAdjuster(), files));
  return lower(alive.back()->getASTContext(), options);
}

inline Lowered lowered(const std::string &code, const LoweringOptions &options = {}) {
  return loweredWith({{"/libraries/torch.h", kTorch}}, {"-isystem", "/libraries"}, "#include <torch.h>\n" + code,
                     options);
}

inline std::string factsOf(const std::string &code, const LoweringOptions &options = {}) {
  return facts::print(lowered(code, options).program);
}

inline void expectFact(const std::string &facts, const std::string &wanted) {
  EXPECT_NE(facts.find(wanted), std::string::npos) << "no \"" << wanted << "\" in\n" << facts;
}
inline void expectNoFact(const std::string &facts, const std::string &unwanted) {
  EXPECT_EQ(facts.find(unwanted), std::string::npos) << "\"" << unwanted << "\" in\n" << facts;
}

} // namespace samedevice::clangfront
