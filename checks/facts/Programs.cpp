#include "Programs.h"

#include <algorithm>
#include <map>
#include <set>
#include <string>

namespace samedevice::facts {
namespace {

bool isDefined(const Function &function) { return !function.isElsewhere && !function.blocks.empty(); }

/// What a unit gives to others and takes from them.
struct Ties {
  std::set<std::string> gives, takes;
  bool hasMain = false;
};

std::uint32_t fileOf(const Program &unit, SourceId source) {
  return source < unit.sources.size() ? unit.sources[source].file : kNone;
}

/// Who has a class may call its methods, and who has bodies of them outside of it is where it goes on.
void tieClasses(const Program &unit, Ties &ties) {
  for (const Class &cls : unit.classes)
    if (!cls.link.empty())
      ties.takes.insert("class " + cls.link);
  for (const Function &function : unit.functions)
    if (function.cls < unit.classes.size() && isDefined(function) && !unit.classes[function.cls].link.empty() &&
        fileOf(unit, function.source) != fileOf(unit, unit.classes[function.cls].source))
      ties.gives.insert("class " + unit.classes[function.cls].link);
}

/// A registry that a header keeps in a function's static: who fills it while its globals are made gives something to
/// whoever asks it.
void tieRegistries(const Program &unit, Ties &ties) {
  std::vector<char> isStart(unit.functions.size(), 0);
  std::vector<FunctionId> work;
  for (FunctionId f = 0; f < unit.functions.size(); ++f)
    if (unit.isGlobalInit(f)) {
      isStart[f] = 1;
      work.push_back(f);
    }
  while (!work.empty()) {
    const FunctionId f = work.back();
    work.pop_back();
    for (const Block &block : unit.functions[f].blocks)
      for (const Instruction &i : block.instructions)
        if (i.opcode == Opcode::Call)
          for (const FunctionId target : i.targets)
            if (target < isStart.size() && !isStart[target]) {
              isStart[target] = 1;
              work.push_back(target);
            }
  }
  constexpr std::uint32_t ownFile = 0;
  for (FunctionId f = 0; f < unit.functions.size(); ++f) {
    const Function &function = unit.functions[f];
    if (function.link.empty() || !isDefined(function) || fileOf(unit, function.source) == ownFile)
      continue;
    for (const Block &block : function.blocks)
      for (const Instruction &i : block.instructions)
        if (i.opcode == Opcode::IsMade) {
          ties.takes.insert("kept by " + function.link);
          if (isStart[f])
            ties.gives.insert("kept by " + function.link);
        }
  }
}

Ties tiesOf(const Program &unit) {
  Ties ties;
  tieClasses(unit, ties);
  tieRegistries(unit, ties);
  for (FunctionId f = 0; f < unit.functions.size(); ++f) {
    const Function &function = unit.functions[f];
    if (!function.link.empty())
      (isDefined(function) ? ties.gives : ties.takes).insert(function.link);
    ties.hasMain |= function.isMain() && isDefined(function);
    for (const Block &block : function.blocks)
      for (const Instruction &i : block.instructions)
        if (i.opcode == Opcode::Global && !(i.flags & kOwnName))
          (unit.isGlobalInit(f) ? ties.gives : ties.takes).insert("global " + i.text);
  }
  return ties;
}

using Units = std::set<std::size_t>;

class Grouping {
public:
  explicit Grouping(const std::vector<const Program *> &units) : below_(units.size()), isPlaced_(units.size(), 0) {
    std::map<std::string, std::vector<std::size_t>> givers;
    for (const Program *unit : units)
      for (const std::string &name : ties_.emplace_back(tiesOf(*unit)).gives)
        givers[name].push_back(ties_.size() - 1);
    for (std::size_t u = 0; u < units.size(); ++u)
      for (const std::string &name : ties_[u].takes)
        if (auto known = givers.find(name); known != givers.end())
          for (std::size_t giver : known->second)
            if (giver != u && !ties_[giver].hasMain) // nobody links a program's own file into another
              below_[u].insert(giver);
  }

  std::vector<std::vector<std::size_t>> run(const std::vector<Product> &products) {
    placeProducts(products);
    const std::vector<char> isOfProduct = isPlaced_;
    for (std::size_t u = 0; u < ties_.size(); ++u)
      if (ties_[u].hasMain && !isOfProduct[u])
        add(reachedFrom({u}));
    placeRest();
    return std::move(programs_);
  }

private:
  void placeProducts(const std::vector<Product> &products) {
    for (const Product &product : products)
      if (!product.isLinked && !product.own.empty())
        add(reachedFrom({product.own.begin(), product.own.end()}, &product));
    // Those that are linked with most come first: they reach what is in the others.
    std::vector<const Product *> libraries;
    for (const Product &product : products)
      if (product.isLinked)
        libraries.push_back(&product);
    std::stable_sort(libraries.begin(), libraries.end(), [](const Product *one, const Product *other) {
      return one->linked.size() > other->linked.size();
    });
    for (const Product *library : libraries) {
      Units rest;
      for (std::size_t u : library->own)
        if (!isPlaced_[u])
          rest.insert(u);
      if (!rest.empty())
        add(reachedFrom(std::move(rest), library));
    }
  }

  /// Who takes from whom, and who takes from the same, are together.
  void placeRest() {
    const std::vector<char> isOfOthers = isPlaced_;
    std::vector<Units> beside = below_;
    for (std::size_t u = 0; u < below_.size(); ++u)
      for (std::size_t next : below_[u])
        beside[next].insert(u);
    for (std::size_t u = 0; u < beside.size(); ++u) {
      if (isPlaced_[u])
        continue;
      Units together{u};
      for (std::vector<std::size_t> work{u}; !work.empty();) {
        const std::size_t at = work.back();
        work.pop_back();
        for (std::size_t next : beside[at])
          if (!isOfOthers[next] && together.insert(next).second)
            work.push_back(next);
      }
      add(reachedFrom(std::move(together)));
    }
  }

  /// `within`: what a linker would look at.
  Units reachedFrom(Units reached, const Product *within = nullptr) const {
    Units allowed;
    if (within) {
      allowed.insert(within->own.begin(), within->own.end());
      allowed.insert(within->linked.begin(), within->linked.end());
    }
    for (std::vector<std::size_t> work(reached.begin(), reached.end()); !work.empty();) {
      const std::size_t u = work.back();
      work.pop_back();
      for (std::size_t next : below_[u])
        if ((!within || allowed.count(next)) && reached.insert(next).second)
          work.push_back(next);
    }
    return reached;
  }

  void add(const Units &found) {
    programs_.emplace_back(found.begin(), found.end());
    for (std::size_t u : found)
      isPlaced_[u] = 1;
  }

  std::vector<Ties> ties_;
  std::vector<Units> below_; ///< the units that one takes from
  std::vector<char> isPlaced_;
  std::vector<std::vector<std::size_t>> programs_;
};

} // namespace

std::vector<std::vector<std::size_t>> programsAmong(const std::vector<const Program *> &units,
                                                    const std::vector<Product> &products) {
  return Grouping(units).run(products);
}

} // namespace samedevice::facts
