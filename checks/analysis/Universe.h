// The identities of one analysis: what is unknown but fixed has a symbol, what has a name a number, what happened an
// event, and what exists an object. All states of an analysis speak of these.
#pragma once

#include "ProgramIndex.h"
#include "Symbols.h"

#include <map>
#include <string>
#include <tuple>
#include <vector>

namespace samedevice::analysis {

/// The object whose members are the globals.
inline constexpr ObjectId kGlobals = 1;

/// Gives objects and frames their ids: asked twice by one key, the same.
class Objects {
public:
  /// The frame of a function that is called there, by the activation `caller`.
  ObjectId frame(ObjectId caller, const facts::Instruction &site, facts::FunctionId function) {
    return idOf(frames_, {caller, &site, function});
  }
  /// What an instruction makes in an activation: one thing in each of `turns`, the turns of the loops around it.
  ObjectId made(ObjectId frame, const facts::Instruction &instruction, std::uint32_t nth,
                std::vector<std::int64_t> turns) {
    return idOf(made_, {frame, &instruction, nth, std::move(turns)});
  }
  /// What nobody has seen being made, and is known by this name.
  ObjectId unseen(const std::string &name) { return idOf(unseen_, name); }
  /// The frame of a function with which an execution starts.
  ObjectId root(facts::FunctionId function) { return idOf(roots_, function); }
  /// The object whose methods are run because nobody else runs them.
  ObjectId instance(facts::ClassId cls) { return idOf(instances_, cls); }

private:
  template <typename Key> ObjectId idOf(std::map<Key, ObjectId> &ids, Key key) {
    auto [it, isNew] = ids.try_emplace(std::move(key), last_ + kIdsOfOne);
    if (isNew)
      last_ += kIdsOfOne;
    return it->second;
  }

  std::map<std::tuple<ObjectId, const facts::Instruction *, facts::FunctionId>, ObjectId> frames_;
  std::map<std::tuple<ObjectId, const facts::Instruction *, std::uint32_t, std::vector<std::int64_t>>, ObjectId> made_;
  std::map<std::string, ObjectId> unseen_;
  std::map<facts::FunctionId, ObjectId> roots_;
  std::map<facts::ClassId, ObjectId> instances_;
  ObjectId last_ = kGlobals + 1;
};

struct Universe {
  explicit Universe(const ProgramIndex &all) : program(all) {}
  Universe(const Universe &) = delete;
  Universe &operator=(const Universe &) = delete;

  const ProgramIndex &program;
  Symbols symbols;
  Names names;
  Events events;
  Objects objects;
};

} // namespace samedevice::analysis
