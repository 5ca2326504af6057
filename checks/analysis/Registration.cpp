// Children, parameters and buffers: under which name a module holds them, and which it was given too late.
#include "Registration.h"
#include "Devices.h"
#include "Modules.h"
#include "Optimizers.h"
#include "Values.h"

#include <algorithm>
#include <cctype>

namespace samedevice::analysis {

static void notePlaced(Context &context, const Instruction &instruction, ObjectId parent, ObjectId child,
                       Event::Kind how, SourceId subject, const std::string &name = {});

namespace {

/// How many children under a name that could not be read stay registered.
constexpr int kKept = 6;

/// Children beyond this one are not told apart by their position.
constexpr int kLastPosition = 15;

/// How children that loops push are called, with their object's number.
const std::string kPushed = "pushed ";

} // namespace

/// Registered under a name that nobody wrote: Sequential and ModuleList count. What loops push is called by what it is,
/// its latest and the summary of the older ones (Recency.h): else loops in loops would count in ever new orders.
std::string nextName(State &state, ObjectId parent, const Value &child) {
  std::vector<std::pair<Place, Value>> pushed;
  int count = 0;
  bool isLoop = child.kind == Value::Object && isSummary(child.object);
  state.forPart(parent, Part::Child, [&](std::uint32_t name, const Value &one) {
    ++count;
    isLoop |= isSummary(one.object);
    const std::string &text = state.universe().names.text(nameOfChild(name));
    if (one.object && !text.empty() && std::isdigit(static_cast<unsigned char>(text[0])))
      pushed.push_back({place(parent, Part::Child, name), one});
    else if (!isSummary(one.object) && text.rfind(kPushed, 0) == 0)
      isLoop = true;
    if (isSummary(one.object) && text != kPushed + std::to_string(one.object))
      pushed.push_back({place(parent, Part::Child, name), one});
  });
  if (!isLoop || child.kind != Value::Object)
    return std::to_string(std::min(count, kLastPosition));
  for (auto &[at, one] : pushed) {
    state.erase(at);
    one.number = kLastPosition;
    state.set(place(parent, Part::Child, state.universe().names.id(kPushed + std::to_string(one.object))), one);
  }
  return kPushed + std::to_string(child.object);
}

void noteStored(Context &context, const Instruction &i, Place target, const Value &stored, SourceId source) {
  if (stored.kind != Value::Object || !stored.object || stored.has(Value::kConstant) || partOf(target) == Part::Meta)
    return;
  ObjectId owner = objectOf(target);
  bool member = context.state.find(meta(owner, Meta::Class)) || partOf(target) == Part::Element;
  if (!member)
    return;
  if (!context.state.find(meta(stored.object, Meta::Stored))) {
    Value mark = Value::of(Value::Null);
    mark.trail = event(context, Event::Stored, i, nullptr, {}, source);
    context.state.set(meta(stored.object, Meta::Stored), mark);
  }
  if (partOf(target) != Part::Field || !isModule(context.state, owner) || !isModule(context.state, stored.object))
    return;
  Value moved = context.state.get(meta(owner, Meta::Moved));
  const bool known = context.state.find(meta(stored.object, Meta::Placed)); // by being registered, a moment ago
  if (known || moved.kind != Value::Device || inTree(context.state, owner, stored.object) ||
      !differsFrom(context.state, stored.object, moved.device))
    return;
  notePlaced(context, i, owner, stored.object, Event::Stored, i.args.empty() ? source : i.args[0].source);
}

/// Put into a parent that had been moved before: where, and by which move it was missed.
static void notePlaced(Context &context, const Instruction &i, ObjectId parent, ObjectId child, Event::Kind how,
                       SourceId subject, const std::string &name) {
  const Value moved = context.state.get(meta(parent, Meta::Moved));
  Value mark = Value::of(Value::Reference);
  mark.object = parent;
  mark.device = moved.device;
  mark.flags = moved.flags;
  if (!name.empty())
    mark.symbol = context.universe().names.id(name) + 1;
  mark.trail = context.universe().events.intern({how, i.source, subject, moved.trail ? moved.trail->target : 0,
                                                 moved.device, moved.trail, context.frame.function, 0});
  context.state.set(meta(child, Meta::Placed), mark);
  context.evidence.notePlaced(child, routeTo(context.frame));
}

/// Puts a child under its name; gives the one that was there, or that was unregistered from there.
static ObjectId enroll(Context &context, ObjectId parent, Part part, const std::string &name, const Value &entry) {
  Place here = place(parent, part, context.universe().names.id(name));
  Value before = context.state.get(here);
  bool readable = name.rfind("unnamed", 0) != 0;
  // A name that could not be read may be another one each time: what came before stays registered.
  std::string older = name;
  Value left = before;
  for (int kept = 0; !readable && kept < kKept && left.object && left.object != entry.object; ++kept) {
    older += " before";
    Place earlier = place(parent, part, context.universe().names.id(older));
    Value next = context.state.get(earlier);
    context.state.set(earlier, left);
    if (next.object == left.object) // the older ones of what a loop makes
      break;
    left = next;
  }
  context.state.set(here, entry);
  if (Value former = context.state.get(meta(parent, Meta::Former));
      !before.object && former.index == context.universe().names.id(name))
    before = former;
  return readable ? before.object : 0;
}

void registerChild(Context &context, const Instruction &i, ObjectId parent, const Value &child, const std::string &name,
                   SourceId source) {
  if (child.kind != Value::Object || child.object == parent)
    return;
  Value entry = objectValue(child.object);
  int order = 0;
  context.state.forPart(parent, Part::Child, [&](std::uint32_t, const Value &) { ++order; });
  entry.number = name.rfind(kPushed, 0) == 0 ? kLastPosition : std::min(order, kLastPosition);
  ObjectId replaced = enroll(context, parent, Part::Child, name, entry);
  Value mark = Value::of(Value::Null);
  mark.trail = event(context, Event::Registered, i, nullptr, {}, source);
  context.state.set(meta(child.object, Meta::Stored), mark);
  noteSuccessor(context, replaced, child.object, mark.trail, name);

  Value moved = context.state.get(meta(parent, Meta::Moved));
  if (moved.kind != Value::Device || !differsFrom(context.state, child.object, moved.device)) {
    context.state.erase(meta(child.object, Meta::Placed));
    if (moved.kind != Value::Device)
      context.evidence.notePlacedInTime(i.source, routeTo(context.frame));
    return;
  }
  notePlaced(context, i, parent, child.object, Event::Registered, source, name);
}

Value registerTensor(Context &context, const Instruction &i, ObjectId parent, const Value &tensor,
                     const std::string &name) {
  ObjectId cell = makeObject(context, i);
  Value device = tensor;
  device.kind = Value::Tensor;
  device.device = tensor.kind == Value::Tensor ? deviceOf(context.state, tensor) : DeviceValue{};
  device.object = 0;
  device.number = i.mode == Mode::Buffer ? kBuffer : kParameter;
  context.state.set(meta(cell, Meta::Device), device);
  Value mark = Value::of(Value::Null);
  mark.trail = event(context, Event::Registered, i, nullptr, {}, i.args.size() > 1 ? i.args[1].source : 0);
  context.state.set(meta(cell, Meta::Stored), mark);
  ObjectId replaced = enroll(context, parent, Part::Tensor, name, objectValue(cell));
  noteSuccessor(context, replaced, cell, mark.trail, name);
  Value handle = tensor;
  handle.kind = Value::Tensor;
  handle.object = cell;
  handle.device = {};
  Value moved = context.state.get(meta(parent, Meta::Moved));
  if (tensor.kind == Value::Tensor && moved.kind == Value::Device && differsFrom(context.state, cell, moved.device))
    notePlaced(context, i, parent, cell, Event::Registered, i.args.size() > 1 ? i.args[1].source : 0, name);
  return handle;
}

void registerWeight(Context &context, ObjectId module, const Value &tensor, const Operand &operand) {
  // A loss's weight: a buffer of the module, under its own name.
  Value device = tensor;
  device.device = deviceOf(context.state, tensor);
  device.object = 0;
  if (!context.state.find(meta(module, Meta::Device)) || operand.name == "weight" || operand.name == "pos_weight")
    context.state.set(meta(module, Meta::Device), device);
}

} // namespace samedevice::analysis
