#include "pooling.h"

#include <c10/core/DeviceGuard.h>

at::Tensor strip_pool(const at::Tensor &image, at::Tensor winners) {
  TORCH_CHECK(image.dim() == 2, "one image at a time");
  auto contiguous = image.contiguous();
  auto pooled = at::empty({image.size(0)}, contiguous.options());
  strip_pool_launcher(contiguous, pooled, winners);  // expect: device-missing-guard
  return pooled;
}

at::Tensor strip_unpool(const at::Tensor &pooled, const at::Tensor &winners, int64_t width) {
  const c10::OptionalDeviceGuard guard(at::device_of(pooled));
  auto image = at::zeros({pooled.size(0), width}, pooled.options());
  strip_unpool_launcher(pooled.contiguous(), winners, image);
  return image;
}
