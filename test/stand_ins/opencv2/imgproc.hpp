// Image processing of the mock: sizes and types are right, pixels are copied.
#pragma once
#pragma GCC system_header

#include "opencv2/core.hpp"

namespace cv {
enum InterpolationFlags { INTER_NEAREST = 0, INTER_LINEAR = 1, INTER_CUBIC = 2, INTER_AREA = 3 };
enum ColorConversionCodes { COLOR_BGR2RGB = 4, COLOR_RGB2BGR = 4, COLOR_BGR2GRAY = 6, COLOR_GRAY2BGR = 8 };

inline void resize(const Mat &src, Mat &dst, Size dsize, double = 0, double = 0, int = INTER_LINEAR) {
  dst = Mat(dsize, src.type());
  dst.setTo(Scalar(src.empty() ? 0 : src.data[0]));
}
inline void cvtColor(const Mat &src, Mat &dst, int code, int = 0) {
  if (code == COLOR_BGR2GRAY)
    dst = Mat(src.rows, src.cols, CV_MAKETYPE(src.depth(), 1), Scalar(src.data[0]));
  else if (code == COLOR_GRAY2BGR)
    dst = Mat(src.rows, src.cols, CV_MAKETYPE(src.depth(), 3), Scalar(src.data[0]));
  else
    dst = src.clone();
}
inline void GaussianBlur(const Mat &src, Mat &dst, Size, double, double = 0) { dst = src.clone(); }
inline double threshold(const Mat &src, Mat &dst, double thresh, double, int) {
  dst = src.clone();
  return thresh;
}
inline void rectangle(Mat &img, Rect, const Scalar &, int = 1) { img.ptr()[0] = 0; }
} // namespace cv
