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
  void write(const std::string &key, const Tensor &tensor, bool is_buffer = false);
  void write(const std::string &key, const c10::IValue &ivalue);
  void write(const std::string &key, OutputArchive &nested_output_archive);
  void save_to(const std::string &filename);
  void save_to(std::ostream &stream);

};

class InputArchive {
public:
  void load_from(const std::string &filename, c10::optional<torch::Device> device = c10::nullopt);
  void load_from(std::istream &stream, c10::optional<torch::Device> device = c10::nullopt);
  bool try_read(const std::string &key, Tensor &tensor, bool is_buffer = false);
  void read(const std::string &key, Tensor &tensor, bool is_buffer = false);
  void read(const std::string &key, c10::IValue &ivalue);
  bool try_read(const std::string &key, InputArchive &archive);
  void read(const std::string &key, InputArchive &archive);
  std::vector<std::string> keys();

};

OutputArchive &operator<<(OutputArchive &archive, const Tensor &tensor);
InputArchive &operator>>(InputArchive &archive, Tensor &tensor);

} // namespace serialize

template <class Value, class... SaveToArgs> void save(const Value &value, SaveToArgs &&...args);
template <class... SaveToArgs> void save(const std::vector<torch::Tensor> &tensor_vec, SaveToArgs &&...args);
template <class Value, class... LoadFromArgs> void load(Value &value, LoadFromArgs &&...args);
template <class... LoadFromArgs> void load(std::vector<torch::Tensor> &tensor_vec, LoadFromArgs &&...args);

} // namespace torch
