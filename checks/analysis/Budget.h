// What an analysis may cost. Where a limit is hit, the rest is unknown, which means silence.
#pragma once

#include "../facts/Program.h"
#include "Limits.h"

#include <set>

namespace samedevice::analysis {

class Budget {
public:
  Budget(const Limits &limits, bool mentionsDevices)
      : limits_(limits), allowedInAll_(mentionsDevices ? limits.stepsInAll : limits.stepsWithoutDevices),
        leftInAll_(allowedInAll_) {}

  /// An execution starts: it gets steps of its own, out of those that all have together.
  void beginRoot();
  /// One instruction. False when there is nothing left.
  bool spend();
  /// States that differ much are costly to compare, and loops around loops have many of them: it counts as work.
  void chargeFor(long comparedPlaces);
  /// How many states are kept apart, where there is room for `most`: few when a root has used up a good part of its
  /// steps, so that it is still seen to its end. What states disagree on is unknown when they are joined.
  int statesKept(int most) const;
  /// What runs is not run to its end.
  void exhaust() { isExhausted_ = wasCut_ = true; }
  bool isExhausted() const { return isExhausted_; }
  /// The next function starts, with what its root has left.
  void goOn() { isExhausted_ = false; }
  /// Whether some root was not run to its end.
  bool wasCut() const { return wasCut_; }
  /// Whether calls of this function did not come to their end, in this root.
  bool isTooLong(facts::FunctionId function) const { return tooLong_.count(function) != 0; }
  long spent() const { return allowedInAll_ - leftInAll_; }

  /// For as long as it lives, the part of a root's steps that one call may use up: few of them if the function has
  /// nothing to do with devices itself. A call that does not come to its end leaves the rest to its caller.
  class Allowance {
  public:
    Allowance(Budget &budget, facts::FunctionId function, bool isAside);
    ~Allowance();
    Allowance(const Allowance &) = delete;
    Allowance &operator=(const Allowance &) = delete;

    bool isExhausted() const { return budget_.isExhausted_; }

  private:
    Budget &budget_;
    const facts::FunctionId function_;
    const bool isAside_, wasCut_;
    const long allowed_, spared_;
  };

private:
  const Limits limits_;
  const long allowedInAll_;
  long leftInAll_;
  long left_ = 0;        ///< of this root
  long spentBefore_ = 0; ///< on the roots before it
  long asideLeft_ = 0;   ///< of this root, for what is no device's business
  bool isExhausted_ = false;
  bool wasCut_ = false;
  std::set<facts::FunctionId> tooLong_;
};

} // namespace samedevice::analysis
