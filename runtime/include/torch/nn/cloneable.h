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

  std::shared_ptr<Module> clone(const optional<Device> &device = nullopt) const override {
    NoGradGuard no_grad;
    auto copy = std::make_shared<Derived>(static_cast<const Derived &>(*this));
    copy->parameters_.clear();
    copy->buffers_.clear();
    copy->children_.clear();
    copy->reset();
    const auto fill = [&](auto &to, const auto &from) {
      for (const auto &item : from)
        if (item.value().defined())
          to[item.key()].set_data(device && item.value().device() != *device ? item.value().to(*device)
                                                                             : item.value().clone());
    };
    fill(copy->parameters_, this->parameters_);
    fill(copy->buffers_, this->buffers_);
    for (const auto &child : this->children_)
      copy->children_[child.key()]->clone_(*child.value(), device);
    return copy;
  }

private:
  void clone_(Module &other, const optional<Device> &device) final {
    auto clone = std::dynamic_pointer_cast<Derived>(other.clone(device));
    TORCH_CHECK(
        clone != nullptr,
        "Attempted to clone submodule, but it is of a different type than the submodule it was to be cloned into");
    static_cast<Derived &>(*this) = *clone;
  }
};

} // namespace torch::nn
