#include "Questions.h"

#include "Lists.h"
#include "Unseen.h"
#include "Values.h"

#include <initializer_list>
#include <optional>
#include <string>
#include <vector>

namespace samedevice::analysis {

/// Whether a truth is known by a name that it has wherever it is asked for.
static bool isNamed(const Symbols &symbols, const Value &truth) {
  constexpr std::uint32_t tests =
      Value::kConstant | Value::kIsCudaTest | Value::kIsCpuTest | Value::kSameTest | Value::kPinnedTest;
  if (truth.kind != Value::Bool || (truth.flags & tests))
    return truth.kind == Value::Bool;
  if (!truth.symbol || symbols[truth.symbol].isPassing)
    return false;
  if (!symbols.isTest(truth.symbol))
    return true;
  const Symbols::Test &test = symbols.testOf(truth.symbol);
  return !symbols[test.first].isPassing && !symbols[test.second].isPassing;
}

/// What a question is about, as a name that only this has; nothing where it has none. `subjects`: where somebody writes
/// to one of these, the question is open again.
static std::string identityOf(Context &context, const Operand &operand, std::vector<Symbols::Subject> &subjects) {
  const Value of = value(context, operand.slot);
  auto numbers = [](char kind, std::initializer_list<std::int64_t> parts) {
    std::string name(1, kind);
    for (std::int64_t part : parts)
      name += std::to_string(part) + '.';
    return name;
  };
  auto named = [&](SymbolId symbol) {
    subjects.push_back(Symbols::subject(symbol));
    return numbers('s', {symbol});
  };
  auto placed = [&](Place at) {
    subjects.push_back(at);
    return numbers('p', {static_cast<std::int64_t>(at)});
  };
  switch (of.kind) {
  case Value::Null:
    return "null";
  case Value::Int:
  case Value::String:
    if (of.has(Value::kConstant))
      return numbers('c', {of.number});
    if (of.symbol)
      return named(of.symbol);
    break;
  case Value::Bool:
    if (of.has(Value::kConstant))
      return numbers('c', {of.number});
    if (of.symbol && !of.has(Value::kSameTest))
      return named(of.symbol) + std::to_string(of.flags);
    break;
  case Value::Device:
  case Value::Options:
    if (of.device.kind != DeviceValue::Unknown)
      return numbers('d', {of.device.kind, of.device.index, of.device.symbol});
    break;
  case Value::Object:
    if (!of.object || of.index == Value::kSomewhere)
      return {};
    if (of.has(Value::kConstant)) // an iterator
      return placed(whole(of.object)) + numbers('i', {of.index, of.symbol});
    return placed(whole(of.object));
  case Value::Tensor:
    if (of.trail && of.trail->kind == Event::Parameter && of.device.symbol)
      return named(of.device.symbol);
    break;
  default:
    break;
  }
  const std::optional<Place> at = placeOf(context, operand);
  return at && partOf(*at) == Part::Field ? placed(*at) : std::string();
}

Value answerTo(Context &context, const Instruction &i) {
  std::string key = "asked " + i.text;
  std::vector<Symbols::Subject> subjects;
  for (const Operand &operand : i.args) {
    if (operand.name == "answer") {
      if (const Value answer = value(context, operand.slot); isNamed(context.universe().symbols, answer))
        return answer;
      continue;
    }
    const std::string of = identityOf(context, operand, subjects);
    if (of.empty())
      return i.args.back().name == "answer" ? value(context, i.args.back().slot) : Value::of(Value::Bool);
    key += ' ' + of;
  }
  Value made = Value::of(Value::Bool);
  made.symbol = context.universe().symbols.intern(key, Symbol::Plain, i.source);
  if (i.mode != Mode::None) {
    const Symbols::Test test{i.mode == Mode::Equal, i.mode == Mode::Greater ? 0 : made.symbol,
                             i.mode == Mode::Greater ? made.symbol : 0, i.number};
    if (const int known = context.state.deduced(test); known >= 0)
      return Value::constant(Value::Bool, known);
    made.symbol = context.universe().symbols.test(test, i.source);
  }
  for (Symbols::Subject subject : subjects) {
    context.universe().symbols.noteAskedOf(subject, made.symbol);
    if (objectOf(subject) == context.frame.id) // of a variable here: in the next call it is another one
      context.universe().symbols.markPassing(made.symbol);
  }
  return made;
}

void reopen(Context &context, const Instruction &i) {
  const Value now = value(context, i.args[0].slot);
  if (now.kind == Value::String) {
    write(context, i.args[0], someText(context, i.source));
    return;
  }
  if (now.kind == Value::Object && now.object) {
    context.state.reopenAll(now.object, i.source);
    if (i.flags & facts::kWrite)
      forgetSize(context.state, now.object);
    // What goes into such a list is not kept, but it is there: one that was found empty is not for long.
    if ((i.flags & facts::kWrite) && isPlain(context.frame.code->slots[i.args[0].slot]))
      context.state.setShape(now.object, ListShape::Open);
  }
  if (const std::optional<Place> at = placeOf(context, i.args[0]); at && partOf(*at) == Part::Field)
    context.state.reopen(*at, i.source);
}

} // namespace samedevice::analysis
