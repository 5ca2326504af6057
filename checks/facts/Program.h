// The vocabulary every layer shares: what a translation unit does to devices, tensors and modules,
// with everything else forgotten. Front ends write it, the analysis reads it; neither knows the other.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

namespace samedevice::facts {

/// A place in the user's text: an index into Program::sources, where these are told; 0 means "nowhere".
using SourceId = std::uint32_t;
/// A parameter, local variable or temporary of one function.
using Slot = std::uint32_t;
using FunctionId = std::uint32_t;
using ClassId = std::uint32_t;
using BlockId = std::uint32_t;
/// Of libtorch's headers, 206 for 2.6; 0: not known.
using TorchVersion = std::uint32_t;
inline constexpr std::uint32_t kNone = ~std::uint32_t{0};

/// What a slot or field can hold, as far as devices are concerned. Pointers, references, holders, smart
/// pointers and optionals are transparent: they have the type of what they lead to.
enum class Type : std::uint8_t {
  Other,
  Tensor,
  Module,  ///< an nn::Module of a known class (`cls`) or of torch's own
  Device,  ///< Device and DeviceType
  Options, ///< TensorOptions
  Pointer, ///< raw memory: float*, void*
  Bool,
  Int,
  String,
  Record, ///< a class of the user's that is no module, a pair or a tuple, a lambda
  List,   ///< vector, array, map, initializer_list, ArrayRef, an iterator over one
  Optimizer,
  Guard,
};

struct SlotInfo {
  std::string name; ///< as the user wrote it; empty for temporaries
  Type type = Type::Other;
  ClassId cls = kNone;        ///< for Module and Record
  Type element = Type::Other; ///< for List: what it holds
  bool own = false;           ///< member, parameter: a structure or list by value, copied with what holds it
  bool ownElements = false;   ///< List, pair or tuple: its elements are such
  bool reference = false;     ///< a C++ reference (or pointer) to the place, not a value of its own
  bool readOnly = false;      ///< const reference: the callee cannot rebind it; const member: nobody can
  bool isPlain = false;       ///< Int, member or parameter: no GPU's number, but a named value, a size, a length
  SourceId source = 0;

  /// The object of a method goes by this name, in whatever language.
  bool isSelf() const { return name == "this"; }
};

enum class Opcode : std::uint8_t {
#define OPCODE(name, text, group, effect) name,
#include "Opcodes.def"
};

/// Which of a few kinds of an instruction is meant, where its opcode has some.
enum class Mode : std::uint8_t {
  None,
#define MODE(name, text) name,
#include "Modes.def"
};

/// Whether an element is meant by its key: to be found, or to be put in.
constexpr bool isByKey(Mode mode) { return mode == Mode::Key || mode == Mode::Put; }

/// What is known of a longer condition once one of its parts is.
enum class Answer : std::uint8_t { Yes, No, Open };
constexpr Mode partMode(Answer ifTrue, Answer ifFalse) {
  return static_cast<Mode>(static_cast<unsigned>(Mode::YesYes) + 3 * static_cast<unsigned>(ifTrue) +
                           static_cast<unsigned>(ifFalse));
}
constexpr Answer answerOf(Mode part, bool truth) {
  const unsigned both = static_cast<unsigned>(part) - static_cast<unsigned>(Mode::YesYes);
  return static_cast<Answer>(truth ? both / 3 : both % 3);
}

enum Flag : std::uint32_t {
  kNonBlocking = 1u << 0,
  kDiscarded = 1u << 1, ///< the result is dropped where it stands
  kRank0 = 1u << 2,     ///< zero-dimensional for certain
  kRankN = 1u << 3,     ///< at least one dimension for certain
  kPinned = 1u << 4,
  kMethod = 1u << 5,
  kStateless = 1u << 6,
  kOfTemporary = 1u << 7,
  kWrite = 1u << 8,
  kCallersStream = 1u << 9,
  kKeepsRank = 1u << 10, ///< a reduction that leaves a dimension of one element behind
  kShared = 1u << 11,    ///< Device: written once for many places, in a macro or a named constant
  kEmpty = 1u << 12,     ///< a tensor without elements: something is to come in its place
  kGuarded = 1u << 13,   ///< DeviceUse: by a function that makes a device current itself
  kVirtual = 1u << 14,   ///< Call: of targets[0] or of what overrides it, here or in other files
  kGuess = 1u << 15,     ///< what targets[0] may be taken to do as long as nobody has its body
  kOwnName = 1u << 16,   ///< Global, IsMade: no other file means the same by this name
  kBatch = 1u << 17,     ///< New: a batch of a data loader's
  kDraws = 1u << 18,     ///< Op: generator b fills tensor a, on behalf of the operator that text names
  kPlain = 1u << 19,     ///< Unknown: a number that is no device's, whatever it is, as that of an enumeration
  kUntold = 1u << 20,    ///< Element, Iterate: the key has parts that facts leave out, as pointers and handles
  kThread = 1u << 21,    ///< Call, CallValue: in a thread of its own; who starts it goes on, also if that never ends
  kOmitted = 1u << 22,   ///< Device, DeviceMake, DeviceParse, Call: for an argument that a call leaves out
  kLastFlag = kOmitted,
};

/// How many GPUs there are: the name of a global that nobody defines.
inline constexpr char kNumberOfGpus[] = "torch::cuda::device_count()";

struct Operand {
  Slot slot = kNone;     ///< kNone: left out
  SourceId source = 0;   ///< the expression as written
  std::string name;      ///< the parameter's name, where it has one that matters
  bool mayWrite = false; ///< CallUnknown: passed by non-const reference or pointer. List, ListAdd: kept as a pointer.
                         ///< Launch, OnStream: memory that may be written to
};

struct Instruction {
  Opcode opcode = Opcode::Unknown;
  Mode mode = Mode::None;
  Slot dest = kNone;
  std::vector<Operand> args;
  std::string text; ///< a name: of a member, a function, an operator, a device; or a text that is written there
  std::int64_t number = 0;
  std::vector<std::uint32_t> targets; ///< functions (Call, and what kGuess stands for) or the class (the others)
  std::uint32_t flags = 0;
  SourceId source = 0;
};

struct Terminator {
  enum Kind : std::uint8_t { Jump, Branch, Any, Return, Unreachable } kind = Unreachable;
  Slot slot = kNone;               ///< Branch: the condition (kNone: unknown). Return: the value
  std::vector<BlockId> successors; ///< Branch: taken when true, then when false. Any: one of these
  SourceId source = 0;
};

struct Block {
  std::vector<Instruction> instructions;
  Terminator end;
};

struct Function {
  std::string name;    ///< qualified, as the user would say it
  std::string link;    ///< by which other files know it; empty: they cannot
  ClassId cls = kNone; ///< the class it is a method, constructor or lambda body of
  Slot paramCount = 0; ///< slots [0, paramCount) are the parameters, `this` first
  std::vector<SlotInfo> slots;
  std::vector<Block> blocks; ///< blocks[0] is the entry; none: declared only
  SlotInfo result;
  bool isConstructor = false;
  bool isDestructor = false;
  bool isStatic = false;    ///< class-static or internal linkage
  bool isEntry = false;     ///< main, or bound to Python / the dispatcher: called from outside
  bool isGuarded = false;   ///< runs with the device of its tensors current: an autograd backward
  bool isForCuda = false;   ///< the dispatcher calls it for tensors of which one at least is on CUDA
  bool isPrivate = false;   ///< only its class calls it: private, protected, reset() of a Cloneable
  bool isElsewhere = false; ///< declared here only; if there are blocks, they are a guess at what is in another file
  std::vector<FunctionId> overrides; ///< methods of bases, themselves declared only as often as not
  std::vector<std::string> boundAs;  ///< names by which Python or the dispatcher calls it
  SourceId source = 0;

  /// Where a program begins, as against what others call.
  bool isMain() const { return isEntry && name == "main"; }
  bool isBound() const { return isEntry && name != "main"; }
};

struct FieldInfo {
  SlotInfo slot;
};

struct Class {
  std::string name;
  std::string link; ///< as of functions
  bool isModule = false;
  bool isLambda = false;
  std::vector<ClassId> bases; ///< the user's own base classes
  std::vector<FieldInfo> fields;
  std::vector<FunctionId> constructors;
  std::vector<FunctionId> methods;
  FunctionId moveOverride = kNone; ///< the user's own override of Module::to(device)
  FunctionId call = kNone;         ///< lambda body, operator(), or forward of a module
  SourceId source = 0;
};

/// A place, and what words about it need to know: enough to tell of it without the front end that made it.
struct Source {
  std::uint32_t file = kNone; ///< index into Program::files
  std::uint32_t line = 0, column = 0;
  FunctionId function = kNone; ///< whose body it stands in
  ClassId member = kNone;      ///< a member of the object at hand, of this class
  std::string name;            ///< what the user calls it: the variable or member that it is, or is put into
  std::string label;           ///< the variable or member that what is made here is put into
  std::string madeAs;          ///< "torch::nn::Linear(8, 3)", where it is made in so many words
  std::string callee;          ///< what is called here, as written
  bool isLaunch = false;       ///< of a kernel
};

struct Program {
  std::vector<Function> functions;
  std::vector<Class> classes;
  std::vector<FunctionId> globalInits; ///< run the initializers of globals, a file each, before anything else
  bool mentionsDevices = false;        ///< user code names a device somewhere: it is not CPU-only
  bool isUnfinished = false;           ///< it has errors: what is not here may be missing
  TorchVersion torch = 0;              ///< whose rules operators follow; 0: the newest's
  std::vector<std::string> files;
  std::vector<Source> sources; ///< index = SourceId; empty where the front end answers for itself

  bool isGlobalInit(FunctionId function) const {
    return std::find(globalInits.begin(), globalInits.end(), function) != globalInits.end();
  }
  /// Whether a class is another one, or an heir of it.
  bool derivesFrom(ClassId cls, ClassId base, int depth = 0) const {
    if (cls == base)
      return true;
    if (cls >= classes.size() || depth > 8)
      return false;
    const std::vector<ClassId> &bases = classes[cls].bases;
    return std::any_of(bases.begin(), bases.end(),
                       [&](ClassId parent) { return derivesFrom(parent, base, depth + 1); });
  }
  bool isLambda(const Function &function) const {
    return function.cls < classes.size() && classes[function.cls].isLambda;
  }
};

} // namespace samedevice::facts
