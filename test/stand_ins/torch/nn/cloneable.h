// Modules that can be copied in depth.
#pragma once
#pragma GCC system_header

#include "torch/nn/module.h"

namespace torch::nn {

template <class Derived> class Cloneable : public virtual Module {
public:
  using Module::Module;

  /// Builds parameters, buffers and children anew; constructors call it, and so does clone().
  virtual void reset() = 0;

  std::shared_ptr<Module> clone(const optional<Device> &device = nullopt) const override;
};

} // namespace torch::nn
