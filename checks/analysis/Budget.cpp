#include "Budget.h"

#include <algorithm>

namespace samedevice::analysis {

void Budget::beginRoot() {
  left_ = limits_.stepsPerRoot;
  spentBefore_ = spent();
  asideLeft_ = limits_.stepsAsidePerRoot;
  tooLong_.clear();
}

bool Budget::spend() {
  if (left_ <= 0 || leftInAll_ <= 0) {
    exhaust();
    return false;
  }
  --left_;
  --leftInAll_;
  return true;
}

void Budget::chargeFor(long comparedPlaces) {
  constexpr long kPlacesInAStep = 8;
  const long steps = comparedPlaces / kPlacesInAStep;
  left_ -= steps;
  leftInAll_ -= steps;
}

int Budget::statesKept(int most) const {
  const long spentOnRoot = spent() - spentBefore_;
  const long allowed = std::min(limits_.stepsPerRoot, spentOnRoot + std::max(leftInAll_, 0L));
  return spentOnRoot < allowed / 4 ? most : std::min(most, Limits::fewestStates);
}

Budget::Allowance::Allowance(Budget &budget, facts::FunctionId function, bool isAside)
    : budget_(budget), function_(function), isAside_(isAside), wasCut_(budget.wasCut_),
      allowed_(isAside ? std::min({budget.limits_.stepsPerCallAside, budget.asideLeft_, budget.left_})
                       : budget.left_ - budget.left_ / 4),
      spared_(budget.left_ - allowed_) {
  budget_.left_ = allowed_;
}

Budget::Allowance::~Allowance() {
  if (isAside_)
    budget_.asideLeft_ -= allowed_ - budget_.left_;
  budget_.left_ += spared_;
  if (!budget_.isExhausted_)
    return;
  budget_.isExhausted_ = false;
  budget_.tooLong_.insert(function_);
  if (isAside_)
    budget_.wasCut_ = wasCut_;
}

} // namespace samedevice::analysis
