#pragma once

#include <cstddef>

// Floats that somebody else keeps.
class Buffer {
 public:
  explicit Buffer(size_t size);
  ~Buffer();
  Buffer(const Buffer&) = delete;
  Buffer& operator=(const Buffer&) = delete;

  float* data() { return data_; }
  size_t size() const { return size_; }
  void upload(const float* from);

 private:
  float* data_ = nullptr;
  size_t size_;
};
