// Samplers and the loader that draws batches with them.
#pragma once
#pragma GCC system_header

#include "torch/arg.h"
#include "torch/data/transforms.h"

#include <chrono>
#include <memory>
#include <numeric>
#include <random>

namespace torch::data {

namespace samplers {
template <class BatchRequest = std::vector<size_t>> class Sampler {
public:
  virtual ~Sampler() = default;
  virtual void reset(optional<size_t> new_size = nullopt) = 0;
  virtual optional<BatchRequest> next(size_t batch_size) = 0;
};
class SequentialSampler : public Sampler<> {
public:
  explicit SequentialSampler(size_t size);
  void reset(optional<size_t> new_size = nullopt) override;
  optional<std::vector<size_t>> next(size_t batch_size) override;
};
class RandomSampler : public SequentialSampler {
public:
  explicit RandomSampler(int64_t size);
  optional<std::vector<size_t>> next(size_t batch_size) override;
};
} // namespace samplers

struct DataLoaderOptions {
  DataLoaderOptions() = default;
  /* implicit */ DataLoaderOptions(size_t batch_size);
  TORCH_ARG(size_t, batch_size) = 1;
  TORCH_ARG(size_t, workers) = 0;
  TORCH_ARG(optional<size_t>, max_jobs);
  TORCH_ARG(optional<std::chrono::milliseconds>, timeout);
  TORCH_ARG(bool, enforce_ordering) = true;
  TORCH_ARG(bool, drop_last) = false;
};

template <class Batch> class Iterator {
public:
  using difference_type = std::ptrdiff_t;
  using value_type = Batch;
  using pointer = Batch *;
  using reference = Batch &;
  using iterator_category = std::input_iterator_tag;
  explicit Iterator(std::function<optional<Batch>()> next);
  Iterator &operator++();
  Batch &operator*();
  Batch *operator->();
  bool operator==(const Iterator &other) const;
  bool operator!=(const Iterator &other) const;
};

template <class Dataset, class Sampler> class StatelessDataLoader {
public:
  using BatchType = typename Dataset::BatchType;
  StatelessDataLoader(Dataset dataset, Sampler sampler, DataLoaderOptions options);
  Iterator<BatchType> begin();
  Iterator<BatchType> end();
  void join();
  const DataLoaderOptions &options() const noexcept;
};

template <class Dataset, class Sampler>
std::unique_ptr<StatelessDataLoader<Dataset, Sampler>> make_data_loader(Dataset dataset, Sampler sampler,
                                                                        DataLoaderOptions options);
template <class Sampler = samplers::RandomSampler, class Dataset>
std::unique_ptr<StatelessDataLoader<Dataset, Sampler>>
make_data_loader(Dataset dataset, DataLoaderOptions options = DataLoaderOptions());

} // namespace torch::data
