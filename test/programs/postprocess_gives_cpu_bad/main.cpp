#include <cstdio>

#include "detector.h"

int main() {
  Detector detector(torch::Device(torch::kCUDA, 0));
  const auto found = detector.detect(torch::rand({10, 3}));
  const auto boxes = found.boxes.accessor<float, 2>();
  for (int64_t i = 0; i < found.boxes.size(0); ++i) std::printf("%.2f %.2f\n", boxes[i][0], boxes[i][1]);
}
