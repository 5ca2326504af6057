#pragma once
#include <torch/torch.h>

#include <initializer_list>
#include <vector>

// Keeps tensors, and is no module: who derives from it says which of them follow it to another device.
class Resident {
 public:
  virtual ~Resident() = default;
  void to(torch::Device device);

 protected:
  void track(std::initializer_list<torch::Tensor*> members);

 private:
  std::vector<torch::Tensor*> tracked_;
};

class Gallery : public Resident {
 public:
  explicit Gallery(int64_t people);
  // Whether anybody is as near as that person's limit says.
  torch::Tensor known(const torch::Tensor& queries) const;

 private:
  torch::Tensor faces_, limits_;
};
