// The torch and CUDA names we know, in one table. A scope is a class or namespace inside the torch family
// ("Tensor", "nn::Module", "cuda"; empty for at::, torch::, c10:: themselves), "std" or "C".
#pragma once

#include "../facts/Program.h"

#include <string_view>

namespace samedevice::clangfront {

enum class Meaning {
  None,
  Ignore,      ///< nothing that matters to devices: no effect, unknown result
  Downcast,    ///< the object (or first argument) where it is of the class that is asked for
  Transparent, ///< the object (or first argument) itself
  // Tensors.
  MoveTo,     ///< to(...): whatever overload
  MoveDevice, ///< cuda(), cpu(): the device is the text
  MoveLike,   ///< type_as
  Begin,
  Size,
  IsEmpty,
  View,
  PinMemory,
  OptionsOf,
  DeviceOf,
  IsCuda,
  IsCpu,
  IsPinned,
  IsDefined,
  IsTensor, ///< of what may hold one
  SetData,
  Pointer,
  Data, ///< data(): a tensor, or with a template argument a pointer
  Accessor,
  Index,
  IndexPut,
  Operation, ///< by default for everything that takes tensors
  // Making tensors.
  FromBlob,
  Factory,
  // Options.
  OptionsDevice,
  OptionsPlain,
  OptionsPinned,
  OptionsIndex,
  // Modules.
  MoveModule,
  Register,
  Unregister,
  Parameters,
  Clone,
  Load,
  ArchiveLoad,
  Save,
  Apply, ///< apply(f): f runs on the module and everything below
  ScriptLoad,
  Forward,
  Append, ///< push_back, append: into a container module
  Insert,
  Extend,
  EmplaceBack,
  ElementAt,
  OptimizerStep,
  ParameterGroups,
  MapSet,          ///< set.map(transform): batches of the one, changed by the other
  MakeLoader,      ///< make_data_loader(set)
  SaveForBackward, ///< context->save_for_backward(tensors)
  SavedForBackward,
  Gradients, ///< autograd::grad(outputs, inputs): one for each input, where that is
  // Machine.
  Available,
  DeviceCount,
  SetDevice,
  ExchangeDevice, ///< sets the device, gives the one before
  CurrentDevice,
  GetDevice, ///< cudaGetDevice(&d)
  CurrentStream,
  SetStream,
  WaitEvent,
  RecordEvent,
  Synchronize,
  GuardSet,       ///< guard.set_device(d), reset_device
  GuardEnd,       ///< guard.reset()
  Allocate,       ///< cudaMalloc(&p, ...): the mode is the kind of memory
  AllocateResult, ///< p = malloc(...)
  Memcpy,
  MatrixCopy, ///< cublasSetMatrix and its kind
  MemcpyPeer,
  MemcpyToSymbol,
  PageLock,          ///< cudaHostRegister(p, ..)
  RawPointer,        ///< thrust::raw_pointer_cast
  PointerAttributes, ///< cudaPointerGetAttributes(&a, p)
  Launch,
  DeviceUse,
  DeviceGenerator, ///< curandCreateGenerator(&g, ..): what g makes goes to device memory
  HostRead,
  HostWrite,
};

struct Word {
  std::string_view scope, name;
  Meaning meaning = Meaning::None;
  std::string_view text = {};
  facts::Mode mode = facts::Mode::None;

  constexpr Word(std::string_view scope, std::string_view name, Meaning meaning, std::string_view text = {})
      : scope(scope), name(name), meaning(meaning), text(text) {}
  constexpr Word(std::string_view scope, std::string_view name, Meaning meaning, facts::Mode mode)
      : scope(scope), name(name), meaning(meaning), mode(mode) {}
};

/// The entry for a name, or nullptr. Prefix families (cblas_, cublas) are resolved too.
const Word *findWord(std::string_view scope, std::string_view name);

/// Torch's own modules without parameters and buffers, by class name without "Impl".
bool isStateless(std::string_view module);

} // namespace samedevice::clangfront
