// Datasets: examples by index, and views of other datasets.
#pragma once
#pragma GCC system_header

#include "torch/types.h"

#include <string>
#include <utility>

namespace torch::data {

template <class Data = Tensor, class Target = Tensor> struct Example {
  using DataType = Data;
  using TargetType = Target;
  Example() = default;
  Example(Data data, Target target) : data(std::move(data)), target(std::move(target)) {}
  Data data;
  Target target;
};
namespace example {
struct NoTarget {};
} // namespace example
template <class Data> struct Example<Data, example::NoTarget> {
  using DataType = Data;
  using TargetType = example::NoTarget;
  Example() = default;
  Example(Data data) : data(std::move(data)) {}
  Data data;
};
using TensorExample = Example<Tensor, example::NoTarget>;

namespace datasets {

template <class SourceDataset, class AppliedTransform> class MapDataset;
template <class D, class T> MapDataset<D, T> map(D dataset, T transform);

template <class Self, class Batch = std::vector<Example<>>, class BatchRequest = at::ArrayRef<size_t>>
class BatchDataset {
public:
  using SelfType = Self;
  using BatchType = Batch;
  using BatchRequestType = BatchRequest;
  virtual ~BatchDataset() = default;
  virtual Batch get_batch(BatchRequest request) = 0;
  virtual optional<size_t> size() const = 0;
  template <class TransformType> MapDataset<Self, TransformType> map(TransformType transform) & {
    return datasets::map(static_cast<Self &>(*this), std::move(transform));
  }
  template <class TransformType> MapDataset<Self, TransformType> map(TransformType transform) && {
    return datasets::map(std::move(static_cast<Self &>(*this)), std::move(transform));
  }
};

template <class Self, class SingleExample = Example<>>
class Dataset : public BatchDataset<Self, std::vector<SingleExample>> {
public:
  using ExampleType = SingleExample;
  virtual ExampleType get(size_t index) = 0;
  std::vector<ExampleType> get_batch(at::ArrayRef<size_t> indices) override {
    std::vector<ExampleType> batch;
    for (const size_t i : indices)
      batch.push_back(get(i));
    return batch;
  }
};

template <class SourceDataset, class AppliedTransform>
class MapDataset
    : public BatchDataset<MapDataset<SourceDataset, AppliedTransform>, typename AppliedTransform::OutputBatchType> {
public:
  using OutputBatchType = typename AppliedTransform::OutputBatchType;
  MapDataset(SourceDataset dataset, AppliedTransform transform)
      : dataset_(std::move(dataset)), transform_(std::move(transform)) {}
  OutputBatchType get_batch(at::ArrayRef<size_t> indices) override {
    return transform_.apply_batch(dataset_.get_batch(indices));
  }
  optional<size_t> size() const noexcept override { return dataset_.size(); }
  const SourceDataset &dataset() noexcept { return dataset_; }
  const AppliedTransform &transform() noexcept { return transform_; }

private:
  SourceDataset dataset_;
  AppliedTransform transform_;
};
template <class D, class T> MapDataset<D, T> map(D dataset, T transform) {
  return MapDataset<D, T>(std::move(dataset), std::move(transform));
}

struct TensorDataset : public Dataset<TensorDataset, TensorExample> {
  explicit TensorDataset(const std::vector<Tensor> &tensors) : TensorDataset(torch::stack(tensors)) {}
  explicit TensorDataset(torch::Tensor tensor) : tensor(std::move(tensor)) {}
  TensorExample get(size_t index) override { return tensor[static_cast<int64_t>(index)]; }
  optional<size_t> size() const override { return tensor.size(0); }
  Tensor tensor;
};

/// The images are made up: whoever runs with the facade has no files.
class MNIST : public Dataset<MNIST> {
public:
  enum class Mode { kTrain, kTest };
  explicit MNIST(const std::string &root, Mode mode = Mode::kTrain) : mode_(mode) { (void)root; }
  Example<> get(size_t index) override {
    return {torch::full({1, 28, 28}, 0.5), torch::tensor(static_cast<int64_t>(index % 10))};
  }
  optional<size_t> size() const override { return 64; }
  bool is_train() const noexcept { return mode_ == Mode::kTrain; }

private:
  Mode mode_;
};

} // namespace datasets
} // namespace torch::data
