#include "registry.h"

void sample_impl(at::Tensor points, at::Tensor chosen, int64_t step) {
  dispatch(REGISTRY(sample_impl), points, chosen, step);
}

void sample(at::Tensor points, at::Tensor chosen, int64_t step) { sample_impl(points, chosen, step); }

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def("sample", &sample); }
