#include "outbox.h"

#include <utility>

void Outbox::post(int64_t frame, const torch::Tensor& boxes) {
  parcels_.push_back({frame, boxes.to(torch::kCPU, /*non_blocking=*/true)});
}

void Outbox::settle() const { torch::cuda::synchronize(); }

Parcel Outbox::take() {
  auto parcel = std::move(parcels_.front());
  parcels_.pop_front();
  return parcel;
}
