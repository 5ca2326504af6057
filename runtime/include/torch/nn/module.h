// The base of all modules: a tree of named parameters, buffers and children.
#pragma once
#pragma GCC system_header

#include "torch/autograd.h"
#include "torch/nn/pimpl.h"
#include "torch/serialize.h"

#include <functional>

namespace torch::nn {

class Module : public std::enable_shared_from_this<Module> {
public:
  using ModuleApplyFunction = std::function<void(Module &)>;
  using NamedModuleApplyFunction = std::function<void(const std::string &, Module &)>;
  using ModulePointerApplyFunction = std::function<void(const std::shared_ptr<Module> &)>;

  explicit Module(std::string name) : name_(std::move(name)) {}
  Module() = default;
  Module(const Module &) = default;
  Module &operator=(const Module &) = default;
  Module(Module &&) noexcept = default;
  Module &operator=(Module &&) noexcept = default;
  virtual ~Module() = default;

  const std::string &name() const noexcept { return name_; }

  virtual std::shared_ptr<Module> clone(const optional<Device> &device = nullopt) const;

  void apply(const ModuleApplyFunction &function);
  void apply(const NamedModuleApplyFunction &function, const std::string &name_prefix = std::string());

  std::vector<Tensor> parameters(bool recurse = true) const { return named_parameters(recurse).values(); }
  OrderedDict<std::string, Tensor> named_parameters(bool recurse = true) const;
  std::vector<Tensor> buffers(bool recurse = true) const { return named_buffers(recurse).values(); }
  OrderedDict<std::string, Tensor> named_buffers(bool recurse = true) const;
  std::vector<std::shared_ptr<Module>> modules(bool include_self = true) const;
  OrderedDict<std::string, std::shared_ptr<Module>> named_modules(const std::string &name_prefix = std::string(),
                                                                  bool include_self = true) const;
  std::vector<std::shared_ptr<Module>> children() const { return children_.values(); }
  OrderedDict<std::string, std::shared_ptr<Module>> named_children() const { return children_; }

  virtual void train(bool on = true) {
    for (auto &child : children_)
      child.value()->train(on);
    is_training_ = on;
  }
  void eval() { train(/*on=*/false); }
  virtual bool is_training() const noexcept { return is_training_; }

  virtual void to(torch::Device device, torch::Dtype dtype, bool non_blocking = false) {
    to_impl(device, dtype, non_blocking);
  }
  virtual void to(torch::Dtype dtype, bool non_blocking = false) { to_impl(nullopt, dtype, non_blocking); }
  virtual void to(torch::Device device, bool non_blocking = false) { to_impl(device, nullopt, non_blocking); }

  virtual void zero_grad(bool set_to_none = false);
  virtual void save(serialize::OutputArchive &archive) const;
  virtual void load(serialize::InputArchive &archive);
  virtual void pretty_print(std::ostream &stream) const { stream << name(); }
  virtual bool is_serializable() const { return true; }

  /// The module as the type given, a module or a holder of one; nullptr if it is another.
  template <class ModuleType> typename ModuleType::ContainedType *as() noexcept {
    return dynamic_cast<typename ModuleType::ContainedType *>(this);
  }
  template <class ModuleType> const typename ModuleType::ContainedType *as() const noexcept {
    return dynamic_cast<const typename ModuleType::ContainedType *>(this);
  }
  template <class ModuleType, class = std::enable_if_t<!torch::detail::is_module_holder<ModuleType>::value>>
  ModuleType *as() noexcept {
    return dynamic_cast<ModuleType *>(this);
  }
  template <class ModuleType, class = std::enable_if_t<!torch::detail::is_module_holder<ModuleType>::value>>
  const ModuleType *as() const noexcept {
    return dynamic_cast<const ModuleType *>(this);
  }

  Tensor &register_parameter(std::string name, Tensor tensor, bool requires_grad = true);
  Tensor &register_buffer(std::string name, Tensor tensor);
  template <class ModuleType>
  std::shared_ptr<ModuleType> register_module(std::string name, std::shared_ptr<ModuleType> module) {
    checkName(name);
    children_.insert(std::move(name), module);
    return module;
  }
  template <class ModuleType>
  std::shared_ptr<ModuleType> register_module(std::string name, ModuleHolder<ModuleType> module_holder) {
    return register_module(std::move(name), module_holder.ptr());
  }
  template <class ModuleType>
  std::shared_ptr<ModuleType> replace_module(const std::string &name, std::shared_ptr<ModuleType> module) {
    children_[name] = module;
    return module;
  }
  template <class ModuleType>
  std::shared_ptr<ModuleType> replace_module(const std::string &name, ModuleHolder<ModuleType> module_holder) {
    return replace_module(name, module_holder.ptr());
  }
  void unregister_module(const std::string &name) { children_.erase(name); }

protected:
  OrderedDict<std::string, Tensor> parameters_{"Parameter"};
  OrderedDict<std::string, Tensor> buffers_{"Buffer"};
  OrderedDict<std::string, std::shared_ptr<Module>> children_{"Submodule"};

private:
  template <class Derived> friend class Cloneable;

  virtual void clone_(Module &, const optional<Device> &) {}
  void to_impl(optional<Device> device, optional<Dtype> dtype, bool non_blocking);
  static void checkName(const std::string &name) {
    TORCH_CHECK(!name.empty(), "Submodule name must not be empty");
    TORCH_CHECK(name.find('.') == std::string::npos, "Submodule name must not contain a dot (got '", name, "')");
  }

  std::string name_;
  bool is_training_ = true;
};

inline std::shared_ptr<Module> Module::clone(const optional<Device> &) const {
  TORCH_CHECK(false, "clone() has not been implemented for ", name(), ". Subclass torch::nn::Cloneable<", name(),
              "> instead of torch::nn::Module to inherit the ability to clone.");
  return nullptr;
}

inline OrderedDict<std::string, std::shared_ptr<Module>> Module::named_modules(const std::string &name_prefix,
                                                                               bool include_self) const {
  OrderedDict<std::string, std::shared_ptr<Module>> result;
  if (include_self)
    result.insert(name_prefix, const_cast<Module *>(this)->shared_from_this());
  for (const auto &child : children_) {
    const std::string path = name_prefix.empty() ? child.key() : name_prefix + "." + child.key();
    result.insert(path, child.value());
    for (const auto &below : child.value()->named_modules(path, false))
      result.insert(below.key(), below.value());
  }
  return result;
}
inline std::vector<std::shared_ptr<Module>> Module::modules(bool include_self) const {
  return named_modules(std::string(), include_self).values();
}

inline OrderedDict<std::string, Tensor> Module::named_parameters(bool recurse) const {
  OrderedDict<std::string, Tensor> result;
  for (const auto &item : parameters_)
    if (item.value().defined())
      result.insert(item.key(), item.value());
  if (recurse)
    for (const auto &child : children_)
      for (const auto &item : child.value()->named_parameters())
        result.insert(child.key() + "." + item.key(), item.value());
  return result;
}
inline OrderedDict<std::string, Tensor> Module::named_buffers(bool recurse) const {
  OrderedDict<std::string, Tensor> result;
  for (const auto &item : buffers_)
    if (item.value().defined())
      result.insert(item.key(), item.value());
  if (recurse)
    for (const auto &child : children_)
      for (const auto &item : child.value()->named_buffers())
        result.insert(child.key() + "." + item.key(), item.value());
  return result;
}

inline void Module::apply(const ModuleApplyFunction &function) {
  function(*this);
  for (auto &child : children_)
    child.value()->apply(function);
}
inline void Module::apply(const NamedModuleApplyFunction &function, const std::string &name_prefix) {
  function(name_prefix, *this);
  for (auto &child : children_)
    child.value()->apply(function, name_prefix.empty() ? child.key() : name_prefix + "." + child.key());
}

inline void Module::to_impl(optional<Device> device, optional<Dtype> dtype, bool non_blocking) {
  for (auto &child : children_)
    if (device && dtype)
      child.value()->to(*device, *dtype, non_blocking);
    else if (device)
      child.value()->to(*device, non_blocking);
    else
      child.value()->to(*dtype, non_blocking);
  const auto move = [&](Tensor &tensor) {
    if (tensor.defined())
      tensor.set_data(
          tensor.data().to(device.value_or(tensor.device()), dtype.value_or(tensor.scalar_type()), non_blocking));
  };
  for (auto &parameter : parameters_)
    move(*parameter);
  for (auto &buffer : buffers_)
    move(*buffer);
}

inline void Module::zero_grad(bool set_to_none) {
  for (Tensor &parameter : parameters_.values())
    if (parameter.grad().defined()) {
      if (set_to_none)
        parameter.mutable_grad().reset();
      else
        parameter.mutable_grad() = parameter.grad().detach().zero_();
    }
  for (auto &child : children_)
    child.value()->zero_grad(set_to_none);
}

inline Tensor &Module::register_parameter(std::string name, Tensor tensor, bool requires_grad) {
  checkName(name);
  if (tensor.defined())
    tensor.set_requires_grad(requires_grad);
  return parameters_.insert(std::move(name), std::move(tensor));
}
inline Tensor &Module::register_buffer(std::string name, Tensor tensor) {
  checkName(name);
  return buffers_.insert(std::move(name), std::move(tensor));
}

inline void Module::save(serialize::OutputArchive &archive) const {
  for (const auto &item : named_parameters(/*recurse=*/false))
    archive.write(item.key(), item.value());
  for (const auto &item : named_buffers(/*recurse=*/false))
    archive.write(item.key(), item.value(), /*is_buffer=*/true);
  for (const auto &child : children_) {
    serialize::OutputArchive child_archive;
    child.value()->save(child_archive);
    archive.write(child.key(), child_archive);
  }
}
inline void Module::load(serialize::InputArchive &archive) {
  for (auto &item : parameters_)
    if (item.value().defined())
      archive.read(item.key(), item.value());
  for (auto &item : buffers_)
    if (item.value().defined())
      archive.read(item.key(), item.value());
  for (auto &child : children_) {
    serialize::InputArchive child_archive;
    archive.read(child.key(), child_archive);
    child.value()->load(child_archive);
  }
}

inline std::ostream &operator<<(std::ostream &stream, const Module &module) {
  module.pretty_print(stream);
  return stream;
}
inline serialize::OutputArchive &operator<<(serialize::OutputArchive &archive, const std::shared_ptr<Module> &module) {
  module->save(archive);
  return archive;
}
inline serialize::InputArchive &operator>>(serialize::InputArchive &archive, const std::shared_ptr<Module> &module) {
  module->load(archive);
  return archive;
}
template <class ModuleType>
serialize::OutputArchive &operator<<(serialize::OutputArchive &archive, const ModuleHolder<ModuleType> &module_holder) {
  return archive << std::shared_ptr<Module>(module_holder.ptr());
}
template <class ModuleType>
serialize::InputArchive &operator>>(serialize::InputArchive &archive, ModuleHolder<ModuleType> &module_holder) {
  return archive >> std::shared_ptr<Module>(module_holder.ptr());
}

} // namespace torch::nn
