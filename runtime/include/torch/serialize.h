// Saving and loading: an archive is a tree of named tensors and values.
#pragma once
#pragma GCC system_header

#include "torch/ordered_dict.h"

#include <fstream>
#include <istream>
#include <map>
#include <sstream>

namespace torch {
namespace serialize {

class OutputArchive {
public:
  void write(const std::string &key, const Tensor &tensor, bool is_buffer = false) {
    (void)is_buffer;
    tensors_[key] = tensor;
  }
  void write(const std::string &key, const c10::IValue &ivalue) {
    if (ivalue.isTensor())
      write(key, ivalue.toTensor());
    else if (ivalue.isInt())
      write(key, torch::scalar_tensor(ivalue.toInt(), torch::kInt64));
    else if (ivalue.isDouble())
      write(key, torch::scalar_tensor(ivalue.toDouble(), torch::kFloat64));
  }
  void write(const std::string &key, OutputArchive &nested_output_archive) {
    for (auto &[name, tensor] : nested_output_archive.tensors_)
      tensors_[key + "." + name] = tensor;
  }
  void save_to(const std::string &filename) {
    std::ofstream out(filename, std::ios::binary);
    save_to(out);
  }
  void save_to(std::ostream &stream) {
    stream << tensors_.size() << '\n';
    for (auto &[name, tensor] : tensors_) {
      stream << name << '\n';
      samedevice::runtime::writeTensor(stream, tensor);
    }
  }

private:
  std::map<std::string, Tensor> tensors_;
};

class InputArchive {
public:
  void load_from(const std::string &filename, c10::optional<torch::Device> device = c10::nullopt) {
    std::ifstream in(filename, std::ios::binary);
    TORCH_CHECK(in.good(),
                "open file failed because of errno 2 on fopen: No such file or directory, file path: ", filename);
    load_from(in, device);
  }
  void load_from(std::istream &stream, c10::optional<torch::Device> device = c10::nullopt) {
    size_t count = 0;
    stream >> count;
    stream.ignore(1, '\n');
    for (std::string name; count > 0; --count) {
      std::getline(stream, name);
      tensors_[name] = samedevice::runtime::readTensor(stream, device);
    }
  }
  bool try_read(const std::string &key, Tensor &tensor, bool is_buffer = false) {
    (void)is_buffer;
    auto found = tensors_.find(key);
    if (found == tensors_.end())
      return false;
    if (tensor.defined())
      tensor.set_data(found->second);
    else
      tensor = found->second;
    return true;
  }
  void read(const std::string &key, Tensor &tensor, bool is_buffer = false) {
    TORCH_CHECK(try_read(key, tensor, is_buffer), "No such serialized tensor '", key, "'");
  }
  void read(const std::string &key, c10::IValue &ivalue) {
    Tensor tensor;
    read(key, tensor);
    ivalue = tensor.dim() > 0                        ? c10::IValue(tensor)
             : tensor.scalar_type() == torch::kInt64 ? c10::IValue(tensor.item<int64_t>())
                                                     : c10::IValue(tensor.item<double>());
  }
  bool try_read(const std::string &key, InputArchive &archive) {
    for (auto &[name, tensor] : tensors_)
      if (name.compare(0, key.size() + 1, key + ".") == 0)
        archive.tensors_[name.substr(key.size() + 1)] = tensor;
    return !archive.tensors_.empty();
  }
  void read(const std::string &key, InputArchive &archive) { try_read(key, archive); }
  std::vector<std::string> keys() {
    std::vector<std::string> names;
    for (auto &[name, tensor] : tensors_)
      names.push_back(name);
    return names;
  }

private:
  std::map<std::string, Tensor> tensors_;
};

inline OutputArchive &operator<<(OutputArchive &archive, const Tensor &tensor) {
  archive.write("0", tensor);
  return archive;
}
inline InputArchive &operator>>(InputArchive &archive, Tensor &tensor) {
  archive.read("0", tensor);
  return archive;
}

} // namespace serialize

template <class Value, class... SaveToArgs> void save(const Value &value, SaveToArgs &&...args) {
  serialize::OutputArchive archive;
  archive << value;
  archive.save_to(std::forward<SaveToArgs>(args)...);
}
template <class... SaveToArgs> void save(const std::vector<torch::Tensor> &tensor_vec, SaveToArgs &&...args) {
  serialize::OutputArchive archive;
  for (size_t i = 0; i < tensor_vec.size(); ++i)
    archive.write(std::to_string(i), tensor_vec[i]);
  archive.save_to(std::forward<SaveToArgs>(args)...);
}
template <class Value, class... LoadFromArgs> void load(Value &value, LoadFromArgs &&...args) {
  serialize::InputArchive archive;
  archive.load_from(std::forward<LoadFromArgs>(args)...);
  archive >> value;
}
template <class... LoadFromArgs> void load(std::vector<torch::Tensor> &tensor_vec, LoadFromArgs &&...args) {
  serialize::InputArchive archive;
  archive.load_from(std::forward<LoadFromArgs>(args)...);
  Tensor tensor;
  for (size_t i = 0; archive.try_read(std::to_string(i), tensor); ++i, tensor.reset())
    tensor_vec.push_back(tensor);
}

} // namespace torch
