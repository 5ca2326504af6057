// Transforms of examples, and of lists of examples into batches.
#pragma once
#pragma GCC system_header

#include "torch/data/datasets.h"

#include <functional>

namespace torch::data::transforms {

template <class InputBatch, class OutputBatch> class BatchTransform {
public:
  using InputBatchType = InputBatch;
  using OutputBatchType = OutputBatch;
  virtual ~BatchTransform() = default;
  virtual OutputBatch apply_batch(InputBatch input_batch) = 0;
};
template <class Input, class Output> class Transform : public BatchTransform<std::vector<Input>, std::vector<Output>> {
public:
  using InputType = Input;
  using OutputType = Output;
  virtual OutputType apply(InputType input) = 0;
  std::vector<Output> apply_batch(std::vector<Input> input_batch) override;
};
template <class T, class BatchType = std::vector<T>> class Collation : public BatchTransform<BatchType, T> {};
template <class T, class BatchType = std::vector<T>> using Collate = Collation<T, BatchType>;

template <class T = Example<>> struct Stack;
template <> struct Stack<Example<>> : public Collation<Example<>> {
  Example<> apply_batch(std::vector<Example<>> examples) override;
};
template <> struct Stack<TensorExample> : public Collation<Example<Tensor, example::NoTarget>> {
  TensorExample apply_batch(std::vector<TensorExample> examples) override;
};

template <class Input, class Output = Input> class Lambda : public Transform<Input, Output> {
public:
  using FunctionType = std::function<Output(Input)>;
  explicit Lambda(FunctionType function);
  Output apply(Input input) override;
};

template <class Target = Tensor>
class TensorTransform : public Transform<Example<Tensor, Target>, Example<Tensor, Target>> {
public:
  using E = Example<Tensor, Target>;
  virtual Tensor operator()(Tensor input) = 0;
  E apply(E input) override;
};
template <class Target = Tensor> struct Normalize : public TensorTransform<Target> {
  Normalize(at::ArrayRef<double> mean, at::ArrayRef<double> stddev);
  Tensor operator()(Tensor input) override;
  torch::Tensor mean, stddev;
};

} // namespace torch::data::transforms
