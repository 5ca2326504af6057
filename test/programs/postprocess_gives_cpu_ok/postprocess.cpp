#include "detections.h"

Detections postprocess(const torch::Tensor& raw, double threshold) {
  auto scores = raw.select(1, 4).sigmoid();
  auto good = scores.gt(threshold).nonzero().squeeze(1);
  auto order = scores.index_select(0, good).argsort(0, /*descending=*/true);
  auto chosen = good.index_select(0, order);
  auto boxes = raw.index_select(0, chosen).slice(1, 0, 4).cpu();
  return {boxes, scores.index_select(0, chosen).cpu()};
}
