#pragma once

#include <cstdint>
#include <vector>

// A camera that keeps its last picture in memory of its own.
class Camera {
 public:
  Camera(int width, int height);
  const float* grab();
  int width() const { return width_; }
  int height() const { return height_; }

 private:
  int width_, height_;
  std::vector<float> picture_;
};
