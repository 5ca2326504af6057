// A mock of OpenCV: matrices in host memory, owned or borrowed.
#pragma once
#pragma GCC system_header

#include <cstring>
#include <memory>
#include <string>
#include <vector>

#define CV_8U 0
#define CV_16U 2
#define CV_32S 4
#define CV_32F 5
#define CV_64F 6
#define CV_MAKETYPE(depth, cn) ((depth) + (((cn) - 1) << 3))
#define CV_8UC(n) CV_MAKETYPE(CV_8U, n)
#define CV_8UC1 CV_MAKETYPE(CV_8U, 1)
#define CV_8UC3 CV_MAKETYPE(CV_8U, 3)
#define CV_8UC4 CV_MAKETYPE(CV_8U, 4)
#define CV_32SC1 CV_MAKETYPE(CV_32S, 1)
#define CV_32FC(n) CV_MAKETYPE(CV_32F, n)
#define CV_32FC1 CV_MAKETYPE(CV_32F, 1)
#define CV_32FC2 CV_MAKETYPE(CV_32F, 2)
#define CV_32FC3 CV_MAKETYPE(CV_32F, 3)
#define CV_64FC1 CV_MAKETYPE(CV_64F, 1)

namespace cv {
using uchar = unsigned char;

struct Size {
  Size(int width = 0, int height = 0) : width(width), height(height) {}
  int width, height;
};
struct Point {
  Point(int x = 0, int y = 0) : x(x), y(y) {}
  int x, y;
};
struct Point2f {
  Point2f(float x = 0, float y = 0) : x(x), y(y) {}
  float x, y;
};
struct Rect {
  Rect(int x = 0, int y = 0, int width = 0, int height = 0) : x(x), y(y), width(width), height(height) {}
  int x, y, width, height;
};
template <class T, int n> struct Vec {
  T val[n] = {};
  T &operator[](int i) { return val[i]; }
  const T &operator[](int i) const { return val[i]; }
};
using Vec3b = Vec<uchar, 3>;
using Vec3f = Vec<float, 3>;
struct Scalar {
  Scalar(double v0 = 0, double v1 = 0, double v2 = 0, double v3 = 0) : val{v0, v1, v2, v3} {}
  static Scalar all(double v) { return Scalar(v, v, v, v); }
  double operator[](int i) const { return val[i]; }
  double val[4];
};

class Mat {
public:
  Mat() = default;
  Mat(int rows, int cols, int type) { create(rows, cols, type); }
  Mat(Size size, int type) { create(size.height, size.width, type); }
  Mat(int rows, int cols, int type, const Scalar &s) {
    create(rows, cols, type);
    setTo(s);
  }
  /// A header over memory of the caller's.
  Mat(int rows, int cols, int type, void *data, size_t step = 0)
      : rows(rows), cols(cols), data(static_cast<uchar *>(data)), type_(type) {
    (void)step;
  }
  Mat(Size size, int type, void *data, size_t step = 0) : Mat(size.height, size.width, type, data, step) {}

  static Mat zeros(int rows, int cols, int type) { return Mat(rows, cols, type, Scalar(0)); }
  static Mat ones(int rows, int cols, int type) { return Mat(rows, cols, type, Scalar(1)); }
  static Mat eye(int rows, int cols, int type) { return zeros(rows, cols, type); }
  void create(int r, int c, int type) {
    rows = r;
    cols = c;
    type_ = type;
    owned_ = std::make_shared<std::vector<uchar>>(total() * elemSize());
    data = owned_->data();
  }
  Mat clone() const {
    Mat copy(rows, cols, type_);
    std::memcpy(copy.data, data, total() * elemSize());
    return copy;
  }
  void copyTo(Mat &m) const { m = clone(); }
  void convertTo(Mat &m, int rtype, double alpha = 1, double beta = 0) const;
  Mat &setTo(const Scalar &s);
  Mat operator()(const Rect &roi) const { return Mat(roi.height, roi.width, type_, data); }
  template <class T> T &at(int row, int col) { return reinterpret_cast<T *>(ptr(row))[col]; }
  template <class T> const T &at(int row, int col) const { return reinterpret_cast<const T *>(ptr(row))[col]; }
  template <class T> T &at(int i) { return reinterpret_cast<T *>(data)[i]; }
  uchar *ptr(int row = 0) { return data + static_cast<size_t>(row) * static_cast<size_t>(cols) * elemSize(); }
  const uchar *ptr(int row = 0) const {
    return data + static_cast<size_t>(row) * static_cast<size_t>(cols) * elemSize();
  }
  template <class T> T *ptr(int row = 0) { return reinterpret_cast<T *>(ptr(row)); }
  template <class T> const T *ptr(int row = 0) const { return reinterpret_cast<const T *>(ptr(row)); }
  int type() const { return type_; }
  int depth() const { return type_ & 7; }
  int channels() const { return (type_ >> 3) + 1; }
  size_t elemSize1() const { return depth() < 2 ? 1 : depth() < 4 ? 2 : depth() < 6 ? 4 : 8; }
  size_t elemSize() const { return elemSize1() * static_cast<size_t>(channels()); }
  size_t total() const { return static_cast<size_t>(rows) * static_cast<size_t>(cols); }
  bool empty() const { return data == nullptr; }
  bool isContinuous() const { return true; }
  Size size() const { return Size(cols, rows); }

  int rows = 0, cols = 0;
  uchar *data = nullptr;

private:
  double element(size_t i) const {
    switch (depth()) {
    case CV_32F:
      return reinterpret_cast<const float *>(data)[i];
    case CV_64F:
      return reinterpret_cast<const double *>(data)[i];
    case CV_32S:
      return reinterpret_cast<const int *>(data)[i];
    default:
      return data[i];
    }
  }
  void setElement(size_t i, double value) {
    switch (depth()) {
    case CV_32F:
      reinterpret_cast<float *>(data)[i] = static_cast<float>(value);
      break;
    case CV_64F:
      reinterpret_cast<double *>(data)[i] = value;
      break;
    case CV_32S:
      reinterpret_cast<int *>(data)[i] = static_cast<int>(value);
      break;
    default:
      data[i] = static_cast<uchar>(value);
    }
  }
  int type_ = 0;
  std::shared_ptr<std::vector<uchar>> owned_;
};

inline void Mat::convertTo(Mat &m, int rtype, double alpha, double beta) const {
  Mat out(rows, cols, CV_MAKETYPE(rtype & 7, channels()));
  for (size_t i = 0; i < total() * static_cast<size_t>(channels()); ++i)
    out.setElement(i, element(i) * alpha + beta);
  m = out;
}
inline Mat &Mat::setTo(const Scalar &s) {
  for (size_t i = 0; i < total() * static_cast<size_t>(channels()); ++i)
    setElement(i, s[static_cast<int>(i) % channels() % 4]);
  return *this;
}

} // namespace cv
