#include "download.h"

torch::Tensor download(const torch::Tensor& on_gpu) {
  auto on_host = torch::empty(on_gpu.sizes(), on_gpu.options().device(torch::kCPU).pinned_memory(true));
  on_host.copy_(on_gpu, /*non_blocking=*/true);
  return on_host;
}

torch::Tensor download_all(const std::vector<torch::Tensor>& parts) { return download(torch::cat(parts)); }

void wait_for_downloads() { torch::cuda::synchronize(); }
