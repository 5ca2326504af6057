#include <ATen/ATen.h>
#include <torch/library.h>

#include "life.h"

namespace {

at::Tensor life_cuda(const at::Tensor &board) {
  TORCH_CHECK(board.scalar_type() == at::kByte, "a board is made of bytes");
  auto contiguous = board.contiguous();
  auto next = at::zeros_like(contiguous);
  step_life(contiguous, next);
  return next;
}

}  // namespace

TORCH_LIBRARY_IMPL(cells, CUDA, m) { m.impl("life", life_cuda); }
