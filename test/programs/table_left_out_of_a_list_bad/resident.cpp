#include "resident.h"

void Resident::track(std::initializer_list<torch::Tensor*> members) {
  tracked_.insert(tracked_.end(), members.begin(), members.end());
}

void Resident::to(torch::Device device) {
  for (auto* member : tracked_)
    if (member->defined()) *member = member->to(device);
}
