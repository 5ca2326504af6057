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
  explicit SequentialSampler(size_t size) : size_(size) {}
  void reset(optional<size_t> new_size = nullopt) override {
    size_ = new_size.value_or(size_);
    index_ = 0;
  }
  optional<std::vector<size_t>> next(size_t batch_size) override {
    if (index_ >= size_)
      return nullopt;
    std::vector<size_t> batch(std::min(batch_size, size_ - index_));
    std::iota(batch.begin(), batch.end(), index_);
    index_ += batch.size();
    return batch;
  }

private:
  size_t size_, index_ = 0;
};
class RandomSampler : public SequentialSampler {
public:
  explicit RandomSampler(int64_t size)
      : SequentialSampler(static_cast<size_t>(size)), order_(static_cast<size_t>(size)) {
    std::iota(order_.begin(), order_.end(), size_t(0));
    std::shuffle(order_.begin(), order_.end(), std::mt19937(1));
  }
  optional<std::vector<size_t>> next(size_t batch_size) override {
    auto batch = SequentialSampler::next(batch_size);
    if (batch)
      for (size_t &i : *batch)
        i = order_[i];
    return batch;
  }

private:
  std::vector<size_t> order_;
};
} // namespace samplers

struct DataLoaderOptions {
  DataLoaderOptions() = default;
  /* implicit */ DataLoaderOptions(size_t batch_size) : batch_size_(batch_size) {}
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
  explicit Iterator(std::function<optional<Batch>()> next) : next_(std::move(next)) {
    if (next_)
      batch_ = next_();
  }
  Iterator &operator++() {
    batch_ = next_();
    return *this;
  }
  Batch &operator*() { return *batch_; }
  Batch *operator->() { return &*batch_; }
  bool operator==(const Iterator &other) const { return batch_.has_value() == other.batch_.has_value(); }
  bool operator!=(const Iterator &other) const { return !(*this == other); }

private:
  std::function<optional<Batch>()> next_;
  optional<Batch> batch_;
};

template <class Dataset, class Sampler> class StatelessDataLoader {
public:
  using BatchType = typename Dataset::BatchType;
  StatelessDataLoader(Dataset dataset, Sampler sampler, DataLoaderOptions options)
      : dataset_(std::move(dataset)), sampler_(std::move(sampler)), options_(std::move(options)) {}
  Iterator<BatchType> begin() {
    sampler_.reset();
    return Iterator<BatchType>([this]() -> optional<BatchType> {
      const auto indices = sampler_.next(options_.batch_size());
      if (!indices || (options_.drop_last() && indices->size() < options_.batch_size()))
        return nullopt;
      return dataset_.get_batch(*indices);
    });
  }
  Iterator<BatchType> end() { return Iterator<BatchType>(nullptr); }
  void join() {}
  const DataLoaderOptions &options() const noexcept { return options_; }

private:
  Dataset dataset_;
  Sampler sampler_;
  DataLoaderOptions options_;
};

template <class Dataset, class Sampler>
std::unique_ptr<StatelessDataLoader<Dataset, Sampler>> make_data_loader(Dataset dataset, Sampler sampler,
                                                                        DataLoaderOptions options) {
  return std::make_unique<StatelessDataLoader<Dataset, Sampler>>(std::move(dataset), std::move(sampler),
                                                                 std::move(options));
}
template <class Sampler = samplers::RandomSampler, class Dataset>
std::unique_ptr<StatelessDataLoader<Dataset, Sampler>>
make_data_loader(Dataset dataset, DataLoaderOptions options = DataLoaderOptions()) {
  const optional<size_t> size = dataset.size();
  TORCH_CHECK(size.has_value(), "Expected the dataset to be sized in order to construct the Sampler");
  return make_data_loader(std::move(dataset), Sampler(*size), std::move(options));
}

} // namespace torch::data
