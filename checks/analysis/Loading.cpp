// Saving and loading: what comes back from a file is where it was when it was saved.
#include "Devices.h"
#include "Modules.h"
#include "Values.h"

namespace samedevice::analysis {

void saveState(Context &context, const Instruction &i) {
  const Value saved = i.args.empty() ? Value{} : value(context, i.args[0]);
  std::vector<Value> tensors;
  if (saved.kind == Value::Object && isModule(context.state, saved.object))
    tensors.push_back(saved);
  else
    flatten(context.state, saved, tensors);
  for (const Value &tensor : tensors) {
    DeviceValue where = context.state.resolve(deviceOf(context.state, tensor));
    if (const Value *before = context.state.find(meta(0, Meta::Saved)); before && before->device != where)
      where = {}; // nobody knows which of them is loaded
    context.state.set(meta(0, Meta::Saved), tensorOn(where, nullptr));
  }
}

void loadScript(Context &context, const Instruction &i) {
  const Value to = i.args.empty() ? Value{} : value(context, i.args[0]);
  ObjectId object = makeObject(context, i);
  context.state.set(meta(object, Meta::Class),
                    Value::constant(Value::String, static_cast<std::int64_t>(context.universe().names.id(kScript))));
  bool given = !i.args.empty() && i.args[0].slot != facts::kNone && to.kind != Value::Null;
  DeviceValue device = given ? optionsDevice(context, to)
                             : DeviceValue::of(context.universe().symbols.intern(
                                   "script at " + std::to_string(i.source), Symbol::Recorded, i.source));
  const Event *made =
      event(context, Event::Loaded, i, given ? to.trail : nullptr, device, i.source, given ? i.args[0].source : 0);
  context.state.set(meta(object, Meta::Device), tensorOn(device, made, to.flags & (Value::kLiteral | Value::kNoIndex)));
  define(context, i.dest, objectValue(object, made));
}

void loadState(Context &context, const Instruction &i) {
  Value target = i.args.empty() ? Value{} : value(context, i.args[0]);
  const bool hasDevice = i.args.size() > 1;
  Value to = hasDevice ? value(context, i.args[1]) : Value{};
  const bool given = hasDevice && to.kind != Value::Null; // some device, if maybe an unknown one
  DeviceValue device = optionsDevice(context, to);
  if (!given) {
    // Where it was when it was saved, if that was seen; else wherever.
    device = DeviceValue::of(
        context.universe().symbols.intern("load at " + std::to_string(i.source), Symbol::Recorded, i.source));
    if (const Value *saved = context.state.find(meta(0, Meta::Saved)))
      device = saved->device;
  }
  // An archive is given its device, or none, where it is filled: that is the line to edit.
  SourceId at = to.kind == Value::Null && to.trail && to.trail->at ? to.trail->at : i.source;
  const Event *loaded =
      context.universe().events.intern({Event::Loaded, at, i.args.empty() ? 0 : i.args[0].source,
                                        given ? i.args[1].source : 0, device, nullptr, context.frame.function, 0});
  if ((target.kind == Value::Tensor && !target.object) || target.kind == Value::Null) {
    write(context, i.args[0], tensorOn(device, loaded, target.flags, target.dims));
    return;
  }
  ObjectId module = target.kind == Value::Tensor ? target.object : target.kind == Value::Object ? target.object : 0;
  if (!module)
    return;
  if (context.state.find(shapeAt(module))) { // a list of tensors: as many as the file holds
    context.state.eraseAll(module, Part::Element);
    context.state.set(place(module, Part::Element, 0), tensorOn(device, loaded, 0, 1));
    context.state.setShape(module, ListShape::Unordered);
    return;
  }
  if (context.state.find(meta(module, Meta::Over))) { // an optimizer: its state need not be where its parameters are
    Event told = *loaded;
    told.previous = given ? to.trail : nullptr;
    context.state.set(meta(module, Meta::Moved), tensorOn(device, context.universe().events.intern(told)));
    return;
  }
  std::vector<std::pair<ObjectId, Value>> leaves;
  forLeaves(context.state, module, [&](ObjectId leaf, const Value &was) { leaves.push_back({leaf, was}); });
  for (auto &[leaf, was] : leaves) {
    const Event *story = context.universe().events.intern(
        {Event::Loaded, loaded->at, loaded->subject, loaded->target, device,
         Events::length(was.trail) < Limits::story ? was.trail : nullptr, context.frame.function, 0});
    // Only a load that undoes a move is a mistake of its own; before it, the module was nowhere in particular. One that
    // leaves it where it was made changes nothing.
    const bool undoes = was.trail && (was.trail->kind == Event::ModuleMoved ||
                                      (was.trail->kind == Event::Loaded && was.trail->target && !given));
    const bool tells = undoes || (given && device != was.device);
    const bool staysPut = !given && !undoes && device.kind == DeviceValue::Symbol &&
                          context.universe().symbols[device.symbol].kind == Symbol::Recorded;
    if (!staysPut)
      was.device = device;
    if (tells)
      was.trail = story;
    context.state.set(meta(leaf, Meta::Device), was); // a buffer stays a buffer
  }
}

} // namespace samedevice::analysis
