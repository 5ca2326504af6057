#include "camera.h"

Camera::Camera(int width, int height) : width_(width), height_(height), picture_(size_t(width) * size_t(height)) {}

const float* Camera::grab() {
  float value = 0;
  for (auto& pixel : picture_) pixel = value += 0.001f;
  return picture_.data();
}
