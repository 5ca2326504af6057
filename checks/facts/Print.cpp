#include "Cursor.h"
#include "Names.h"
#include "Text.h"

#include <map>

namespace samedevice::facts {
namespace {

std::string quoted(std::string_view text) {
  std::string result = "\"";
  for (char c : text) {
    if (c == '\n') {
      result += "\\n";
      continue;
    }
    if (c == '"' || c == '\\')
      result += '\\';
    result += c;
  }
  return result + '"';
}

bool isPlainName(std::string_view text) { return !text.empty() && text != "_" && bareNameLength(text) == text.size(); }

std::string asName(std::string_view text) { return isPlainName(text) ? std::string(text) : quoted(text); }

/// Class names stand among words of the text form's own.
std::string asClassName(std::string_view text) {
  return typeNamed(text) || isFunctionAttribute(text) ? quoted(text) : asName(text);
}

/// The text of an instruction may hold more than a name: cuda:1, host-to-device, operator+.
std::string asText(std::string_view text) {
  const bool plain = !text.empty() && bareTextLength(text) == text.size();
  return plain ? std::string(text) : quoted(text);
}

/// Each name, with `#2` and so on where it is not the first of its kind.
template <typename Thing>
std::vector<std::string> numbered(const std::vector<Thing> &things, std::string (*spell)(std::string_view)) {
  std::map<std::string, int> seen;
  std::vector<std::string> result;
  for (const Thing &thing : things) {
    const int count = ++seen[thing.name];
    result.push_back(spell(thing.name) + (count > 1 ? "#" + std::to_string(count) : ""));
  }
  return result;
}

class Printer {
public:
  explicit Printer(const Program &program)
      : program_(program), functionNames_(numbered(program.functions, asName)),
        classNames_(numbered(program.classes, asClassName)) {}

  std::string program() {
    if (program_.mentionsDevices || program_.isUnfinished || program_.torch || !program_.globalInits.empty()) {
      out_ += "program";
      if (program_.mentionsDevices)
        out_ += " mentions-devices";
      if (program_.isUnfinished)
        out_ += " unfinished";
      if (program_.torch)
        out_ += " torch=" + std::to_string(program_.torch / 100) + "." + std::to_string(program_.torch % 100);
      for (FunctionId init : program_.globalInits)
        out_ += (init == program_.globalInits.front() ? " global-init=" : "|") + functionName(init);
      out_ += "\n\n";
    }
    for (ClassId id = 0; id < program_.classes.size(); ++id)
      printClass(id);
    for (FunctionId id = 0; id < program_.functions.size(); ++id)
      printFunction(id);
    printSources();
    return std::move(out_);
  }

  std::string function(FunctionId id) {
    printFunction(id);
    return std::move(out_);
  }

private:
  std::string functionName(FunctionId id) const {
    return id < functionNames_.size() ? functionNames_[id] : "?" + std::to_string(id);
  }
  std::string className(ClassId id) const {
    return id < classNames_.size() ? classNames_[id] : "?" + std::to_string(id);
  }

  static std::string at(SourceId source) { return source ? "@" + std::to_string(source) : ""; }
  static std::string spaceAt(SourceId source) { return source ? " @" + std::to_string(source) : ""; }

  std::string typeOf(const SlotInfo &slot) const {
    std::string result;
    if (slot.readOnly)
      result += "const ";
    if (slot.reference)
      result += "ref ";
    if (slot.own)
      result += "own ";
    if (slot.isPlain)
      result += "plain ";
    result += name(slot.type);
    if (slot.element != Type::Other)
      result.append(slot.ownElements ? " of own " : " of ").append(name(slot.element));
    else if (slot.ownElements)
      result += " of own";
    if (slot.cls != kNone)
      result += " " + className(slot.cls);
    return result + spaceAt(slot.source);
  }

  void printNames(std::string_view heading, const std::vector<std::uint32_t> &ids,
                  std::string (Printer::*nameOf)(std::uint32_t) const) {
    if (ids.empty())
      return;
    out_.append("  ").append(heading);
    for (std::size_t i = 0; i < ids.size(); ++i)
      out_ += (i ? ", " : " ") + (this->*nameOf)(ids[i]);
    out_ += '\n';
  }

  void printClass(ClassId id) {
    const Class &cls = program_.classes[id];
    out_ += "class " + asClassName(cls.name);
    if (cls.isModule)
      out_ += " module";
    if (cls.isLambda)
      out_ += " lambda";
    out_ += spaceAt(cls.source) + "\n";
    printLink(cls.link);
    printNames("bases", cls.bases, &Printer::className);
    for (const FieldInfo &field : cls.fields)
      out_ += "  field " + asName(field.slot.name) + ": " + typeOf(field.slot) + "\n";
    printNames("constructors", cls.constructors, &Printer::functionName);
    printNames("methods", cls.methods, &Printer::functionName);
    if (cls.moveOverride != kNone)
      out_ += "  move-override " + functionName(cls.moveOverride) + "\n";
    if (cls.call != kNone)
      out_ += "  call " + functionName(cls.call) + "\n";
    out_ += '\n';
  }

  void printFunction(FunctionId id) {
    const Function &function = program_.functions[id];
    nameSlots(function);
    out_ += "function " + asName(function.name) + "(";
    for (Slot slot = 0; slot < function.paramCount; ++slot)
      out_ += (slot ? ", " : "") + slotNames_[slot] + ": " + typeOf(function.slots[slot]);
    out_ += ")";
    printResult(function.result);
    if (function.cls != kNone)
      out_ += " of " + className(function.cls);
    for (auto [set, word] : {std::pair{function.isConstructor, " constructor"},
                             {function.isDestructor, " destructor"},
                             {function.isStatic, " static"},
                             {function.isEntry, " entry"},
                             {function.isGuarded, " guarded"},
                             {function.isForCuda, " for-cuda"},
                             {function.isPrivate, " private"},
                             {function.isElsewhere, " elsewhere"}})
      if (set)
        out_ += word;
    out_ += spaceAt(function.source) + "\n";
    printLink(function.link);
    printNames("overrides", function.overrides, &Printer::functionName);
    for (const std::string &bound : function.boundAs)
      out_ += "  bound " + quoted(bound) + "\n";
    for (Slot slot = function.paramCount; slot < function.slots.size(); ++slot)
      out_ += "  var " + slotNames_[slot] + ": " + typeOf(function.slots[slot]) + "\n";
    for (BlockId block = 0; block < function.blocks.size(); ++block) {
      out_ += "b" + std::to_string(block) + ":\n";
      for (const Instruction &instruction : function.blocks[block].instructions)
        printInstruction(function, instruction);
      printTerminator(function.blocks[block].end);
    }
    out_ += '\n';
  }

  void printLink(const std::string &link) {
    if (!link.empty())
      out_ += "  link " + quoted(link) + "\n";
  }

  void printSources() {
    if (program_.sources.size() < 2)
      return;
    out_ += "sources\n";
    for (SourceId id = 1; id < program_.sources.size(); ++id) {
      const Source &source = program_.sources[id];
      out_ += "  " + at(id);
      if (source.file < program_.files.size())
        out_ += " " + quoted(program_.files[source.file]) + " " + std::to_string(source.line) + " " +
                std::to_string(source.column);
      if (source.function != kNone)
        out_ += " in=" + functionName(source.function);
      if (source.member != kNone)
        out_ += " member=" + className(source.member);
      for (auto [word, text] : {std::pair{" name=", &source.name},
                                {" label=", &source.label},
                                {" made-as=", &source.madeAs},
                                {" callee=", &source.callee}})
        if (!text->empty())
          out_ += word + quoted(*text);
      out_ += source.isLaunch ? " launch\n" : "\n";
    }
  }

  void printResult(const SlotInfo &result) {
    const std::string type = typeOf(result);
    if (type == name(Type::Other) && result.name.empty())
      return;
    // The parentheses are only needed to tell the result's source from the function's.
    out_ += result.source ? " -> (" : " -> ";
    if (!result.name.empty())
      out_ += asName(result.name) + ": ";
    out_ += type;
    if (result.source)
      out_ += ')';
  }

  void nameSlots(const Function &function) {
    slotNames_ = numbered(function.slots, asName);
    for (Slot slot = 0; slot < function.slots.size(); ++slot)
      if (function.slots[slot].name.empty())
        slotNames_[slot] = "%" + std::to_string(slot);
  }

  std::string slotName(Slot slot) const {
    if (slot == kNone)
      return "_";
    return slot < slotNames_.size() ? slotNames_[slot] : "?" + std::to_string(slot);
  }

  void printInstruction(const Function &function, const Instruction &instruction) {
    out_ += "  ";
    if (instruction.dest != kNone)
      out_ += slotName(instruction.dest) + " = ";
    out_ += name(instruction.opcode);
    printHead(function, instruction);
    if (!instruction.args.empty()) {
      out_ += '(';
      for (const Operand &operand : instruction.args) {
        if (&operand != &instruction.args.front())
          out_ += ", ";
        if (!operand.name.empty())
          out_ += asName(operand.name) + "=";
        out_ += slotName(operand.slot) + at(operand.source) + (operand.mayWrite ? "!" : "");
      }
      out_ += ')';
    }
    if (instruction.flags) {
      std::string_view separator = " [";
      for (std::uint32_t bit = 1; bit && bit <= instruction.flags; bit <<= 1)
        if (instruction.flags & bit) {
          out_.append(separator).append(name(static_cast<Flag>(bit)));
          separator = ", ";
        }
      out_ += ']';
    }
    out_ += spaceAt(instruction.source) + "\n";
  }

  void printHead(const Function &function, const Instruction &instruction) {
    const Opcode opcode = instruction.opcode;
    const bool named = opcode == Opcode::Call || opcode == Opcode::Object || opcode == Opcode::Cast;
    bool textShown = instruction.text.empty(), numberShown = instruction.number == 0;
    if (named) {
      for (std::size_t i = 0; i < instruction.targets.size(); ++i)
        out_ += (i ? "|" : " ") +
                (opcode == Opcode::Call ? functionName(instruction.targets[i]) : className(instruction.targets[i]));
    } else if (opcode == Opcode::Const) {
      printConstant(function, instruction);
      numberShown = numberShown || textShown;
      textShown = true;
    } else if (instruction.mode != Mode::None) {
      out_ += " " + asText(name(instruction.mode));
    } else if (!textShown && !hasModes(opcode)) {
      out_ += " " + asText(instruction.text);
      textShown = true;
    }
    if (!textShown)
      out_ += " text=" + quoted(instruction.text);
    if (!numberShown)
      out_ += " number=" + std::to_string(instruction.number);
    if (!named && !instruction.targets.empty())
      for (std::size_t i = 0; i < instruction.targets.size(); ++i)
        out_ += (i ? "|" : " targets=") + std::to_string(instruction.targets[i]);
  }

  void printConstant(const Function &function, const Instruction &instruction) {
    const Type type = instruction.dest < function.slots.size() ? function.slots[instruction.dest].type : Type::Other;
    if (!instruction.text.empty())
      out_ += " " + quoted(instruction.text);
    else if (type == Type::Bool && (instruction.number == 0 || instruction.number == 1))
      out_ += instruction.number ? " true" : " false";
    else
      out_ += " " + std::to_string(instruction.number);
  }

  void printTerminator(const Terminator &end) {
    static constexpr std::string_view kKinds[] = {"jump", "branch", "any", "return", "unreachable"};
    out_.append("  ").append(kKinds[end.kind]);
    if (end.kind == Terminator::Branch || (end.kind == Terminator::Return && end.slot != kNone))
      out_ += " " + slotName(end.slot);
    for (BlockId successor : end.successors)
      out_ += " b" + std::to_string(successor);
    out_ += spaceAt(end.source) + "\n";
  }

  const Program &program_;
  std::vector<std::string> functionNames_, classNames_, slotNames_;
  std::string out_;
};

} // namespace

std::string print(const Program &program) { return Printer(program).program(); }

std::string print(const Program &program, FunctionId function) { return Printer(program).function(function); }

} // namespace samedevice::facts
