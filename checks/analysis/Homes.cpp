// What the code around a fix can name, and that is where the culprit should have been.
#include "Homes.h"
#include "Devices.h"
#include "Modules.h"
#include "Values.h"

#include <algorithm>

namespace samedevice::analysis {

/// `cuda` without an index is the GPU that is current.
static bool isThere(const State &state, DeviceValue where, DeviceValue wanted) {
  const DeviceValue current = state.currentDevice();
  const bool isCurrent =
      current.kind == DeviceValue::Cuda && current.index >= 0 ? current == wanted : wanted.index <= 0;
  return where == wanted || (where.kind == DeviceValue::Cuda && where.index < 0 && !where.symbol &&
                             wanted.kind == DeviceValue::Cuda && !wanted.symbol && isCurrent);
}

/// Where a parameter was in each call, for fixes in functions that have ended.
void noteGiven(Evidence &evidence, const State &state, FunctionId function, Slot slot, const Value &given) {
  const facts::Type type = state.program().functions[function].slots[slot].type;
  if (type != facts::Type::Device && type != facts::Type::Tensor && type != facts::Type::Options)
    return;
  const Value value = follow(state, given);
  DeviceValue device = state.resolve(deviceOf(state, value));
  if (value.kind == Value::Options && !value.has(Value::kHasDevice))
    device = {};
  evidence.noteGiven(function, slot, state.truth(Symbols::kAvailable), device);
}

/// Whether a module has parameters, and all of them are there: asked of each.
struct Wholly {
  const State &state;
  DeviceValue wanted;
  bool some = false, all = true;
  void operator()(ObjectId, const Value &leaf) {
    const bool fits = isThere(state, state.resolve(leaf.device), wanted);
    some |= fits;
    all &= fits;
  }
  bool holds() const { return some && all; }
};

bool isWhollyAt(const State &state, ObjectId module, DeviceValue wanted) {
  Wholly wholly{state, state.resolve(wanted)};
  forLeaves(state, module, wholly);
  return wholly.holds();
}

static void membersAt(const State &state, ObjectId self, DeviceValue wanted, ObjectId except,
                      std::vector<Home> &devices, std::vector<Home> &modules) {
  const facts::ClassId cls = classOf(state, self);
  state.forPart(self, Part::Field, [&](std::uint32_t name, const Value &member) {
    const facts::SlotInfo *slot = state.program().memberOf(cls, state.universe().names.text(name));
    const Value value = follow(state, member);
    if (!slot || !slot->source)
      return;
    const bool saysDevice =
        value.kind == Value::Device || (value.kind == Value::Options && value.has(Value::kHasDevice));
    if (saysDevice && isThere(state, state.resolve(deviceOf(state, value)), wanted))
      devices.push_back({slot->source, false});
    if (value.kind != Value::Object || value.object == except || !isModule(state, value.object))
      return;
    Wholly wholly{state, wanted};
    forLeaves(state, value.object, wholly);
    if (wholly.holds())
      modules.push_back({slot->source, true});
  });
}

/// The object whose method `place` is, as the one that runs sees it; else any of its class.
static ObjectId selfAt(const State &state, const Frame *top, const Function &place) {
  if (place.cls == facts::kNone || place.isStatic)
    return 0;
  for (const Frame *own = top; own; own = own->caller) {
    if (own->code->cls == facts::kNone || own->code->isStatic ||
        !state.program().derivesFrom(own->code->cls, place.cls))
      continue;
    const Value object = follow(state, state.get(field(own->id, 0)));
    if (object.kind == Value::Object)
      return object.object;
  }
  ObjectId self = 0;
  state.forMeta(Meta::Class, [&](ObjectId object, const Value &) {
    if (!self && state.program().derivesFrom(classOf(state, object), place.cls))
      self = object;
  });
  return self;
}

bool keepsDevice(const State &state, const Frame *top, FunctionId place, DeviceValue wanted) {
  const ObjectId self = selfAt(state, top, state.program().functions[place]);
  bool found = false;
  auto look = [&](std::uint32_t, const Value &member) {
    const Value value = follow(state, member);
    found |= value.kind == Value::Device && isThere(state, state.resolve(value.device), state.resolve(wanted));
  };
  if (!self)
    return false;
  state.forPart(self, Part::Field, look);
  state.forPart(self, Part::Field, [&](std::uint32_t, const Value &member) {
    if (const Value value = follow(state, member); value.kind == Value::Object && !isModule(state, value.object))
      state.forPart(value.object, Part::Field, look);
  });
  return found;
}

/// What an object is called in a function, if that is still running or a method of what has it.
std::vector<Home> namesOf(const State &state, const Frame *top, FunctionId place, ObjectId object) {
  std::vector<Home> names;
  const Function &code = state.program().functions[place];
  auto isMeant = [&](const Value &value) {
    const Value held = follow(state, value);
    return held.kind == Value::Object && held.object == object;
  };
  const Frame *frame = top;
  while (frame && frame->function != place)
    frame = frame->caller;
  for (Slot slot = 0; frame && slot < code.slots.size(); ++slot)
    if (!code.slots[slot].name.empty() && isMeant(state.get(field(frame->id, slot))))
      names.push_back({code.slots[slot].source, false});
  if (const ObjectId self = selfAt(state, frame ? frame : top, code))
    state.forPart(self, Part::Field, [&](std::uint32_t name, const Value &member) {
      if (const facts::SlotInfo *slot =
              state.program().memberOf(classOf(state, self), state.universe().names.text(name));
          slot && isMeant(member))
        names.push_back({slot->source, false});
    });
  return names;
}

/// Devices and options come first, then tensors that were handed in, then modules. The values of variables are those of
/// now: whoever uses one has to see that it was not another one's at the place of the fix.
std::vector<Home> homes(const Evidence &evidence, const State &state, const Frame *top, FunctionId place,
                        DeviceValue wanted, ObjectId except) {
  wanted = state.resolve(wanted);
  if (wanted.kind == DeviceValue::Unknown || place >= state.program().functions.size())
    return {};
  const Function &code = state.program().functions[place];
  std::vector<Home> devices, tensors, members, modules;
  auto add = [&](const facts::SlotInfo &slot, DeviceValue where) {
    if (slot.source && !slot.name.empty() && isThere(state, where, wanted))
      (slot.type == facts::Type::Tensor ? tensors : devices).push_back({slot.source, false});
  };
  const Frame *frame = top;
  while (frame && frame->function != place)
    frame = frame->caller;
  for (Slot slot = 0; slot < (frame ? code.slots.size() : code.paramCount); ++slot) {
    const facts::SlotInfo &info = code.slots[slot];
    if (frame && info.type == facts::Type::Module && !info.name.empty() && info.source) {
      const Value module = follow(state, state.get(field(frame->id, slot)));
      Wholly wholly{state, wanted};
      if (module.kind == Value::Object && module.object != except)
        forLeaves(state, module.object, wholly);
      if (wholly.holds())
        modules.push_back({info.source, true});
    }
    if (info.type != facts::Type::Device && info.type != facts::Type::Tensor && info.type != facts::Type::Options)
      continue;
    if (!frame) {
      add(info, evidence.given(place, slot, state.truth(Symbols::kAvailable)));
      continue;
    }
    const Value value = follow(state, state.get(field(frame->id, slot)));
    if (value.kind != Value::Options || value.has(Value::kHasDevice))
      add(info, state.resolve(deviceOf(state, value)));
  }
  if (const ObjectId self = selfAt(state, frame ? frame : top, code))
    membersAt(state, self, wanted, except, members, modules);
  for (const std::vector<Home> *more : {&members, &tensors, &modules})
    devices.insert(devices.end(), more->begin(), more->end());
  // A lambda may see what is around it.
  if (state.program().isLambda(code))
    for (const Frame *around = top; around; around = around->caller)
      if (!state.program().isLambda(*around->code)) {
        const std::vector<Home> outside = homes(evidence, state, top, around->function, wanted, except);
        devices.insert(devices.end(), outside.begin(), outside.end());
      }
  return devices;
}

/// Moves of modules to `wanted`, since that one was made.
std::vector<SourceId> movesTo(const State &state, DeviceValue wanted, const Event *made) {
  std::vector<const Event *> moves;
  wanted = state.resolve(wanted);
  state.forMeta(Meta::Moved, [&](ObjectId module, const Value &moved) {
    if (moved.kind == Value::Device && moved.trail && moved.trail->kind == Event::ModuleMoved && moved.trail->at &&
        moved.trail->target && isModule(state, module) && state.resolve(moved.device) == wanted &&
        (!made || made->order < moved.trail->order) &&
        std::find(moves.begin(), moves.end(), moved.trail) == moves.end())
      moves.push_back(moved.trail);
  });
  std::sort(moves.begin(), moves.end(), [](const Event *a, const Event *b) { return a->order < b->order; });
  std::vector<SourceId> places;
  places.reserve(moves.size());
  for (const Event *move : moves)
    places.push_back(move->at);
  return places;
}

/// A class that keeps a device, and sends tensors there, gets its other inputs on that device, too.
Value homeOfInputs(Context &context) {
  auto sendsTo = [&](FunctionId method, const std::string &member) {
    if (method >= context.program().functions.size())
      return false;
    for (const facts::Block &block : context.program().functions[method].blocks) {
      std::set<Slot> places; // the member, and options that are made of it
      for (const Instruction &i : block.instructions) {
        const bool isMade = i.opcode == Opcode::Options || i.opcode == Opcode::OptionsWith || i.opcode == Opcode::Copy;
        auto isPlace = [&](const Operand &operand) { return places.count(operand.slot) != 0; };
        if ((i.opcode == Opcode::Field && i.text == member) ||
            (isMade && std::any_of(i.args.begin(), i.args.end(), isPlace)))
          places.insert(i.dest);
        if (i.opcode == Opcode::Move && i.args.size() > 1 && isPlace(i.args[1]))
          return true;
      }
    }
    return false;
  };
  for (const Frame *frame = &context.frame; frame; frame = frame->caller) {
    if (frame->code->cls >= context.program().classes.size() || frame->code->isStatic)
      continue;
    const Value self = follow(context.state, context.state.get(field(frame->id, 0)));
    const facts::Class &cls = context.program().classes[frame->code->cls];
    for (const facts::FieldInfo &member : cls.fields)
      if (member.slot.type == facts::Type::Device && self.kind == Value::Object &&
          std::any_of(cls.methods.begin(), cls.methods.end(),
                      [&](FunctionId method) { return sendsTo(method, member.slot.name); }))
        if (const Value *kept =
                context.state.find(field(self.object, context.universe().names.known(member.slot.name))))
          return *kept;
  }
  return {};
}

} // namespace samedevice::analysis
