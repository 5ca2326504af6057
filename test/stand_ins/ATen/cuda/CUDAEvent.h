// A point in a stream to wait for.
#pragma once
#pragma GCC system_header

#include "ATen/cuda/CUDAContext.h"

namespace at::cuda {
struct CUDAEvent {
  CUDAEvent() = default;
  explicit CUDAEvent(unsigned int);
  void record();
  void record(const CUDAStream &stream);
  void block(const CUDAStream &);
  bool query() const;
  void synchronize() const;
  bool isCreated() const;

private:
  optional<CUDAStream> stream_;
};
} // namespace at::cuda
