#include "resident.h"

Gallery::Gallery(int64_t people) : faces_(torch::rand({people, 4})), limits_(torch::full({people}, 0.5)) {
  track({&faces_, &limits_});
}

torch::Tensor Gallery::known(const torch::Tensor& queries) const {
  return (queries.matmul(faces_.t()) > limits_).any(1);
}
