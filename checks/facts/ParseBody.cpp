#include "ParseDetail.h"

#include <algorithm>

namespace samedevice::facts::detail {
namespace {

struct NamedKind {
  std::string_view word;
  Terminator::Kind kind;
};
constexpr NamedKind kTerminators[] = {{"jump", Terminator::Jump},
                                      {"branch", Terminator::Branch},
                                      {"any", Terminator::Any},
                                      {"return", Terminator::Return},
                                      {"unreachable", Terminator::Unreachable}};

class BodyParser {
public:
  BodyParser(Program &program, const Names &names, FunctionId id)
      : program_(program), names_(names), function_(program.functions[id]) {
    for (Slot slot = 0; slot < function_.slots.size(); ++slot) {
      const std::string &name = function_.slots[slot].name;
      slots_[name.empty() ? "%" + std::to_string(slot) : keyOf(name, slots_)] = slot;
    }
  }

  std::string run(const std::vector<Line> &lines, Line &at) {
    collectLabels(lines);
    for (const Line &line : lines) {
      at = line;
      Cursor cursor(line.text);
      readLine(cursor);
      cursor.expectEnd();
      if (cursor.failed())
        return cursor.error();
    }
    if (blockOpen_)
      endBlock({Terminator::Return, kNone, {}, 0});
    return {};
  }

private:
  static std::optional<std::string> label(const Line &line) {
    Cursor cursor(line.text);
    std::string name = cursor.name();
    if (name.empty() || !cursor.eat(":") || !cursor.atEnd())
      return std::nullopt;
    return name;
  }

  /// Blocks may be named before they are seen. What stands before the first label is a block of its own.
  void collectLabels(const std::vector<Line> &lines) {
    BlockId next = 0;
    for (const Line &line : lines) {
      if (auto name = label(line))
        labels_.emplace(*name, next++);
      else if (next == 0 && !isOfSignature(line))
        ++next;
    }
  }

  static bool isWord(const Line &line, std::string_view word) {
    Cursor cursor(line.text);
    return cursor.eatWord(word) && !cursor.startsWith("=") && !cursor.startsWith(":");
  }
  static bool isOfSignature(const Line &line) {
    for (std::string_view word : {"var", "link", "overrides", "bound"})
      if (isWord(line, word))
        return true;
    return false;
  }

  void ofSignature(Cursor &cursor) {
    const std::string word = cursor.kebab();
    if (word == "link")
      function_.link = cursor.string();
    else if (word == "bound")
      function_.boundAs.push_back(cursor.string());
    else if (word == "overrides")
      references(cursor, function_.overrides, names_.functions, "function");
    else
      do
        variable(cursor);
      while (cursor.eat(","));
  }

  void readLine(Cursor &cursor) {
    const Line line{cursor.rest(), 0};
    if (isOfSignature(line)) {
      ofSignature(cursor);
    } else if (label(line)) {
      if (blockOpen_)
        endBlock({Terminator::Jump, kNone, {static_cast<BlockId>(function_.blocks.size())}, 0});
      openBlock();
      cursor.name();
      cursor.expect(":");
    } else {
      if (!blockOpen_ && !function_.blocks.empty())
        return cursor.fail("a label is missing: the block before ends above");
      if (!blockOpen_)
        openBlock();
      if (!terminator(cursor))
        instruction(cursor);
    }
  }

  void openBlock() {
    function_.blocks.emplace_back();
    blockOpen_ = true;
  }
  void endBlock(Terminator end) {
    function_.blocks.back().end = std::move(end);
    blockOpen_ = false;
  }

  // Slots.

  void variable(Cursor &cursor) {
    const std::string key = slotKey(cursor);
    cursor.expect(":");
    SlotInfo info;
    type(cursor, info, names_);
    info.source = cursor.source();
    declare(key, std::move(info));
  }

  Slot declare(const std::string &key, SlotInfo info) {
    const Slot slot = static_cast<Slot>(function_.slots.size());
    info.name = slotName(key);
    function_.slots.push_back(std::move(info));
    slots_[key] = slot;
    return slot;
  }

  Slot slot(Cursor &cursor) {
    if (cursor.eatWord("_"))
      return kNone;
    const std::string key = slotKey(cursor);
    auto found = slots_.find(key);
    if (found != slots_.end())
      return found->second;
    cursor.fail("unknown slot '" + key + "'");
    return kNone;
  }

  // Instructions.

  /// `x =` or `x: tensor =`; the slot is declared once the opcode has told its type.
  struct Destination {
    std::string key;
    std::optional<SlotInfo> info;
  };

  Destination destination(Cursor &cursor) {
    Cursor ahead = cursor;
    Destination result{slotKey(ahead), std::nullopt};
    if (result.key.empty())
      return {};
    if (ahead.eat(":")) {
      type(ahead, result.info.emplace(), names_);
      result.info->source = ahead.source();
    }
    if (!ahead.startsWith("=") || ahead.startsWith("=="))
      return {};
    ahead.expect("=");
    cursor = ahead;
    return result;
  }

  void instruction(Cursor &cursor) {
    const Destination dest = destination(cursor);
    Instruction result;
    const std::string word = cursor.kebab();
    if (auto opcode = opcodeNamed(word))
      result.opcode = *opcode;
    else
      return cursor.fail("unknown opcode '" + word + "'");
    const bool isBool = head(cursor, result);
    if (cursor.eat("("))
      operands(cursor, result);
    if (cursor.eat("["))
      flags(cursor, result);
    result.source = cursor.source();
    if (cursor.failed())
      return;
    if (!dest.key.empty()) {
      auto known = slots_.find(dest.key);
      if (known == slots_.end())
        result.dest = declare(dest.key, dest.info ? *dest.info : resultOf(result, isBool));
      else if (dest.info)
        return cursor.fail("'" + dest.key + "' has its type already");
      else
        result.dest = known->second;
    }
    function_.blocks.back().instructions.push_back(std::move(result));
  }

  /// The word after the opcode. Returns whether it was true or false.
  bool head(Cursor &cursor, Instruction &result) {
    bool isBool = false;
    if (result.opcode == Opcode::Call) {
      references(cursor, result.targets, names_.functions, "function", "|");
    } else if (result.opcode == Opcode::Object || result.opcode == Opcode::Cast) {
      references(cursor, result.targets, names_.classes, "class", "|");
    } else if (result.opcode == Opcode::Const && cursor.atNumber()) {
      result.number = cursor.number<std::int64_t>();
    } else if (result.opcode == Opcode::Const && !cursor.atQuote()) {
      const std::string word = cursor.name();
      isBool = word == "true" || word == "false";
      if (!isBool)
        cursor.fail("expected a number, true, false or a \"string\"");
      result.number = word == "true";
    } else if (hasModes(result.opcode)) {
      if (const std::string word = cursor.text(); !word.empty()) {
        const std::optional<Mode> mode = modeNamed(result.opcode, word);
        if (mode)
          result.mode = *mode;
        else
          cursor.fail("unknown mode '" + word + "' of " + std::string(name(result.opcode)));
      }
    } else {
      result.text = cursor.text();
    }
    if (cursor.eat("text="))
      result.text = cursor.string();
    if (cursor.eat("number="))
      result.number = cursor.number<std::int64_t>();
    if (cursor.eat("targets="))
      do
        result.targets.push_back(cursor.number<std::uint32_t>());
      while (cursor.eat("|"));
    return isBool;
  }

  void operands(Cursor &cursor, Instruction &result) {
    while (!cursor.failed() && !cursor.eat(")")) {
      Operand &operand = result.args.emplace_back();
      if (Cursor ahead = cursor; !ahead.name().empty() && ahead.eat("=")) {
        operand.name = cursor.name();
        cursor.expect("=");
      }
      operand.slot = slot(cursor);
      operand.source = cursor.source();
      operand.mayWrite = cursor.eat("!");
      if (!cursor.startsWith(")"))
        cursor.expect(",");
    }
  }

  static void flags(Cursor &cursor, Instruction &result) {
    do {
      const std::string word = cursor.kebab();
      if (auto flag = flagNamed(word))
        result.flags |= *flag;
      else
        cursor.fail("unknown flag '" + word + "'");
    } while (cursor.eat(","));
    cursor.expect("]");
  }

  bool terminator(Cursor &cursor) {
    for (auto [word, kind] : kTerminators) {
      Cursor ahead = cursor;
      if (!ahead.eatWord(word) || ahead.startsWith("=") || ahead.startsWith(":"))
        continue;
      cursor = ahead;
      Terminator end{kind, kNone, {}, 0};
      if (kind == Terminator::Branch || (kind == Terminator::Return && !cursor.atEnd() && !cursor.startsWith("@")))
        end.slot = slot(cursor);
      while (!cursor.failed() && !cursor.atEnd() && !cursor.startsWith("@"))
        end.successors.push_back(reference(cursor, labels_, "block"));
      end.source = cursor.source();
      endBlock(std::move(end));
      return true;
    }
    return false;
  }

  // The type that goes without saying.

  const SlotInfo *argument(const Instruction &instruction) const {
    if (instruction.args.empty() || instruction.args[0].slot == kNone)
      return nullptr;
    return &function_.slots[instruction.args[0].slot];
  }

  SlotInfo resultOf(const Instruction &instruction, bool isBool) const {
    SlotInfo info;
    const SlotInfo *first = argument(instruction);
    switch (instruction.opcode) {
    case Opcode::New:
    case Opcode::Like:
    case Opcode::Move:
    case Opcode::View:
    case Opcode::Op:
    case Opcode::FromBlob:
    case Opcode::Forward:
      info.type = Type::Tensor;
      break;
    case Opcode::Device:
    case Opcode::DeviceMake:
    case Opcode::DeviceParse:
    case Opcode::DeviceOf:
    case Opcode::CurrentDevice:
      info.type = Type::Device;
      break;
    case Opcode::Options:
    case Opcode::OptionsWith:
    case Opcode::OptionsOf:
      info.type = Type::Options;
      break;
    case Opcode::Pointer:
    case Opcode::PointerOffset:
    case Opcode::Allocate:
      info.type = Type::Pointer;
      break;
    case Opcode::Module:
    case Opcode::LoadScript:
      info.type = Type::Module;
      break;
    case Opcode::Parameters:
      info.type = Type::List;
      info.element = instruction.mode == Mode::Children ? Type::Module : Type::Tensor;
      break;
    case Opcode::Optimizer:
      info.type = Type::Optimizer;
      break;
    case Opcode::Guard:
      info.type = Type::Guard;
      break;
    case Opcode::IsCuda:
    case Opcode::IsCpu:
    case Opcode::IsPinned:
    case Opcode::SameDevice:
    case Opcode::Available:
    case Opcode::Not:
    case Opcode::Compare:
    case Opcode::IsDefined:
    case Opcode::Part:
    case Opcode::Asked:
    case Opcode::HasNext:
    case Opcode::IsMade:
      info.type = Type::Bool;
      break;
    case Opcode::Const:
      info.type = isBool ? Type::Bool : instruction.text.empty() ? Type::Int : Type::String;
      break;
    case Opcode::Size:
      info.type = Type::Int;
      break;
    case Opcode::Compute:
      info.type = first && first->type == Type::String ? Type::String : Type::Int;
      break;
    case Opcode::Object:
    case Opcode::Cast:
      info.cls = instruction.targets[0];
      info.type = program_.classes[info.cls].isModule ? Type::Module : Type::Record;
      break;
    case Opcode::List:
      info.type = Type::List;
      if (first) {
        info.element = first->type;
        info.cls = first->cls;
      }
      break;
    case Opcode::Call:
      info = program_.functions[instruction.targets[0]].result;
      break;
    case Opcode::Field:
      if (first && first->cls != kNone)
        info = fieldOf(first->cls, instruction.text);
      break;
    case Opcode::Element:
      if (first) {
        info.type = first->element;
        info.cls = first->cls;
      }
      break;
    case Opcode::Iterate:
    case Opcode::Copy:
    case Opcode::Clone:
    case Opcode::CloneModule:
    case Opcode::Bind:
      if (first)
        info = *first;
      break;
    default:
      break;
    }
    info.reference = instruction.opcode == Opcode::Bind;
    info.readOnly = false;
    info.source = 0;
    return info;
  }

  SlotInfo fieldOf(ClassId cls, std::string_view name) const {
    for (const FieldInfo &field : program_.classes[cls].fields)
      if (field.slot.name == name)
        return field.slot;
    for (ClassId base : program_.classes[cls].bases)
      if (SlotInfo info = fieldOf(base, name); info.type != Type::Other)
        return info;
    return {};
  }

  Program &program_;
  const Names &names_;
  Function &function_;
  Numbering slots_, labels_;
  bool blockOpen_ = false;
};

} // namespace

std::string parseBody(Program &program, const Names &names, FunctionId id, const std::vector<Line> &lines, Line &at) {
  return BodyParser(program, names, id).run(lines, at);
}

} // namespace samedevice::facts::detail
