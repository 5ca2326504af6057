#include "readings.h"

Readings::Readings(int64_t count) : values_(torch::rand({count, 4})) {
  labels_ = values_.sum(1).gt(2).to(torch::kLong);
}

torch::data::Example<> Readings::get(size_t index) {
  const auto i = static_cast<int64_t>(index);
  return {values_[i], labels_[i]};
}

torch::optional<size_t> Readings::size() const { return static_cast<size_t>(values_.size(0)); }
