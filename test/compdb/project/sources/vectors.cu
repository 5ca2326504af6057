#include "reductions.h"

#include <thrust/complex.h>
#include <thrust/device_vector.h>
#include <thrust/sort.h>
#include <thrust/transform_reduce.h>
#include <thrust/unique.h>

std::vector<int> sortedDistinct(std::vector<int> values) {
  thrust::device_vector<int> numbers(values.begin(), values.end());
  thrust::sort(numbers.begin(), numbers.end());
  numbers.erase(thrust::unique(numbers.begin(), numbers.end()), numbers.end());
  values.resize(numbers.size());
  thrust::copy(numbers.begin(), numbers.end(), values.begin());
  return values;
}

double squares(const thrust::device_vector<double> &numbers) {
  return thrust::transform_reduce(
      numbers.begin(), numbers.end(), [] __device__(double x) { return x * x; }, 0.0, thrust::plus<double>());
}
