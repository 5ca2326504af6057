#pragma once
#include <torch/torch.h>

#include <deque>

struct Parcel {
  int64_t frame;
  torch::Tensor boxes;
};

// Brings boxes to the host while the next frame is computed.
class Outbox {
 public:
  void post(int64_t frame, const torch::Tensor& boxes);
  // Waits for all that was posted.
  void settle() const;
  Parcel take();
  bool empty() const { return parcels_.empty(); }

 private:
  std::deque<Parcel> parcels_;
};

// Counts on the host.
class Counter {
 public:
  void count(const Parcel& parcel);
  int64_t total() const { return total_; }

 private:
  int64_t total_ = 0;
};
