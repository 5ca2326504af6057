// Files of the mock: reading makes an image up, writing only looks at the pixels.
#pragma once
#pragma GCC system_header

#include "opencv2/core.hpp"

namespace cv {
enum ImreadModes { IMREAD_UNCHANGED = -1, IMREAD_GRAYSCALE = 0, IMREAD_COLOR = 1 };
inline Mat imread(const std::string &, int flags = IMREAD_COLOR) {
  return Mat(32, 32, flags == IMREAD_GRAYSCALE ? CV_8UC1 : CV_8UC3, Scalar::all(127));
}
inline bool imwrite(const std::string &, const Mat &img) {
  unsigned sum = 0;
  for (size_t i = 0; i < img.total() * img.elemSize(); ++i)
    sum += img.data[i];
  return sum != ~0u;
}
} // namespace cv
