#include "Relevance.h"
#include "../facts/Names.h"

#include <algorithm>

namespace samedevice::analysis {
using namespace facts;

namespace {

class Survey {
public:
  explicit Survey(const Program &program) : program_(program), carries_(program.classes.size(), 0) { findCarriers(); }

  std::vector<Relevance> functions() {
    std::vector<Relevance> found;
    std::vector<std::vector<FunctionId>> callers(program_.functions.size());
    for (FunctionId f = 0; f < program_.functions.size(); ++f) {
      found.push_back(byItself(program_.functions[f]));
      for (const Block &block : program_.functions[f].blocks)
        for (const Instruction &i : block.instructions)
          for (FunctionId called : calledBy(i))
            if (called < callers.size())
              callers[called].push_back(f);
    }
    std::vector<FunctionId> work;
    for (FunctionId f = 0; f < found.size(); ++f)
      if (found[f] != Relevance::None)
        work.push_back(f);
    while (!work.empty()) {
      FunctionId f = work.back();
      work.pop_back();
      for (FunctionId caller : callers[f])
        if (found[caller] < found[f]) {
          found[caller] = found[f];
          work.push_back(caller);
        }
    }
    return found;
  }

private:
  static bool isDeviceType(Type type) {
    return type == Type::Tensor || type == Type::Module || type == Type::Device || type == Type::Options ||
           type == Type::Guard || type == Type::Optimizer;
  }

  static bool worksOnDevices(Opcode opcode) {
    switch (groupOf(opcode)) {
    case Group::Devices:
    case Group::Tensors:
    case Group::Modules:
    case Group::Memory:
      return true;
    case Group::Control: // but for what any program does
      return opcode != Opcode::End && opcode != Opcode::Call && opcode != Opcode::CallValue &&
             opcode != Opcode::CallUnknown;
    default:
      return false;
    }
  }

  bool concernsDevices(const SlotInfo &slot) const {
    return isDeviceType(slot.type) || (slot.type == Type::List && isDeviceType(slot.element)) ||
           (slot.cls < carries_.size() && carries_[slot.cls]);
  }

  /// Classes that hold something with a device, and whatever may stand for such a class or hold one.
  void findCarriers() {
    for (bool grew = true; grew;) {
      grew = false;
      for (ClassId c = 0; c < program_.classes.size(); ++c) {
        const Class &cls = program_.classes[c];
        bool carries = carries_[c] || cls.isModule;
        carries |= std::any_of(cls.fields.begin(), cls.fields.end(),
                               [&](const FieldInfo &field) { return concernsDevices(field.slot); });
        for (ClassId base : cls.bases)
          carries |= base < carries_.size() && carries_[base];
        if (!carries)
          continue;
        grew |= !carries_[c];
        carries_[c] = 1;
        for (ClassId base : cls.bases)
          if (base < carries_.size() && !carries_[base]) {
            carries_[base] = 1;
            grew = true;
          }
      }
    }
  }

  Relevance byItself(const Function &code) const {
    auto concerns = [&](const SlotInfo &slot) { return concernsDevices(slot); };
    if (std::any_of(code.slots.begin(), code.slots.end(), concerns) || concernsDevices(code.result))
      return Relevance::Devices;
    auto isPointer = [](const SlotInfo &slot) { return slot.type == Type::Pointer; };
    // What it hands back may carry code that works on devices, or decide which.
    bool asked = std::any_of(code.slots.begin(), code.slots.end(), isPointer) || isPointer(code.result) ||
                 code.result.type == Type::Record ||
                 (code.result.type == Type::List && code.result.element != Type::Other &&
                  code.result.element != Type::Int && code.result.element != Type::String);
    for (const Block &block : code.blocks)
      for (const Instruction &i : block.instructions) {
        bool onMemory = i.opcode == Opcode::PointerOffset || i.opcode == Opcode::HostRead ||
                        i.opcode == Opcode::HostView || i.opcode == Opcode::Pointer || i.opcode == Opcode::PageLock ||
                        (i.opcode == Opcode::Allocate && i.mode == Mode::Host);
        if (worksOnDevices(i.opcode) && !onMemory)
          return Relevance::Devices;
        if (i.opcode == Opcode::Available) // a text or a number that it gives says which device
          return Relevance::Devices;
        // What it asks may be asked again elsewhere, or what it writes to.
        asked |= i.opcode == Opcode::Asked || i.opcode == Opcode::Reopen;
        asked |= i.opcode == Opcode::CallValue || i.opcode == Opcode::Assign || i.opcode == Opcode::ListAdd || onMemory;
      }
    return asked ? Relevance::Aside : Relevance::None;
  }

  /// What it calls by name, and what code it makes that others may call.
  std::vector<FunctionId> calledBy(const Instruction &i) const {
    if (i.opcode == Opcode::Call)
      return i.targets;
    if (i.opcode == Opcode::Object && !i.targets.empty() && i.targets[0] < program_.classes.size() &&
        program_.classes[i.targets[0]].call != kNone)
      return {program_.classes[i.targets[0]].call};
    return {};
  }

  const Program &program_;
  std::vector<char> carries_;
};

} // namespace

std::vector<Relevance> relevanceOf(const Program &program) { return Survey(program).functions(); }

} // namespace samedevice::analysis
