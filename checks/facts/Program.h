// The vocabulary every layer shares: what a translation unit does to devices, tensors and modules,
// with everything else forgotten. Front ends write it, the analysis reads it; neither knows the other.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace samedevice::facts {

/// Opaque to everyone but the front end that handed it out; 0 means "nowhere".
using SourceId = std::uint32_t;
/// A parameter, local variable or temporary of one function.
using Slot = std::uint32_t;
using FunctionId = std::uint32_t;
using ClassId = std::uint32_t;
using BlockId = std::uint32_t;
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
  bool own = false;           ///< member: a structure or list by value, copied with what holds it
  bool ownElements = false;   ///< List, pair or tuple: its elements are such
  bool reference = false;     ///< a C++ reference (or pointer) to the place, not a value of its own
  bool readOnly = false;      ///< const reference: the callee cannot rebind it; const member: nobody can
  SourceId source = 0;
};

enum class Opcode : std::uint8_t {
  // Values and places. `d` is the destination, a, b the arguments. An argument that names a place is
  // followed to its value wherever a value is needed.
  Unknown,   ///< d = anything its type allows
  Const,     ///< d = number (Int, Bool) or text (String)
  Null,      ///< d = nullptr, nullopt, an undefined tensor, an empty holder
  Copy,      ///< d = a            the value; handles (modules, smart pointers) still share their object
  Clone,     ///< d = copy of record a, member by member
  Cast,      ///< d = a where it is of class targets[0], else Null
  Bind,      ///< d is another name of place a (C++ reference, address-of)
  Assign,    ///< place a = value b; text contents: the structure or container a takes over what b holds
  Field,     ///< d is the place a.text
  Element,   ///< d is the place a[b]; b may be missing (any element, *iterator, back())
  Global,    ///< d is the place of the global named text
  Object,    ///< d = new record or module of class targets[0], nothing constructed yet
  List,      ///< d = list of the arguments, in order
  ListAdd,   ///< a.push_back(b), insert, emplace; without b: there is room for elements (number: so many, 0: nobody
             ///< knows) that come into being when they are gone to; text others: another thread may fill an empty one
  ListClear, ///< a.clear()
  ListDrop,  ///< a loses an element; text: the one at its front or back
  Size,      ///< d = a.size(), an Int; of a tensor: how many elements it has, or one of its sizes
  Iterate, ///< d = iterator at the first element of a (begin(), or the index 0 of a loop up to a.size()); text key: at
           ///< the element with key b, or at the end
  Advance, ///< iterator place a moves on by one; so does the counter of a loop with few turns
  HasNext, ///< d = iterator a is not at the end. Element takes an iterator as list, or as index
  // Devices and options.
  Device,        ///< d = literal device text: cpu, cuda, cuda:1, or another type
  DeviceMake,    ///< d = Device(type a, index b)
  DeviceParse,   ///< d = Device(string a)
  DeviceOf,      ///< d = device of tensor, options, device, or of a module's parameters a
  CurrentDevice, ///< d = the CUDA device that is current (as a Device or as an index)
  Options,       ///< d = options with device a; without a: no device set. flag Pinned; if bool b, where there is one
  OptionsWith,   ///< d = options a with device b. flag Pinned; if bool c, where there is one
  OptionsOf,     ///< d = options of tensor a (device set)
  // Tensors.
  New,     ///< d = factory text (options or device a, or none). flags Rank0, RankN (number: so many at least), Pinned
  Like,    ///< d = tensor where a lives; options b, when they carry a device, win
  Move,    ///< d = a moved to b (device, options or another tensor). flags NonBlocking, Discarded
  View,    ///< d = tensor made of a alone, on the same device (views, casts, contiguous, clone)
  Op,      ///< d = operator text(arguments, named as in ops.tsv). flag Method. number: how many dimensions a reduction
           ///< or an index takes away, as far as that is written
  SetData, ///< a.set_data(b): the tensor object itself changes its device
  // Modules.
  Module,        ///< d = new torch module of class text ("Linear", "Sequential", ..); arguments: children, or
                 ///< named tensors that its options hold (weight). flag Stateless: no parameters, no buffers
  Register,      ///< d = b registered in module a under name c (may be missing). text: module, parameter,
                 ///< buffer, replace, push
  Unregister,    ///< module a forgets the child named b
  MoveModule,    ///< a.to(b), in place, everything registered. flag NonBlocking
  CloneModule,   ///< d = deep copy of a, on device b if there is one
  LoadState,     ///< torch::load into a (module, tensor, optimizer), onto device b if there is one
  SaveState,     ///< torch::save of a: its devices are recorded
  LoadScript,    ///< d = torch::jit::load onto device a if there is one
  Forward,       ///< d = a(arguments...): torch's own module, a script module, a container. text: the method
  Parameters,    ///< d = list of parameters (and buffers) of a. text: parameters, buffers, children
  Optimizer,     ///< d = optimizer over a (parameters)
  OptimizerAdd,  ///< a takes the parameters b as well
  OptimizerStep, ///< a.step()
  // Memory.
  Pointer,       ///< d = address of tensor or list a's memory. flag OfTemporary: the tensor dies with the statement
  PointerOffset, ///< d = a moved by some elements
  HostRead,      ///< the host reads or writes memory behind a (pointer or tensor). text: by what. flag Write
  HostView,      ///< d = host object over pointer a (cv::Mat, Eigen::Map): read once d is used; text: by what
  DeviceUse,     ///< a kernel or a CUDA library reads pointer a, or those in record a. text: by what
  Allocate,      ///< d = memory: text host, device, pinned, managed, symbol
  PageLock,      ///< the host memory behind pointer a may from now on be used by devices, too (cudaHostRegister)
  FromBlob,      ///< d = tensor over pointer a with options b (or none)
  Memcpy,        ///< copy a (destination) from b. text: host-to-device, ... or default. flag NonBlocking
  // Control.
  Guard,         ///< d = guard for a (device, tensor, index, stream): current device until End d
  SetDevice,     ///< cudaSetDevice(a); without a, what a new thread begins with
  CurrentStream, ///< d = current stream
  Launch,        ///< a kernel is launched. flag CallersStream: on a stream that was handed in
  Synchronize,   ///< the host waits for the device
  End,           ///< slot a's lifetime is over
  Call,          ///< d = one of targets(arguments); methods get `this` first
  CallValue,     ///< d = a(arguments...): a lambda or std::function
  CallUnknown,   ///< d = unseen function text; what it may write to is havocked. targets: the class whose method it is
  // Conditions.
  IsCuda, ///< d = a (tensor, device, options) is on CUDA
  IsCpu,
  SameDevice, ///< d = a's device == b's device
  Available,  ///< d = torch::cuda::is_available()
  Not,
  Compare,   ///< d = a <text> b, on Ints and Strings
  IsDefined, ///< d = a is not Null; text tensor: what may hold one does
  Part,      ///< d = a, which is part of a longer condition, of `&&` and `||`. text: what is then known of the whole,
             ///< where a holds and where it does not: yes, no or open each, as in "open no" for the first of an `&&`
};

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
  kShared = 1u << 11,    ///< Device: written once for many places, in a macro
  kEmpty = 1u << 12,     ///< a tensor without elements: something is to come in its place
};

struct Operand {
  Slot slot = kNone;     ///< kNone: left out
  SourceId source = 0;   ///< the expression as written
  std::string name;      ///< the parameter's name, where it has one that matters
  bool mayWrite = false; ///< CallUnknown: passed by non-const reference or pointer. List, ListAdd: kept as a pointer
};

struct Instruction {
  Opcode opcode = Opcode::Unknown;
  Slot dest = kNone;
  std::vector<Operand> args;
  std::string text;
  std::int64_t number = 0;
  std::vector<std::uint32_t> targets; ///< functions (Call) or the class (Object)
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
  ClassId cls = kNone; ///< the class it is a method, constructor or lambda body of
  Slot paramCount = 0; ///< slots [0, paramCount) are the parameters, `this` first
  std::vector<SlotInfo> slots;
  std::vector<Block> blocks; ///< blocks[0] is the entry; none: declared only
  SlotInfo result;
  bool isConstructor = false;
  bool isDestructor = false;
  bool isStatic = false;  ///< class-static or internal linkage
  bool isEntry = false;   ///< main, or bound to Python / the dispatcher: called from outside
  bool isGuarded = false; ///< runs with the device of its tensors current: an autograd backward
  bool isPrivate = false; ///< only its class calls it: private, protected, reset() of a Cloneable
  SourceId source = 0;
};

struct FieldInfo {
  SlotInfo slot;
};

struct Class {
  std::string name;
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

struct Program {
  std::vector<Function> functions;
  std::vector<Class> classes;
  FunctionId globalInit = kNone; ///< runs the initializers of globals, before anything else
  bool mentionsDevices = false;  ///< user code names a device somewhere: it is not CPU-only

  bool isLambda(const Function &function) const {
    return function.cls < classes.size() && classes[function.cls].isLambda;
  }
};

} // namespace samedevice::facts
