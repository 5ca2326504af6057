// What the analysis knows of a value: where it lives, what it refers to, and how it came to be.
#pragma once

#include "../facts/Program.h"
#include "Recency.h"

#include <compare>
#include <cstdint>
#include <string>

namespace samedevice::analysis {

using facts::SourceId;

using SymbolId = std::uint32_t; ///< 0: none

/// Where something lives. A Symbol is "the device of ...": unknown, but one and the same wherever it flows.
struct DeviceValue {
  enum Kind : std::uint8_t { Unknown, Cpu, Cuda, Symbol, Other };
  Kind kind = Unknown;
  std::int16_t index = -1; ///< of a Cuda device; -1: not known
  SymbolId symbol = 0;

  static DeviceValue cpu() { return {Cpu, -1, 0}; }
  static DeviceValue cuda(int index) { return {Cuda, static_cast<std::int16_t>(index), 0}; }
  static DeviceValue of(SymbolId symbol) { return {Symbol, -1, symbol}; }
  bool known() const { return kind == Cpu || kind == Cuda || kind == Other; }
  friend auto operator<=>(const DeviceValue &, const DeviceValue &) = default;
};

/// One step in the story of a value; a value points to its last one. Shared and never changed.
struct Event {
  enum Kind : std::uint8_t {
    CreatedByDefault, ///< a factory without a device
    CreatedOn,        ///< a factory with a device
    CreatedLike,      ///< on the device of another tensor
    Parameter,        ///< given by the caller
    Batch,            ///< handed out by a DataLoader
    Computed,         ///< result of an operator or a module
    ModuleCreated,
    Moved, ///< a tensor moved
    ModuleMoved,
    Registered, ///< registered, pushed or replaced in a parent
    Stored,     ///< put into a member or a container
    Loaded,     ///< restored from a file
    PointerTaken,
    Wrapped, ///< from_blob
    Allocated,
    CopiedAsync,
    OptimizerBuilt,
    OptimizerStepped,
    Chosen,      ///< a device value
    Called,      ///< a call on the way from the cause to the failure
    Returned,    ///< handed out by a function: a value that began in it
    Guarded,     ///< a device guard is installed
    OptionsMade, ///< options that name no device
    Kept,        ///< what the first call left for the later ones
  };
  Kind kind;
  SourceId at;      ///< the whole expression
  SourceId subject; ///< what it is about
  SourceId target;  ///< the device expression, where there is one
  DeviceValue device;
  const Event *previous;
  std::uint32_t function; ///< the function it happens in
  std::uint32_t order;    ///< when it was first seen
};

/// Where a story begins; nullptr when there is none.
inline const Event *beginning(const Event *story) {
  while (story && story->previous && story->previous->kind != Event::OptionsMade)
    story = story->previous;
  return story;
}
/// Whether that is one of the steps of a story; no step is none.
inline bool hasStep(const Event *story, const Event *step) {
  while (story && story != step)
    story = story->previous;
  return story;
}
/// The last step of this kind; nullptr when there is none.
inline const Event *latest(const Event *story, Event::Kind kind) {
  while (story && story->kind != kind)
    story = story->previous;
  return story;
}

struct Value {
  enum Kind : std::uint8_t {
    Unknown,
    Null,
    Tensor,
    Device,
    Options, ///< `device` counts only with kHasDevice
    Pointer,
    Bool, ///< number 0/1 when kConstant; else a symbol (maybe negated), or nothing known
    Int,
    String,
    Reference, ///< the place (object, index)
    Object,    ///< the module, record, list, closure or optimizer `object`
    Guard,     ///< `device`: the current device to go back to
  };
  enum Flag : std::uint32_t {
    kRank0 = 1 << 0,
    kPinned = 1 << 1,
    kHasDevice = 1 << 2,
    kConstant = 1 << 3,
    kNegated = 1 << 4,
    kFresh = 1 << 5,      ///< a temporary of its own memory, made by a move to the host
    kDangling = 1 << 6,   ///< pointer into such a temporary
    kLiteral = 1 << 7,    ///< device: written as a literal here, not chosen at run time
    kNoIndex = 1 << 8,    ///< device: cuda without an index: the current one
    kIsCudaTest = 1 << 9, ///< Bool: "symbol is CUDA"
    kIsCpuTest = 1 << 10,
    kSameTest = 1 << 11,   ///< Bool: the devices `symbol` and `device` are one
    kManaged = 1 << 12,    ///< pointer: good on both sides
    kHostMemory = 1 << 13, ///< pointer: memory of the host's own, not of a tensor
    kUploading = 1 << 14,  ///< pinned memory that an asynchronous copy to a GPU may still be reading
    kCounted = 1 << 15,    ///< Int: of a loop with few turns, each of which is followed
    kAnything = 1 << 16,   ///< Tensor: what a script hands out, which may as well be several, or none
    kEmpty = 1 << 17,      ///< Tensor: without elements, until something comes in its place
    kHandedIn = 1 << 19,   ///< Options: as a whole, with a device or without
    kPinnedTest = 1 << 20, ///< Bool: the tensor at (object, index) is in page-locked memory
    kNotThePart = 1 << 18, ///< Bool: the opposite of the part of a condition that it was made of
    kOfTensor = 1 << 22,   ///< Options: all that a tensor has, its type as well
    kOfSize = 1 << 23,     ///< Int: made of sizes, or of an enumeration: it says nothing of a device
    kOfDevice = 1 << 24,   ///< Int: computed from `device`, or from the number of that GPU
    kOfChoice = 1 << 28,   ///< Int: a constant, the number of a GPU on this path: another path has another
    kBegins = 1 << 25,     ///< String: it begins with the text `number`, and goes on
    kAlike = 1 << 27,      ///< Tensor: what several results of an operator have in common, their dimensions, too;
                           ///< Reference: to what is put under a key that nobody can read, beside others
    kOfPool = 1 << 26,     ///< Device, of a stream: one of torch's pool, which is not the default one
    kWasCurrent = 1 << 29, ///< Device, of a stream: the one that was current when `trail` asked, none of the pool known
    kJustLearnt = 1 << 21, ///< Device, as a fact: by the function that was asked last
  };
  static constexpr std::uint32_t kSomewhere =
      0xffff; ///< top: joined paths disagree on an iterator's position, or on which object it is

  Kind kind = Unknown;
  std::uint8_t dims = 0; ///< Tensor: it has at least so many dimensions
  std::uint32_t flags = 0;
  DeviceValue device;
  ObjectId object = 0;     ///< Tensor: the registered cell that knows its device
  std::uint32_t index = 0; ///< Reference: of the place; String: the symbol of the number that it ends with, if any
  SymbolId symbol = 0;
  SymbolId whole = 0;      ///< Bool: names the longer condition that it is part of, and what it says of that
  std::int64_t number = 0; ///< Int and Bool constants; String: the interned text
  ObjectId pending = 0;    ///< the asynchronous copy that may still be writing (or reading) it
  ObjectId memory = 0;     ///< Tensor, Pointer: the page-locked memory that it looks into; 0: not followed
  const Event *trail = nullptr;

  bool has(Flag flag) const { return flags & flag; }
  void set(Flag flag, bool on = true) { flags = on ? (flags | flag) : (flags & ~flag); }

  /// This is a view of a tensor, or a pointer into it: it shares what is known of the memory.
  void lookInto(const Value &whole) {
    pending = whole.pending;
    memory = whole.memory;
    set(kPinned, whole.has(kPinned));
    set(kUploading, whole.has(kUploading));
  }

  static Value of(Kind kind) {
    Value value;
    value.kind = kind;
    return value;
  }
  static Value constant(Kind kind, std::int64_t number) {
    Value value = of(kind);
    value.set(kConstant);
    value.number = number;
    return value;
  }
};

/// A number that says nothing of a device: one that is written there, or of sizes.
inline bool isOfSizes(const Value &v) {
  return v.kind == Value::Int && (v.has(Value::kConstant) || v.has(Value::kOfSize));
}

/// The latest of what an instruction makes, and the summary of what it made before.
inline bool isTwin(const Value &a, const Value &b) {
  return a.kind == Value::Object && b.kind == Value::Object && a.object != b.object &&
         areOfOneMaking(a.object, b.object) && !a.has(Value::kConstant);
}

/// Equal in what they mean, however they came about.
inline bool sameMeaning(const Value &a, const Value &b) {
  return a.kind == b.kind && a.dims == b.dims && a.flags == b.flags && a.device == b.device && a.object == b.object &&
         a.index == b.index && a.symbol == b.symbol && a.whole == b.whole && a.number == b.number &&
         a.pending == b.pending && a.memory == b.memory;
}
/// A number that stands for what a value means: equal for equal meanings and, as far as anyone will ever see, for no
/// others.
inline std::uint64_t meaningOf(const Value &v) {
  auto pair = [](std::uint64_t low, std::uint64_t high) { return low | high << 32; };
  const std::uint64_t parts[] = {
      pair(v.kind | v.dims << 8 | static_cast<std::uint32_t>(v.device.kind) << 16, v.flags),
      pair(static_cast<std::uint16_t>(v.device.index), v.device.symbol),
      pair(v.object, v.index),
      pair(v.symbol, v.whole),
      static_cast<std::uint64_t>(v.number),
      pair(v.pending, v.memory),
  };
  std::uint64_t all = 0;
  for (std::uint64_t part : parts) {
    all = (all ^ part) * 0x9e3779b97f4a7c15ULL;
    all ^= all >> 29;
  }
  return all;
}
/// Bits for the objects, copies and memory that a value mentions.
constexpr std::uint64_t mentionOf(ObjectId id) { return id ? std::uint64_t{1} << (id * 0x9e3779b1u >> 26) : 0; }
inline std::uint64_t mentionsOf(const Value &v) {
  return mentionOf(v.object) | mentionOf(v.pending) | mentionOf(v.memory);
}
inline bool identical(const Value &a, const Value &b) { return a.trail == b.trail && sameMeaning(a, b); }

} // namespace samedevice::analysis
