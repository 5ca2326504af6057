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

  explicit Module(std::string name);
  Module() = default;
  Module(const Module &) = default;
  Module &operator=(const Module &) = default;
  Module(Module &&) noexcept = default;
  Module &operator=(Module &&) noexcept = default;
  virtual ~Module() = default;

  const std::string &name() const noexcept;

  virtual std::shared_ptr<Module> clone(const optional<Device> &device = nullopt) const;

  void apply(const ModuleApplyFunction &function);
  void apply(const NamedModuleApplyFunction &function, const std::string &name_prefix = std::string());

  std::vector<Tensor> parameters(bool recurse = true) const;
  OrderedDict<std::string, Tensor> named_parameters(bool recurse = true) const;
  std::vector<Tensor> buffers(bool recurse = true) const;
  OrderedDict<std::string, Tensor> named_buffers(bool recurse = true) const;
  std::vector<std::shared_ptr<Module>> modules(bool include_self = true) const;
  OrderedDict<std::string, std::shared_ptr<Module>> named_modules(const std::string &name_prefix = std::string(),
                                                                  bool include_self = true) const;
  std::vector<std::shared_ptr<Module>> children() const;
  OrderedDict<std::string, std::shared_ptr<Module>> named_children() const;

  virtual void train(bool on = true);
  void eval();
  virtual bool is_training() const noexcept;

  virtual void to(torch::Device device, torch::Dtype dtype, bool non_blocking = false);
  virtual void to(torch::Dtype dtype, bool non_blocking = false);
  virtual void to(torch::Device device, bool non_blocking = false);

  virtual void zero_grad(bool set_to_none = false);
  virtual void save(serialize::OutputArchive &archive) const;
  virtual void load(serialize::InputArchive &archive);
  virtual void pretty_print(std::ostream &stream) const;
  virtual bool is_serializable() const;

  /// The module as the type given, a module or a holder of one; nullptr if it is another.
  template <class ModuleType> typename ModuleType::ContainedType *as() noexcept;
  template <class ModuleType> const typename ModuleType::ContainedType *as() const noexcept;
  template <class ModuleType, class = std::enable_if_t<!torch::detail::is_module_holder<ModuleType>::value>>
  ModuleType *as() noexcept;
  template <class ModuleType, class = std::enable_if_t<!torch::detail::is_module_holder<ModuleType>::value>>
  const ModuleType *as() const noexcept;

  Tensor &register_parameter(std::string name, Tensor tensor, bool requires_grad = true);
  Tensor &register_buffer(std::string name, Tensor tensor);
  template <class ModuleType>
  std::shared_ptr<ModuleType> register_module(std::string name, std::shared_ptr<ModuleType> module);
  template <class ModuleType>
  std::shared_ptr<ModuleType> register_module(std::string name, ModuleHolder<ModuleType> module_holder);
  template <class ModuleType>
  std::shared_ptr<ModuleType> replace_module(const std::string &name, std::shared_ptr<ModuleType> module);
  template <class ModuleType>
  std::shared_ptr<ModuleType> replace_module(const std::string &name, ModuleHolder<ModuleType> module_holder);
  void unregister_module(const std::string &name);

protected:
  OrderedDict<std::string, Tensor> parameters_{"Parameter"};
  OrderedDict<std::string, Tensor> buffers_{"Buffer"};
  OrderedDict<std::string, std::shared_ptr<Module>> children_{"Submodule"};

private:
  template <class Derived> friend class Cloneable;

  virtual void clone_(Module &, const optional<Device> &);
};

std::ostream &operator<<(std::ostream &stream, const Module &module);
serialize::OutputArchive &operator<<(serialize::OutputArchive &archive, const std::shared_ptr<Module> &module);
serialize::InputArchive &operator>>(serialize::InputArchive &archive, const std::shared_ptr<Module> &module);
template <class ModuleType>
serialize::OutputArchive &operator<<(serialize::OutputArchive &archive, const ModuleHolder<ModuleType> &module_holder);
template <class ModuleType>
serialize::InputArchive &operator>>(serialize::InputArchive &archive, ModuleHolder<ModuleType> &module_holder);

} // namespace torch::nn
