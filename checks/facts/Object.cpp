#include "Object.h"

#include "Names.h"

#include <map>
#include <type_traits>

namespace samedevice::facts {
namespace {

constexpr std::string_view kMagic = "samedevice facts\n";
constexpr std::uint32_t kFormat = 4;

/// Differs where an enumerator came, went or changed its place: objects hold their numbers.
std::uint32_t vocabulary() {
  std::uint32_t hash = 2166136261u + kFormat;
  auto add = [&](std::string_view text) {
    for (char c : text)
      hash = (hash ^ static_cast<unsigned char>(c)) * 16777619u;
    hash *= 16777619u;
  };
  for (std::size_t opcode = 0; opcode < kOpcodeCount; ++opcode)
    add(name(static_cast<Opcode>(opcode)));
  for (int type = 0; type <= static_cast<int>(Type::Guard); ++type)
    add(name(static_cast<Type>(type)));
  for (std::size_t mode = 0; mode < kModeCount; ++mode)
    add(name(static_cast<Mode>(mode)));
  for (std::uint32_t flag = 1; flag <= kLastFlag; flag <<= 1)
    add(name(static_cast<Flag>(flag)));
  return hash;
}

// What there is in each of them, once for both directions.

template <typename Archive> void visit(Archive &archive, SlotInfo &slot) {
  archive(slot.name, slot.type, slot.cls, slot.element, slot.own, slot.ownElements, slot.reference, slot.readOnly,
          slot.isPlain, slot.source);
}
template <typename Archive> void visit(Archive &archive, Operand &operand) {
  archive(operand.slot, operand.source, operand.name, operand.mayWrite);
}
template <typename Archive> void visit(Archive &archive, Instruction &i) {
  archive(i.opcode, i.mode, i.dest, i.args, i.text, i.number, i.targets, i.flags, i.source);
}
template <typename Archive> void visit(Archive &archive, Block &block) {
  archive(block.instructions, block.end.kind, block.end.slot, block.end.successors, block.end.source);
}
template <typename Archive> void visit(Archive &archive, Function &function) {
  archive(function.name, function.link, function.cls, function.paramCount, function.slots, function.blocks,
          function.result, function.isConstructor, function.isDestructor, function.isStatic, function.isEntry,
          function.isGuarded, function.isForCuda, function.isPrivate, function.isElsewhere, function.overrides,
          function.boundAs, function.source);
}
template <typename Archive> void visit(Archive &archive, FieldInfo &field) { archive(field.slot); }
template <typename Archive> void visit(Archive &archive, Class &cls) {
  archive(cls.name, cls.link, cls.isModule, cls.isLambda, cls.bases, cls.fields, cls.constructors, cls.methods,
          cls.moveOverride, cls.call, cls.source);
}
template <typename Archive> void visit(Archive &archive, Source &source) {
  archive(source.file, source.line, source.column, source.function, source.member, source.name, source.label,
          source.madeAs, source.callee, source.isLaunch);
}
template <typename Archive> void visit(Archive &archive, Program &program) {
  archive(program.files, program.functions, program.classes, program.globalInits, program.mentionsDevices,
          program.isUnfinished, program.torch, program.sources);
}

/// Numbers take as many bytes as they need, kNone one; a text that came before is the number it had.
class Writer {
public:
  std::string out{kMagic};

  template <typename... Things> void operator()(Things &...things) { (put(things), ...); }

private:
  void number(std::uint64_t value) {
    for (; value >= 0x80; value >>= 7)
      out += static_cast<char>(value | 0x80);
    out += static_cast<char>(value);
  }
  void put(std::string &text) {
    auto [place, isNew] = texts_.try_emplace(text, texts_.size());
    number(place->second);
    if (!isNew)
      return;
    number(text.size());
    out += text;
  }
  template <typename Item> void put(std::vector<Item> &items) {
    number(items.size());
    for (Item &item : items)
      put(item);
  }
  template <typename Thing> void put(Thing &thing) {
    if constexpr (std::is_enum_v<Thing>)
      number(static_cast<std::uint64_t>(thing));
    else if constexpr (std::is_same_v<Thing, std::int64_t>)
      number((static_cast<std::uint64_t>(thing) << 1) ^ static_cast<std::uint64_t>(thing >> 63));
    else if constexpr (std::is_same_v<Thing, bool>)
      out += thing ? '\1' : '\0';
    else if constexpr (std::is_integral_v<Thing>)
      number(static_cast<std::uint32_t>(thing + 1)); // kNone becomes 0
    else
      visit(*this, thing);
  }

  std::map<std::string, std::size_t> texts_;
};

class Reader {
public:
  explicit Reader(std::string_view bytes) : rest_(bytes) {}

  bool failed() const { return failed_; }
  bool atEnd() const { return rest_.empty(); }

  template <typename... Things> void operator()(Things &...things) { (get(things), ...); }

private:
  std::uint64_t number() {
    std::uint64_t value = 0;
    for (unsigned shift = 0; shift < 64; shift += 7) {
      if (rest_.empty())
        break;
      const auto byte = static_cast<unsigned char>(rest_.front());
      rest_.remove_prefix(1);
      value |= static_cast<std::uint64_t>(byte & 0x7f) << shift;
      if (byte < 0x80)
        return value;
    }
    failed_ = true;
    return 0;
  }
  /// Of things each of which takes a byte at least: a count cannot ask for more memory than there is reason to.
  std::size_t count() {
    const std::uint64_t value = number();
    failed_ |= value > rest_.size();
    return failed_ ? 0 : value;
  }
  void get(std::string &text) {
    const std::uint64_t known = number();
    if (failed_ || known > texts_.size()) {
      failed_ = true;
      return;
    }
    if (known == texts_.size()) {
      const std::size_t length = count();
      texts_.emplace_back(rest_.substr(0, length));
      rest_.remove_prefix(length);
    }
    // A short object may name one long text many times.
    expanded_ += texts_[known].size();
    failed_ |= expanded_ > kLongest;
    if (!failed_)
      text = texts_[known];
  }
  template <typename Item> void get(std::vector<Item> &items) {
    const std::size_t size = count();
    for (std::size_t i = 0; i < size && !failed_; ++i)
      get(items.emplace_back());
  }
  template <typename Thing> void get(Thing &thing) {
    if constexpr (std::is_same_v<Thing, Opcode>)
      thing = enumerator<Opcode>(kOpcodeCount);
    else if constexpr (std::is_same_v<Thing, Mode>)
      thing = enumerator<Mode>(kModeCount);
    else if constexpr (std::is_same_v<Thing, Type>)
      thing = enumerator<Type>(static_cast<std::size_t>(Type::Guard) + 1);
    else if constexpr (std::is_same_v<Thing, Terminator::Kind>)
      thing = enumerator<Terminator::Kind>(Terminator::Unreachable + 1);
    else if constexpr (std::is_same_v<Thing, std::int64_t>) {
      const std::uint64_t folded = number();
      thing = static_cast<std::int64_t>(folded >> 1) ^ -static_cast<std::int64_t>(folded & 1);
    } else if constexpr (std::is_same_v<Thing, bool>)
      thing = enumerator<unsigned>(2) != 0;
    else if constexpr (std::is_integral_v<Thing>) {
      const std::uint64_t value = number();
      failed_ |= value > kNone;
      thing = static_cast<Thing>(value) - 1;
    } else
      visit(*this, thing);
  }
  template <typename Enum> Enum enumerator(std::size_t size) {
    const std::uint64_t value = number();
    failed_ |= value >= size;
    return failed_ ? Enum{} : static_cast<Enum>(value);
  }

  static constexpr std::size_t kLongest = std::size_t{1} << 28;
  std::string_view rest_;
  std::vector<std::string> texts_;
  std::size_t expanded_ = 0;
  bool failed_ = false;
};

/// Goes through all references of a program, and remembers whether one leads nowhere.
class References {
public:
  explicit References(const Program &program) : program_(program) {}

  bool hold() {
    for (const Class &cls : program_.classes) {
      for (ClassId base : cls.bases)
        among(program_.classes, base);
      for (const FieldInfo &field : cls.fields)
        slot(field.slot);
      for (const std::vector<FunctionId> *list : {&cls.constructors, &cls.methods})
        for (FunctionId function : *list)
          among(program_.functions, function);
      optionally(program_.functions, cls.moveOverride);
      optionally(program_.functions, cls.call);
      source(cls.source);
    }
    for (const Function &code : program_.functions)
      function(code);
    for (FunctionId init : program_.globalInits)
      among(program_.functions, init);
    for (const Source &at : program_.sources) {
      optionally(program_.files, at.file);
      optionally(program_.functions, at.function);
      optionally(program_.classes, at.member);
    }
    return hold_;
  }

private:
  template <typename Things> void among(const Things &things, std::uint32_t id) { hold_ &= id < things.size(); }
  template <typename Things> void optionally(const Things &things, std::uint32_t id) {
    hold_ &= id == kNone || id < things.size();
  }
  void source(SourceId id) { hold_ &= program_.sources.empty() || id < program_.sources.size(); }
  void slot(const SlotInfo &slot) {
    optionally(program_.classes, slot.cls);
    source(slot.source);
  }

  void function(const Function &code) {
    hold_ &= code.paramCount <= code.slots.size();
    optionally(program_.classes, code.cls);
    slot(code.result);
    source(code.source);
    for (const SlotInfo &info : code.slots)
      slot(info);
    for (FunctionId base : code.overrides)
      among(program_.functions, base);
    for (const Block &block : code.blocks) {
      for (const Instruction &i : block.instructions)
        instruction(code, i);
      const Terminator &end = block.end;
      optionally(code.slots, end.slot);
      source(end.source);
      for (BlockId successor : end.successors)
        among(code.blocks, successor);
      hold_ &= end.kind != Terminator::Branch || end.successors.size() == 2;
    }
  }

  void instruction(const Function &code, const Instruction &i) {
    optionally(code.slots, i.dest);
    source(i.source);
    for (const Operand &operand : i.args) {
      optionally(code.slots, operand.slot);
      source(operand.source);
    }
    const bool isOfFunctions = i.opcode == Opcode::Call || (i.flags & kGuess);
    for (std::uint32_t target : i.targets)
      if (isOfFunctions)
        among(program_.functions, target);
      else
        optionally(program_.classes, target);
    hold_ &= !isOfFunctions || !i.targets.empty();
    hold_ &= i.args.size() >= neededBy(i.opcode) && takes(i.opcode, i.mode);
  }

  /// Operands that the engine takes for granted.
  static std::size_t neededBy(Opcode opcode) {
    switch (opcode) {
    case Opcode::Assign:
    case Opcode::Element:
      return opcode == Opcode::Assign ? 2 : 1;
    case Opcode::Field:
    case Opcode::Copy:
    case Opcode::Clone:
    case Opcode::Cast:
      return 1;
    default:
      return 0;
    }
  }

  const Program &program_;
  bool hold_ = true;
};

} // namespace

std::string fault(const Program &program) {
  return References(program).hold() ? std::string() : "it refers to what is not there";
}

std::string write(const Program &program) {
  Writer writer;
  std::uint32_t version = vocabulary();
  writer(version, const_cast<Program &>(program)); // nothing is written to: one description serves both directions
  return std::move(writer.out);
}

std::optional<Program> read(std::string_view bytes, std::string &error) {
  if (bytes.substr(0, kMagic.size()) != kMagic) {
    error = "it holds no facts";
    return std::nullopt;
  }
  Reader reader(bytes.substr(kMagic.size()));
  std::uint32_t version = 0;
  reader(version);
  if (reader.failed() || version != vocabulary()) {
    error = "another version wrote it";
    return std::nullopt;
  }
  Program program;
  reader(program);
  error = reader.failed() || !reader.atEnd() ? "it is damaged" : fault(program);
  return error.empty() ? std::optional(std::move(program)) : std::nullopt;
}

} // namespace samedevice::facts
