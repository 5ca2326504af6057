#include <iostream>

#include "copied.h"
#include "filter.h"

Peaks find_peaks(const torch::Tensor& signal, int64_t how_many);

int main() {
  const Filter filter;
  auto raw = torch::sin(torch::arange(50, torch::kFloat));
  const auto unfiltered = copied<float>(raw);
  const auto peaks = find_peaks(filter(raw), 3);
  for (size_t i = 0; i < peaks.heights.size(); ++i)
    std::cout << peaks.places[i] << ": " << peaks.heights[i] << " (was " << unfiltered[size_t(peaks.places[i])] << ")\n";
}
