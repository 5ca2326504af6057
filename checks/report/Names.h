// What the user calls the things that findings are about. Who has the AST asks that; who has only facts, their sources.
#pragma once

#include "../facts/Program.h"

#include <string>

namespace samedevice::report {

class Names {
public:
  virtual ~Names() = default;

  /// The variable or member that it is, or that it is put into, else the shortest expression that says it; empty where
  /// there is nothing short.
  virtual std::string name(facts::SourceId id) const = 0;
  /// The variable or member that what is made at `id` is put into.
  virtual std::string label(facts::SourceId id) const = 0;
  /// "torch::nn::Linear(8, 3)", where it is made in so many words.
  virtual std::string madeAs(facts::SourceId id) const = 0;
  /// What is called at `id`, as written: "evaluate", "model->forward", "run".
  virtual std::string callee(facts::SourceId id) const = 0;
  /// A kernel, and not the call of what launches it.
  virtual bool isLaunch(facts::SourceId id) const = 0;
  /// Whether the name of one means something to who reads the other's line: both stand in one function, or it is a
  /// member.
  virtual bool isSeenFrom(facts::SourceId named, facts::SourceId line) const = 0;
};

/// By the sources that the facts carry.
class NamesOfFacts : public Names {
public:
  explicit NamesOfFacts(const facts::Program &program) : program_(program) {}

  std::string name(facts::SourceId id) const override { return at(id).name; }
  std::string label(facts::SourceId id) const override { return at(id).label; }
  std::string madeAs(facts::SourceId id) const override { return at(id).madeAs; }
  std::string callee(facts::SourceId id) const override { return at(id).callee; }
  bool isLaunch(facts::SourceId id) const override { return at(id).isLaunch; }
  bool isSeenFrom(facts::SourceId named, facts::SourceId line) const override;

private:
  const facts::Source &at(facts::SourceId id) const;

  const facts::Program &program_;
};

} // namespace samedevice::report
