#pragma once

#include <utility>
#include <vector>

#include "stage.h"

class Pipeline {
 public:
  void add(std::unique_ptr<Stage> stage) { stages_.push_back(std::move(stage)); }
  torch::Tensor run(torch::Tensor x) const {
    for (const auto& stage : stages_) x = stage->run(x);
    return x;
  }

 private:
  std::vector<std::unique_ptr<Stage>> stages_;
};
