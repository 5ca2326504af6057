#include "Link.h"

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <tuple>

namespace samedevice::facts {
namespace {

/// Where something is defined. What is told of by one name in two places are two things: two programs of one tree, or
/// a mistake that is not ours to tell.
struct Definition {
  std::string link, file;
  std::uint32_t line = 0, column = 0;

  friend bool operator<(const Definition &a, const Definition &b) {
    return std::tie(a.link, a.file, a.line, a.column) < std::tie(b.link, b.file, b.line, b.column);
  }
};

Definition definitionOf(const Program &unit, const std::string &link, SourceId source) {
  Definition made{link, {}, 0, 0};
  if (source < unit.sources.size() && unit.sources[source].file < unit.files.size()) {
    made.file = unit.files[unit.sources[source].file];
    made.line = unit.sources[source].line;
    made.column = unit.sources[source].column;
  }
  return made;
}

bool isDefined(const Function &function) { return !function.isElsewhere && !function.blocks.empty(); }

/// Adds what is not there yet.
template <typename Item> void unite(std::vector<Item> &all, const std::vector<Item> &more) {
  for (const Item &item : more)
    if (std::find(all.begin(), all.end(), item) == all.end())
      all.push_back(item);
}

class Linker {
public:
  explicit Linker(const std::vector<const Program *> &units) : units_(units) {}

  Program run() {
    findDefinitions();
    for (std::size_t u = 0; u < units_.size(); ++u)
      number(*units_[u]);
    for (std::size_t u = 0; u < units_.size(); ++u)
      copy(*units_[u], u);
    replaceGuesses();
    findOverriders();
    return std::move(result_);
  }

private:
  /// What the ids of a unit are in the result.
  struct Ids {
    std::vector<FunctionId> functions;
    std::vector<ClassId> classes;
    std::vector<bool> copiesFunction, copiesClass; ///< whether it is this unit's that is taken
    SourceId firstSource = 0;
  };

  void findDefinitions() {
    for (const Program *unit : units_)
      for (const Function &function : unit->functions)
        if (!function.link.empty() && isDefined(function))
          places_[function.link].insert(definitionOf(*unit, function.link, function.source));
  }

  /// A new id, or that of the same thing in a unit before. Things that other files cannot know are new ones.
  template <typename Key>
  static std::pair<std::uint32_t, bool> idOf(std::map<Key, std::uint32_t> &known, Key key, bool isShared,
                                             std::uint32_t &next) {
    if (!isShared)
      return {next++, true};
    auto [place, isNew] = known.try_emplace(std::move(key), next);
    next += isNew;
    return {place->second, isNew};
  }

  void number(const Program &unit) {
    Ids ids;
    for (const Function &function : unit.functions) {
      Definition key = definitionOf(unit, function.link, function.source);
      if (!isDefined(function)) {
        auto known = places_.find(function.link);
        const bool isClear = known != places_.end() && known->second.size() == 1;
        key = isClear ? *known->second.begin() : Definition{function.link, {}, 0, 0};
      }
      auto [id, isNew] = idOf(functions_, std::move(key), !function.link.empty(), nextFunction_);
      ids.functions.push_back(id);
      // A declaration keeps the place until the body comes.
      ids.copiesFunction.push_back(isNew || (isDefined(function) && bodies_.insert(id).second));
      if (isNew && isDefined(function))
        bodies_.insert(id);
    }
    for (const Class &cls : unit.classes) {
      auto [id, isNew] = idOf(classes_, definitionOf(unit, cls.link, cls.source), !cls.link.empty(), nextClass_);
      ids.classes.push_back(id);
      ids.copiesClass.push_back(isNew);
    }
    ids.firstSource = nextSource_;
    nextSource_ += static_cast<SourceId>(unit.sources.empty() ? 0 : unit.sources.size() - 1);
    ids_.push_back(std::move(ids));
  }

  void copy(const Program &unit, std::size_t index) {
    current_ = &ids_[index];
    unit_ = index;
    result_.functions.resize(nextFunction_);
    result_.classes.resize(nextClass_);
    result_.mentionsDevices |= unit.mentionsDevices;
    result_.isUnfinished |= unit.isUnfinished;
    result_.torch = std::max(result_.torch, unit.torch); // some files do not show it; a program has one
    copySources(unit);
    for (FunctionId f = 0; f < unit.functions.size(); ++f) {
      Function &into = result_.functions[current_->functions[f]];
      Function made = current_->copiesFunction[f] ? moved(unit.functions[f]) : Function();
      if (!current_->copiesFunction[f])
        std::swap(made, into);
      // Declarations may know what bodies do not say: who binds it to what.
      made.isEntry |= into.isEntry | unit.functions[f].isEntry;
      made.isGuarded |= into.isGuarded | unit.functions[f].isGuarded;
      made.isForCuda |= into.isForCuda | unit.functions[f].isForCuda;
      unite(made.boundAs, into.boundAs);
      unite(made.boundAs, unit.functions[f].boundAs);
      into = std::move(made);
    }
    for (ClassId c = 0; c < unit.classes.size(); ++c)
      copy(unit.classes[c], result_.classes[current_->classes[c]], current_->copiesClass[c]);
    for (FunctionId init : unit.globalInits)
      result_.globalInits.push_back(function(init));
  }

  void copySources(const Program &unit) {
    if (result_.sources.empty())
      result_.sources.emplace_back();
    std::vector<std::uint32_t> files;
    for (const std::string &path : unit.files) {
      auto [place, isNew] = files_.try_emplace(path, static_cast<std::uint32_t>(result_.files.size()));
      if (isNew)
        result_.files.push_back(path);
      files.push_back(place->second);
    }
    for (SourceId id = 1; id < unit.sources.size(); ++id) {
      Source source = unit.sources[id];
      source.file = source.file < files.size() ? files[source.file] : kNone;
      source.function = function(source.function);
      source.member = cls(source.member);
      result_.sources.push_back(std::move(source));
    }
  }

  void copy(const Class &from, Class &into, bool isNew) {
    Class made = from;
    for (std::vector<FunctionId> *list : {&made.constructors, &made.methods})
      for (FunctionId &id : *list)
        id = function(id);
    for (ClassId &base : made.bases)
      base = cls(base);
    made.call = function(made.call);
    made.moveOverride = function(made.moveOverride);
    if (isNew) {
      for (FieldInfo &field : made.fields)
        move(field.slot);
      made.source = source(made.source);
      into = std::move(made);
      return;
    }
    unite(into.constructors, made.constructors);
    unite(into.methods, made.methods);
    if (into.call == kNone)
      into.call = made.call;
    if (into.moveOverride == kNone)
      into.moveOverride = made.moveOverride;
  }

  Function moved(const Function &from) {
    Function made = from;
    made.cls = cls(made.cls);
    made.source = source(made.source);
    move(made.result);
    for (SlotInfo &slot : made.slots)
      move(slot);
    for (FunctionId &base : made.overrides)
      base = function(base);
    for (Block &block : made.blocks) {
      for (Instruction &i : block.instructions)
        move(i);
      block.end.source = source(block.end.source);
    }
    return made;
  }

  void move(SlotInfo &slot) {
    slot.cls = cls(slot.cls);
    slot.source = source(slot.source);
  }

  void move(Instruction &i) {
    i.source = source(i.source);
    for (Operand &operand : i.args)
      operand.source = source(operand.source);
    const bool isOfFunctions = i.opcode == Opcode::Call || (i.flags & kGuess);
    for (std::uint32_t &target : i.targets)
      target = isOfFunctions ? function(target) : cls(target);
    if ((i.flags & kOwnName) && unit_)
      i.text += '@' + std::to_string(unit_);
  }

  FunctionId function(FunctionId id) const { return id == kNone ? kNone : current_->functions[id]; }
  ClassId cls(ClassId id) const { return id == kNone ? kNone : current_->classes[id]; }
  SourceId source(SourceId id) const { return id ? id + current_->firstSource : 0; }

  /// Once a body is there, nobody has to guess what is in it.
  void replaceGuesses() {
    for (Class &cls : result_.classes) {
      auto written = std::find_if(cls.constructors.begin(), cls.constructors.end(),
                                  [&](FunctionId id) { return isDefined(result_.functions[id]); });
      if (written == cls.constructors.end())
        continue;
      // Of these nobody knew which constructor it is.
      for (FunctionId id : cls.constructors)
        if (result_.functions[id].isElsewhere && result_.functions[id].link.empty())
          standIns_[id] = *written;
      std::vector<FunctionId> kept;
      for (FunctionId id : cls.constructors)
        if (!result_.functions[id].isElsewhere)
          kept.push_back(id);
      cls.constructors = std::move(kept);
    }
    for (Function &function : result_.functions)
      for (Block &block : function.blocks) {
        auto &list = block.instructions;
        list.erase(std::remove_if(list.begin(), list.end(),
                                  [&](const Instruction &i) {
                                    return (i.flags & kGuess) && isDefined(result_.functions[i.targets[0]]);
                                  }),
                   list.end());
        for (Instruction &i : list)
          if (i.opcode == Opcode::Call)
            for (FunctionId &target : i.targets)
              if (auto known = standIns_.find(target); known != standIns_.end())
                target = known->second;
      }
  }

  /// A virtual call reaches what overrides it in any file.
  void findOverriders() {
    std::map<FunctionId, std::vector<FunctionId>> overriders;
    for (FunctionId f = 0; f < result_.functions.size(); ++f)
      for (FunctionId base : result_.functions[f].overrides)
        overriders[base].push_back(f);
    for (Function &function : result_.functions)
      for (Block &block : function.blocks)
        for (Instruction &i : block.instructions)
          if (i.opcode == Opcode::Call && (i.flags & kVirtual) && !i.targets.empty())
            for (std::size_t n = 0; n < i.targets.size(); ++n)
              if (auto known = overriders.find(i.targets[n]); known != overriders.end())
                unite(i.targets, std::vector<FunctionId>(known->second)); // theirs come behind them
  }

  const std::vector<const Program *> &units_;
  std::map<std::string, std::set<Definition>> places_;
  std::map<Definition, std::uint32_t> functions_, classes_;
  std::set<FunctionId> bodies_;
  std::map<FunctionId, FunctionId> standIns_;
  std::map<std::string, std::uint32_t> files_;
  std::uint32_t nextFunction_ = 0, nextClass_ = 0;
  SourceId nextSource_ = 0;
  std::vector<Ids> ids_;
  const Ids *current_ = nullptr;
  std::size_t unit_ = 0;
  Program result_;
};

} // namespace

Program link(const std::vector<const Program *> &units) { return Linker(units).run(); }

Program link(const std::vector<const Program *> &units, const std::vector<std::size_t> &together) {
  std::vector<const Program *> linked;
  linked.reserve(together.size());
  for (std::size_t unit : together)
    linked.push_back(units[unit]);
  return link(linked);
}

} // namespace samedevice::facts
