#include <torch/library.h>

// What there is; who does it is said elsewhere.
TORCH_LIBRARY(cells, m) {
  m.def("life(Tensor board) -> Tensor");
}
