#include "pooling.h"

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {
  m.def("strip_pool", &strip_pool, "maximum of every row");
  m.def("strip_unpool", &strip_unpool, "puts the maxima back where they were");
}
