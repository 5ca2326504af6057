// What is asked of the program itself, whatever has been run.
#include "ProgramIndex.h"
#include "Blocks.h"

#include "Limits.h"

#include <algorithm>

namespace samedevice::analysis {
namespace {

std::set<facts::ClassId> classesMade(const facts::Program &program) {
  std::set<facts::ClassId> made;
  for (const Function &function : program.functions)
    for (const facts::Block &block : function.blocks)
      for (const Instruction &i : block.instructions)
        if (i.opcode == Opcode::Object && !i.targets.empty())
          made.insert(i.targets[0]);
  return made;
}

bool isChoice(const facts::SlotInfo &slot) {
  return slot.type == facts::Type::Device || slot.type == facts::Type::Options;
}

/// What the code of one function says of devices, as it is written.
struct Wording {
  int timesCuda = 0;
  bool choosesNumber = false; ///< `cuda:1`, `Device(kCUDA, i)`, `"cuda:" + std::to_string(i)`
  bool setsCurrent = false;   ///< the GPU that `cuda` stands for
  bool asks = false;          ///< where something is: that may be anywhere
  bool isOpen = false;        ///< it gets one of whose kind nothing is written
  bool choosesCpu = false;    ///< and not for one tensor, to fetch results

  Wording(const facts::Program &program, const Function &code) {
    std::set<Slot> cuda, cpu;   // devices
    std::map<Slot, bool> texts; // and whether they begin like the name of a GPU
    auto isIn = [](const std::set<Slot> &known, const Instruction &i) {
      return !i.args.empty() && known.count(i.args[0].slot) != 0;
    };
    auto isGpusName = [&](const Instruction &i) {
      const auto text = i.args.empty() ? texts.end() : texts.find(i.args[0].slot);
      return text != texts.end() && text->second;
    };
    for (const facts::Block &block : code.blocks)
      for (const Instruction &i : block.instructions) {
        switch (i.opcode) {
        case Opcode::Const:
          if (!i.text.empty())
            texts[i.dest] = i.text.rfind("cuda", 0) == 0;
          break;
        case Opcode::Compute:
        case Opcode::Copy:
          if (isGpusName(i))
            texts[i.dest] = true;
          break;
        case Opcode::Device:
          if (i.text == "cpu") {
            cpu.insert(i.dest);
          } else if (i.text.rfind("cuda", 0) == 0) {
            cuda.insert(i.dest);
            ++timesCuda;
            choosesNumber |= i.text.find_first_of("123456789") != std::string::npos;
          } else {
            isOpen = true;
          }
          break;
        case Opcode::DeviceMake:
          isOpen |= !isIn(cuda, i);
          cuda.insert(i.dest);
          choosesNumber |= i.args.size() > 1;
          break;
        case Opcode::DeviceParse:
          isOpen |= !isGpusName(i);
          cuda.insert(i.dest);
          ++timesCuda;
          choosesNumber = true;
          break;
        case Opcode::DeviceOf:
        case Opcode::OptionsOf:
        case Opcode::CurrentDevice:
        case Opcode::IsCuda:
        case Opcode::IsCpu:
        case Opcode::SameDevice:
          asks = true;
          break;
        case Opcode::Available:
          isOpen = true;
          break;
        case Opcode::Unknown:
        case Opcode::CallUnknown:
        case Opcode::CallValue:
          isOpen |= i.dest != facts::kNone && isChoice(code.slots[i.dest]);
          break;
        case Opcode::Call:
          isOpen |= i.dest != facts::kNone && isChoice(code.slots[i.dest]) &&
                    (i.targets.empty() || program.functions[i.targets[0]].isElsewhere);
          break;
        case Opcode::SetDevice:
        case Opcode::Guard:
          setsCurrent = true;
          break;
        default:
          break;
        }
        const bool ofCpu = std::any_of(i.args.begin(), i.args.end(),
                                       [&](const facts::Operand &given) { return cpu.count(given.slot) != 0; });
        const bool areOptions = i.opcode == Opcode::Options || i.opcode == Opcode::OptionsWith;
        if (ofCpu && areOptions)
          cpu.insert(i.dest);
        const bool isOfOneTensor = i.opcode == Opcode::Move || i.opcode == Opcode::New || i.opcode == Opcode::Like;
        choosesCpu |= ofCpu && !areOptions && !isOfOneTensor;
      }
  }
};

bool takesOfPool(const facts::Program &program) {
  auto isTaking = [](const Instruction &i) {
    return i.opcode == Opcode::CurrentStream && i.text == "getStreamFromPool";
  };
  return std::any_of(program.functions.begin(), program.functions.end(),
                     [&](const Function &function) { return hasInstruction(function, isTaking); });
}

bool isWhole(const facts::Program &program) {
  auto isMain = [](const Function &f) { return f.isMain() && !f.blocks.empty(); };
  auto isBound = [](const Function &f) { return f.isBound(); };
  return std::any_of(program.functions.begin(), program.functions.end(), isMain) &&
         std::none_of(program.functions.begin(), program.functions.end(), isBound);
}

/// A program that names no other device than `cuda`, in several functions, and asks nobody for one: whatever is handed
/// to it is there, too. So is all that a program with a `main` works on, if every device that is chosen in it is a GPU,
/// whatever its number, and it says which of them is the current one.
bool isWrittenForCuda(const facts::Program &program) {
  int functions = 0;
  bool takesChoice = false, hasMain = false, isBound = false, choosesNumber = false, asks = false, choosesCpu = false,
       setsCurrent = program.isUnfinished;
  for (const facts::Class &cls : program.classes)
    for (const facts::FieldInfo &member : cls.fields)
      takesChoice |= !cls.isLambda && isChoice(member.slot);
  for (const Function &function : program.functions) {
    if (function.isElsewhere)
      continue;
    const Wording said(program, function);
    if (said.isOpen && !program.isUnfinished) // nobody can tell what a broken line would have chosen
      return false;
    takesChoice |= std::any_of(function.slots.begin(), function.slots.begin() + function.paramCount, isChoice);
    hasMain |= function.isMain() && !function.blocks.empty();
    isBound |= function.isBound();
    functions += said.timesCuda != 0;
    choosesNumber |= said.choosesNumber;
    setsCurrent |= said.setsCurrent;
    asks |= said.asks;
    choosesCpu |= said.choosesCpu;
  }
  if (functions < 2)
    return false;
  if (hasMain && !isBound)
    return !choosesCpu && (!choosesNumber || setsCurrent);
  return !takesChoice && !asks && !choosesNumber;
}

std::map<std::string, int> writtenDevices(const facts::Program &program) {
  std::map<std::string, int> written;
  for (const Function &function : program.functions)
    for (const facts::Block &block : function.blocks) {
      std::map<Slot, std::string> types;
      std::map<Slot, std::int64_t> numbers;
      for (const Instruction &i : block.instructions) {
        if (i.opcode == Opcode::Const)
          numbers[i.dest] = i.number;
        if (i.opcode == Opcode::Device) {
          ++written[i.text];
          types[i.dest] = i.text;
        }
        if (i.opcode != Opcode::DeviceMake || i.args.size() < 2 || !types.count(i.args[0].slot))
          continue;
        const std::string &type = types[i.args[0].slot];
        --written[type];
        ++written[numbers.count(i.args[1].slot) ? type + ':' + std::to_string(numbers[i.args[1].slot]) : "chosen"];
      }
    }
  return written;
}

/// Methods that constructors call, and nobody else but such methods.
std::vector<char> onlyConstructing(const facts::Program &program) {
  const std::size_t count = program.functions.size();
  std::vector<std::vector<FunctionId>> callers(count);
  for (FunctionId f = 0; f < count; ++f)
    for (const facts::Block &block : program.functions[f].blocks)
      for (const Instruction &i : block.instructions)
        if (i.opcode == Opcode::Call)
          for (FunctionId target : i.targets)
            if (target < count && target != f)
              callers[target].push_back(f);
  std::vector<char> found(count, 0);
  for (bool grew = true; grew;) {
    grew = false;
    for (FunctionId f = 0; f < count; ++f) {
      const Function &function = program.functions[f];
      const bool isMethod = function.cls != facts::kNone && !function.isConstructor && !function.isEntry;
      if (found[f] || !isMethod || callers[f].empty())
        continue;
      found[f] =
          std::all_of(callers[f].begin(), callers[f].end(),
                      [&](FunctionId caller) { return program.functions[caller].isConstructor || found[caller]; })
              ? 1
              : 0;
      grew |= found[f] != 0;
    }
  }
  return found;
}

std::vector<char> plainRecords(const facts::Program &program) {
  using facts::Type;
  std::vector<char> plain(program.classes.size(), 1);
  auto isPlain = [&](const facts::SlotInfo &slot) {
    const Type type = slot.type == Type::List ? slot.element : slot.type;
    return type == Type::Other || type == Type::Int || type == Type::Bool || type == Type::String ||
           (type == Type::Record && slot.cls < plain.size() && plain[slot.cls]);
  };
  for (bool shrank = true; shrank;) {
    shrank = false;
    for (facts::ClassId c = 0; c < plain.size(); ++c) {
      const facts::Class &cls = program.classes[c];
      const bool stays = !cls.isModule && cls.call == facts::kNone &&
                         std::all_of(cls.fields.begin(), cls.fields.end(),
                                     [&](const facts::FieldInfo &member) { return isPlain(member.slot); }) &&
                         std::all_of(cls.bases.begin(), cls.bases.end(),
                                     [&](facts::ClassId base) { return base < plain.size() && plain[base]; });
      shrank |= plain[c] && !stays;
      plain[c] = plain[c] && stays ? 1 : 0;
    }
  }
  return plain;
}

/// Whether code decides which GPU it uses: by an index other than 0, a number of GPUs, a device that is read or asked.
bool choosesGpu(const ProgramIndex &program, const Function &code) {
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
        if (!i.args.empty() && i.args[0].slot != facts::kNone && !isIn(zero, 0) && i.mode == Mode::None)
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
        if (i.text == facts::kNumberOfGpus)
          return true;
        break;
      default:
        break;
      }
    }
  return false;
}

} // namespace

ProgramIndex::ProgramIndex(const facts::Program &program)
    : functions(program.functions), classes(program.classes), globalInits(program.globalInits),
      mentionsDevices(program.mentionsDevices), torch(program.torch), classesMade(analysis::classesMade(program)),
      isWhole(analysis::isWhole(program)), takesOfPool(analysis::takesOfPool(program)),
      isWrittenForCuda(analysis::isWrittenForCuda(program)), program_(program), deadMoves_(deadMoves(program)),
      relevance_(analysis::relevanceOf(program)), written_(writtenDevices(program)),
      constructing_(onlyConstructing(program)), plainRecords_(plainRecords(program)), code_(program.functions.size()) {}

const CodeInfo &ProgramIndex::code(FunctionId function) const {
  std::unique_ptr<CodeInfo> &known = code_[function];
  if (!known)
    known = std::make_unique<CodeInfo>(functions[function]);
  return *known;
}

/// The function that an object of this class runs: its own, or that of the nearest base that has one.
FunctionId ProgramIndex::ownOrInherited(facts::ClassId cls, const std::vector<FunctionId> &all) const {
  std::vector<facts::ClassId> line{cls};
  for (std::size_t n = 0; n < line.size() && n < Limits::ancestors; ++n) {
    if (line[n] >= classes.size())
      continue;
    for (FunctionId target : all)
      if (functions[target].cls == line[n])
        return target;
    for (facts::ClassId base : classes[line[n]].bases)
      line.push_back(base);
  }
  return facts::kNone;
}

/// The member of this name, of a class or its bases.
const facts::SlotInfo *ProgramIndex::memberOf(facts::ClassId cls, const std::string &name, int depth) const {
  if (cls >= classes.size() || depth > Limits::baseClasses)
    return nullptr;
  for (const facts::FieldInfo &member : classes[cls].fields)
    if (member.slot.name == name)
      return &member.slot;
  for (facts::ClassId base : classes[cls].bases)
    if (const facts::SlotInfo *found = memberOf(base, name, depth + 1))
      return found;
  return nullptr;
}

FunctionId ProgramIndex::moveOverrideOf(facts::ClassId cls, int depth) const {
  if (cls >= classes.size() || depth > Limits::basesOfMove)
    return facts::kNone;
  FunctionId found = classes[cls].moveOverride;
  for (facts::ClassId base : classes[cls].bases)
    found = found == facts::kNone ? moveOverrideOf(base, depth + 1) : found;
  return found;
}

/// Whether a method of the class, or of a derived one, puts something into the member.
bool ProgramIndex::isAssignedByMethods(facts::ClassId cls, const std::string &member) const {
  auto assigns = [&](const Function &function) {
    for (const facts::Block &block : function.blocks)
      for (const Instruction &named : block.instructions)
        if (named.opcode == Opcode::Field && (named.text == member || named.args.size() > 1))
          for (const Instruction &i : block.instructions)
            if (i.opcode == Opcode::Assign && i.args[0].slot == named.dest)
              return true;
    return false;
  };
  return std::any_of(functions.begin(), functions.end(), [&](const Function &function) {
    return !function.isConstructor && function.cls != facts::kNone && derivesFrom(function.cls, cls) &&
           assigns(function);
  });
}

/// Whether a branch or a check of this function is about where its parameter is.
bool ProgramIndex::saysWhereItExpects(const Function &code, Slot parameter) {
  auto asks = [&](const Instruction &i) {
    const bool isTest = i.opcode == Opcode::IsCuda || i.opcode == Opcode::IsCpu || i.opcode == Opcode::SameDevice;
    return isTest &&
           std::any_of(i.args.begin(), i.args.end(), [&](const Operand &operand) { return operand.slot == parameter; });
  };
  return std::any_of(code.blocks.begin(), code.blocks.end(), [&](const facts::Block &block) {
    return std::any_of(block.instructions.begin(), block.instructions.end(), asks);
  });
}

/// Whether a method puts what its object holds where it belongs, itself or in what it calls: `net_->to(d)`,
/// `mean_ = mean_.to(device)`, `last_ = net_->forward(x)`.
bool ProgramIndex::placesMembers(FunctionId function, int depth) const {
  const Function &code = functions[function];
  std::set<Slot> members, made;
  for (const facts::Block &block : code.blocks)
    for (const Instruction &i : block.instructions) {
      if (i.opcode == Opcode::Field || i.opcode == Opcode::Element)
        members.insert(i.dest);
      const bool isUnseen = i.opcode == Opcode::Unknown ||
                            (i.opcode == Opcode::Call && i.dest != facts::kNone && functions[i.targets[0]].isElsewhere);
      if (i.opcode == Opcode::New || i.opcode == Opcode::Null || isUnseen)
        made.insert(i.dest); // nothing that anybody put in its place
      if (i.opcode == Opcode::MoveModule)
        return true;
      if (i.opcode == Opcode::Assign && members.count(i.args[0].slot) && !made.count(i.args[1].slot) &&
          code.slots[i.args[0].slot].type == facts::Type::Tensor)
        return true;
      if (i.opcode == Opcode::Call && depth < Limits::helpers)
        for (FunctionId target : i.targets)
          if (target < functions.size() && !functions[target].isConstructor && placesMembers(target, depth + 1))
            return true;
    }
  return false;
}

/// Whether it gives the object a module or a tensor of its own.
bool ProgramIndex::registersMembers(FunctionId function) const {
  const std::vector<facts::Block> &blocks = functions[function].blocks;
  return std::any_of(blocks.begin(), blocks.end(), [](const facts::Block &block) {
    return std::any_of(block.instructions.begin(), block.instructions.end(),
                       [](const Instruction &i) { return i.opcode == Opcode::Register; });
  });
}

/// Whether it brings the tensors that it is given to where it works.
bool ProgramIndex::movesItsInputs(FunctionId function) const {
  const Function &code = functions[function];
  const bool hasSelf = code.cls != facts::kNone && !code.isStatic;
  auto isInput = [&](const facts::Operand &operand) {
    return operand.slot >= hasSelf && operand.slot < code.paramCount;
  };
  for (const facts::Block &block : code.blocks)
    for (const Instruction &i : block.instructions)
      if (i.opcode == Opcode::Move && !(i.flags & facts::kDiscarded) && !i.args.empty() && isInput(i.args[0]))
        return true;
  return false;
}

/// A class some of whose methods move what they are given takes it from anywhere: one that does not has forgotten it.
bool ProgramIndex::sisterMovesInputs(FunctionId method) const {
  const Function &code = functions[method];
  if (code.cls >= classes.size() || code.isStatic || code.isConstructor || isLambda(code))
    return false;
  const std::vector<FunctionId> &sisters = classes[code.cls].methods;
  return std::any_of(sisters.begin(), sisters.end(), [&](FunctionId sister) {
    return sister < functions.size() && !functions[sister].isPrivate && movesItsInputs(sister);
  });
}

/// Whether it makes sure where its tensors are, or makes tensors, itself or in a helper.
bool ProgramIndex::isWholeOperation(FunctionId function, int depth) const {
  for (const facts::Block &block : functions[function].blocks)
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
          if (depth < Limits::parts && target < functions.size() && isWholeOperation(target, depth + 1))
            return true;
        break;
      default:
        break;
      }
  return false;
}

/// Whether it is put into a table, or handed to others: who calls it, and under which guard, is not to be seen.
bool ProgramIndex::isHandedOn(FunctionId function) const {
  return std::any_of(classes.begin(), classes.end(), [&](const facts::Class &cls) {
    return cls.isLambda && cls.call == function && functions[function].cls == facts::kNone;
  });
}

/// In how many places of the program a device is written down.
int ProgramIndex::timesWritten(DeviceValue device) const {
  std::string name = device.kind == DeviceValue::Cpu ? "cpu" : "cuda";
  if (device.kind == DeviceValue::Cuda && device.index >= 0)
    name += ":" + std::to_string(device.index);
  auto found = written_.find(name);
  return found == written_.end() ? 0 : found->second;
}

/// A whole program, as against a library or an extension, that never chooses between GPUs: all is on the first.
bool ProgramIndex::knowsOneGpu() const {
  auto isMain = [](const Function &f) { return f.isMain() && !f.blocks.empty(); };
  return std::any_of(functions.begin(), functions.end(), isMain) && !knowsSeveralGpus();
}

/// Something is bound for others to call, or chooses between GPUs.
bool ProgramIndex::knowsSeveralGpus() const {
  if (!severalGpus_)
    severalGpus_ = std::any_of(functions.begin(), functions.end(), [&](const Function &function) {
      return function.isBound() || choosesGpu(*this, function);
    });
  return *severalGpus_;
}

/// A whole program in which nobody makes a stream current: PyTorch's is the default one.
bool ProgramIndex::hasOneStream() const {
  auto setsStream = [](const Function &function) {
    return hasInstruction(function, [](const Instruction &i) { return i.opcode == Opcode::SetStream; });
  };
  return isWhole && std::none_of(functions.begin(), functions.end(), setsStream); // who knows what Python does
}

} // namespace samedevice::analysis
