// A point in a stream to wait for.
#pragma once
#pragma GCC system_header

#include "ATen/cuda/CUDAContext.h"

namespace at::cuda {
struct CUDAEvent {
  CUDAEvent() = default;
  explicit CUDAEvent(unsigned int) {}
  void record() { record(getCurrentCUDAStream()); }
  void record(const CUDAStream &stream) { stream_ = stream; }
  void block(const CUDAStream &) { synchronize(); }
  bool query() const { return !stream_ || stream_->query(); }
  void synchronize() const {
    if (stream_)
      stream_->synchronize();
  }
  bool isCreated() const { return stream_.has_value(); }

private:
  optional<CUDAStream> stream_;
};
} // namespace at::cuda
