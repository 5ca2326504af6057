#include "registry.h"

Implementations<Gather> &gather_implementations() {
  static Implementations<Gather> table;
  return table;
}

at::Tensor gather_points(const at::Tensor &points, const at::Tensor &index) {
  TORCH_CHECK(points.device() == index.device(), "points and index must share a device");
  auto out = at::empty({index.numel()}, points.options());
  gather_implementations().of(points)(points, index, out);
  return out;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def("gather_points", &gather_points); }
