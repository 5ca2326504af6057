#include "SimKernels.h"

#include <algorithm>
#include <functional>
#include <numeric>

namespace samedevice::runtime {

std::vector<KernelBuffer> buffersOf(const Kernel &k) {
  const std::size_t bytes = k.count * sizeof(float), indices = k.count * sizeof(std::int64_t);
  switch (k.kind) {
  case Kernel::Fill:
    return {{k.out, bytes}};
  case Kernel::Copy:
    return {{k.out, bytes}, {k.a, bytes}};
  case Kernel::Add:
  case Kernel::Multiply:
    return {{k.out, bytes}, {k.a, bytes}, {k.b, bytes}};
  case Kernel::MatMul:
    return {{k.out, k.rows * k.columns * sizeof(float)},
            {k.a, k.rows * k.inner * sizeof(float)},
            {k.b, k.inner * k.columns * sizeof(float)}};
  case Kernel::Gather:
    return {{k.out, bytes}, {k.a, k.rows * sizeof(float)}, {k.index, indices}};
  case Kernel::Scatter:
    return {{k.out, k.rows * sizeof(float)}, {k.a, bytes}, {k.index, indices}};
  case Kernel::Sum:
    return {{k.out, sizeof(float)}, {k.a, bytes}};
  case Kernel::Touch:
    return {{k.a, bytes}};
  case Kernel::Delay:
    return {};
  }
  return {};
}

namespace {

void multiplyMatrices(const Kernel &k) {
  for (std::size_t row = 0; row < k.rows; ++row)
    for (std::size_t column = 0; column < k.columns; ++column) {
      float sum = 0;
      for (std::size_t i = 0; i < k.inner; ++i)
        sum += k.a[row * k.inner + i] * k.b[i * k.columns + column];
      k.out[row * k.columns + column] = sum;
    }
}

bool indicesFit(const Kernel &k) {
  return std::all_of(k.index, k.index + k.count,
                     [&](std::int64_t i) { return i >= 0 && static_cast<std::size_t>(i) < k.rows; });
}

} // namespace

bool run(const Kernel &k) {
  switch (k.kind) {
  case Kernel::Fill:
    std::fill_n(k.out, k.count, k.value);
    break;
  case Kernel::Copy:
    std::copy_n(k.a, k.count, k.out);
    break;
  case Kernel::Add:
    std::transform(k.a, k.a + k.count, k.b, k.out, std::plus<float>());
    break;
  case Kernel::Multiply:
    std::transform(k.a, k.a + k.count, k.b, k.out, std::multiplies<float>());
    break;
  case Kernel::MatMul:
    multiplyMatrices(k);
    break;
  case Kernel::Gather:
    if (!indicesFit(k))
      return false;
    std::transform(k.index, k.index + k.count, k.out, [&](std::int64_t i) { return k.a[i]; });
    break;
  case Kernel::Scatter:
    if (!indicesFit(k))
      return false;
    for (std::size_t i = 0; i < k.count; ++i)
      k.out[k.index[i]] = k.a[i];
    break;
  case Kernel::Sum:
    k.out[0] = std::accumulate(k.a, k.a + k.count, 0.0f);
    break;
  case Kernel::Touch:
  case Kernel::Delay:
    break;
  }
  return true;
}

} // namespace samedevice::runtime
