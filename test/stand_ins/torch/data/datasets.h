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
  Example(Data data, Target target);
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
  Example(Data data);
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
  template <class TransformType> MapDataset<Self, TransformType> map(TransformType transform) &;
  template <class TransformType> MapDataset<Self, TransformType> map(TransformType transform) &&;
};

template <class Self, class SingleExample = Example<>>
class Dataset : public BatchDataset<Self, std::vector<SingleExample>> {
public:
  using ExampleType = SingleExample;
  virtual ExampleType get(size_t index) = 0;
  std::vector<ExampleType> get_batch(at::ArrayRef<size_t> indices) override;
};

template <class SourceDataset, class AppliedTransform>
class MapDataset
    : public BatchDataset<MapDataset<SourceDataset, AppliedTransform>, typename AppliedTransform::OutputBatchType> {
public:
  using OutputBatchType = typename AppliedTransform::OutputBatchType;
  MapDataset(SourceDataset dataset, AppliedTransform transform);
  OutputBatchType get_batch(at::ArrayRef<size_t> indices) override;
  optional<size_t> size() const noexcept override;
  const SourceDataset &dataset() noexcept;
  const AppliedTransform &transform() noexcept;
};
template <class D, class T> MapDataset<D, T> map(D dataset, T transform);

struct TensorDataset : public Dataset<TensorDataset, TensorExample> {
  explicit TensorDataset(const std::vector<Tensor> &tensors);
  explicit TensorDataset(torch::Tensor tensor);
  TensorExample get(size_t index) override;
  optional<size_t> size() const override;
  Tensor tensor;
};

class MNIST : public Dataset<MNIST> {
public:
  enum class Mode { kTrain, kTest };
  explicit MNIST(const std::string &root, Mode mode = Mode::kTrain);
  Example<> get(size_t index) override;
  optional<size_t> size() const override;
  bool is_train() const noexcept;
};

} // namespace datasets
} // namespace torch::data
