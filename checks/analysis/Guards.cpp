// Which launches without a guard are mistakes. Nobody needs one in a program that knows a single GPU; and of a launcher
// that other files call, only they know: that is for somebody to decide who can see them.
#include "Interpreter.h"

#include <algorithm>

namespace samedevice::analysis {

namespace {

/// Whether code decides which GPU it uses: by an index other than 0, a number of GPUs, a device that is read or asked.
bool choosesGpu(const facts::Program &program, const Function &code) {
  std::set<Slot> zero, written; // slots that hold a 0, or a text that is written there
  for (const facts::Block &block : code.blocks)
    for (const Instruction &i : block.instructions) {
      auto isIn = [&](const std::set<Slot> &known, std::size_t n) { return known.count(i.args[n].slot) != 0; };
      switch (i.opcode) {
      case Opcode::Const:
        if (i.number <= 0 && i.text.empty())
          zero.insert(i.dest);
        if (i.text.find_first_of("123456789") == std::string::npos)
          written.insert(i.dest);
        break;
      case Opcode::Device:
        if (i.text.find_first_of("123456789") != std::string::npos)
          return true;
        zero.insert(i.dest);
        break;
      case Opcode::DeviceMake:
        if (i.args.size() > 1 && i.args[1].slot != facts::kNone && !isIn(zero, 1))
          return true;
        break;
      case Opcode::DeviceParse:
        if (i.args.empty() || !isIn(written, 0))
          return true;
        break;
      case Opcode::SetDevice:
      case Opcode::Guard:
        if (!i.args.empty() && i.args[0].slot != facts::kNone && !isIn(zero, 0) && i.text != "broken" &&
            i.text != "engine")
          return true;
        break;
      case Opcode::Call:
        if (i.targets.empty() || !program.functions[i.targets[0]].isElsewhere)
          break;
        [[fallthrough]];
      case Opcode::CallUnknown:
        if (i.dest != facts::kNone &&
            (code.slots[i.dest].type == facts::Type::Device || code.slots[i.dest].type == facts::Type::Options))
          return true;
        break;
      case Opcode::Global:
        if (i.text == "torch::cuda::device_count()")
          return true;
        break;
      default:
        break;
      }
    }
  return false;
}

} // namespace

/// A whole program, as against a library or an extension, that never chooses between GPUs: all is on the first.
bool Interpreter::knowsOneGpu() const {
  auto isMain = [](const Function &f) { return f.isMain() && !f.blocks.empty(); };
  return std::any_of(program_.functions.begin(), program_.functions.end(), isMain) && !knowsSeveralGpus();
}

/// Something is bound for others to call, or chooses between GPUs.
bool Interpreter::knowsSeveralGpus() const {
  if (!severalGpus_)
    severalGpus_ = std::any_of(program_.functions.begin(), program_.functions.end(), [&](const Function &function) {
      return function.isBound() || choosesGpu(program_, function);
    });
  return *severalGpus_;
}

/// Whether it makes sure where its tensors are, or makes tensors, itself or in a helper.
bool Interpreter::isWholeOperation(FunctionId function, int depth) const {
  for (const facts::Block &block : program_.functions[function].blocks)
    for (const Instruction &i : block.instructions)
      switch (i.opcode) {
      case Opcode::IsCuda:
      case Opcode::IsCpu:
      case Opcode::SameDevice:
      case Opcode::New:
      case Opcode::Like:
      case Opcode::Op:
        return true;
      case Opcode::Call:
        for (FunctionId target : i.targets)
          if (depth < 4 && target < program_.functions.size() && isWholeOperation(target, depth + 1))
            return true;
        break;
      default:
        break;
      }
  return false;
}

/// Other files, or Python, can call it.
bool Interpreter::isCalledElsewhere(const Unguarded &launch) const {
  const Function &code = program_.functions[launch.root];
  return code.cls == facts::kNone && (code.isEntry || !code.isStatic);
}

/// Whether it is put into a table, or handed to others: who calls it, and under which guard, is not to be seen.
bool Interpreter::isHandedOn(FunctionId function) const {
  return std::any_of(program_.classes.begin(), program_.classes.end(), [&](const facts::Class &cls) {
    return cls.isLambda && cls.call == function && program_.functions[function].cls == facts::kNone;
  });
}

/// A launcher that nothing here binds or calls, is given all its tensors, outputs included, and asks nothing of them: a
/// part of an operation whose entry is in another file. Where this file makes devices current, it was forgotten.
bool Interpreter::isPartOfAnother(const Unguarded &launch) const {
  const Function &code = program_.functions[launch.root];
  if (!code.isEntry && isHandedOn(launch.root))
    return true;
  const bool guardsHere = choosesDevice_ || std::any_of(guards_.begin(), guards_.end(),
                                                        [](const auto &guard) { return !guard.second.empty(); });
  return !guardsHere && !code.isEntry && code.cls == facts::kNone && !isWholeOperation(launch.root);
}

} // namespace samedevice::analysis
