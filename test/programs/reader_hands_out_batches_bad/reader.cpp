#include "reader.h"

#include <algorithm>

TableReader::TableReader(int64_t rows, int64_t columns, int64_t batch) : batch_(batch) {
  table_ = torch::arange(rows * columns, torch::kFloat).view({rows, columns}) / double(rows * columns);
}

std::optional<Sample> TableReader::next() {
  if (at_ >= table_.size(0)) return std::nullopt;
  const auto end = std::min(at_ + batch_, table_.size(0));
  auto rows = table_.slice(0, at_, end);
  at_ = end;
  return Sample{rows.slice(1, 0, -1), rows.slice(1, -1)};
}
