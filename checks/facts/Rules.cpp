#include "Rules.h"

#include <algorithm>
#include <iterator>

namespace samedevice::facts {
namespace {

#include "OperatorRules.inc"

constexpr int kNoMatch = 1 << 20;
constexpr int kLeftOut = 16;       ///< an argument that is not optional
constexpr int kOtherSyntax = 1024; ///< a method where a function is called, or the other way round

/// How far a call with these arguments is from the overload; kNoMatch if it cannot be it.
int distance(const OperatorRule &rule, bool method, const std::vector<std::string_view> &passed, bool byName) {
  if (passed.size() > rule.arguments.size())
    return kNoMatch;
  int result = 0;
  for (std::string_view name : passed)
    if (byName && !name.empty() && !rule.argument(name))
      return kNoMatch;
  for (const TensorArgument &argument : rule.arguments)
    if (!byName || std::find(passed.begin(), passed.end(), argument.name) == passed.end())
      result += argument.isOptional ? 1 : kLeftOut;
  // Arguments of unknown name fill some of the gaps.
  const auto unnamed = byName ? std::count(passed.begin(), passed.end(), std::string_view()) : std::ssize(passed);
  result -= static_cast<int>(unnamed) * kLeftOut;
  if (!(method ? rule.isMethod : rule.isFunction))
    result += kOtherSyntax;
  return result;
}

} // namespace

const TensorArgument *OperatorRule::argument(std::string_view name) const {
  for (const TensorArgument &candidate : arguments)
    if (candidate.name == name)
      return &candidate;
  return nullptr;
}

const OperatorRule *findRule(std::string_view cppName, bool method,
                             const std::vector<std::string_view> &tensorArguments, TorchVersion version) {
  auto holds = [&](const OperatorRule &rule) { return !rule.before || (version && version < rule.before); };
  auto [begin, end] = std::ranges::equal_range(kRules, cppName, {}, &OperatorRule::cppName);
  // Headers and schema call an argument by different names now and then; then the number of them decides.
  for (bool byName : {true, false}) {
    const OperatorRule *best = nullptr;
    int least = kNoMatch;
    for (const OperatorRule &rule : std::ranges::subrange(begin, end))
      if (int found = distance(rule, method, tensorArguments, byName); found < least && holds(rule)) {
        best = &rule;
        least = found;
      }
    if (best)
      return best;
  }
  return nullptr;
}

Rows<OperatorRule> allRules() { return {std::begin(kRules), std::size(kRules)}; }

} // namespace samedevice::facts
