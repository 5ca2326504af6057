#include "Vocabulary.h"

#include <string>
#include <unordered_map>
#include <unordered_set>

namespace samedevice::clangfront {

namespace {

using M = Meaning;

// clang-format off
constexpr Word words[] = {
    // Tensors: what moves.
    {"Tensor", "to", M::MoveTo},
    {"Tensor", "cuda", M::MoveDevice, "cuda"},
    {"Tensor", "cpu", M::MoveDevice, "cpu"},
    {"Tensor", "xpu", M::MoveDevice, "xpu"},
    {"Tensor", "hip", M::MoveDevice, "hip"},
    {"Tensor", "ve", M::MoveDevice, "ve"},
    {"Tensor", "vulkan", M::MoveDevice, "vulkan"},
    {"Tensor", "metal", M::MoveDevice, "metal"},
    {"Tensor", "type_as", M::MoveLike},
    {"Tensor", "set_data", M::SetData},
    // Tensors: the same memory or a copy, on the same device.
    {"Tensor", "contiguous", M::View},
    {"Tensor", "expect_contiguous", M::View},
    {"Tensor", "clone", M::View},
    {"Tensor", "detach", M::View},
    {"Tensor", "detach_", M::View},
    {"Tensor", "variable_data", M::View},
    {"Tensor", "tensor_data", M::View},
    {"Tensor", "alias", M::View},
    {"Tensor", "requires_grad_", M::View},
    {"Tensor", "set_requires_grad", M::View},
    {"Tensor", "toType", M::View},
    {"Tensor", "toDense", M::View},
    {"Tensor", "to_dense", M::View},
    {"Tensor", "to_sparse", M::View},
    {"Tensor", "grad", M::View},
    {"Tensor", "mutable_grad", M::View},
    {"Tensor", "data", M::Data},
    {"Tensor", "pin_memory", M::PinMemory},
    {"Tensor", "unsafeGetTensorImpl", M::Transparent},
    {"Tensor", "getIntrusivePtr", M::Transparent},
    {"Tensor", "unsafeReleaseTensorImpl", M::Transparent},
    {"Tensor", "storage", M::Transparent},
    {"Tensor", "getTensorRef", M::Transparent},
    // Tensors: where they are.
    {"Tensor", "options", M::OptionsOf},
    {"Tensor", "device", M::DeviceOf},
    {"Tensor", "get_device", M::DeviceOf},
    {"Tensor", "is_cuda", M::IsCuda},
    {"Tensor", "is_cpu", M::IsCpu},
    {"Tensor", "defined", M::IsDefined},
    // Tensors: their memory.
    {"Tensor", "data_ptr", M::Pointer},
    {"Tensor", "const_data_ptr", M::Pointer},
    {"Tensor", "mutable_data_ptr", M::Pointer},
    {"Tensor", "accessor", M::Accessor},
    {"Tensor", "packed_accessor", M::Ignore},
    {"Tensor", "packed_accessor32", M::Ignore},
    {"Tensor", "packed_accessor64", M::Ignore},
    {"Tensor", "generic_packed_accessor", M::Ignore},
    {"Tensor", "index", M::Index},
    {"Tensor", "index_put_", M::IndexPut},
    {"Tensor", "backward", M::Ignore},
    {"Tensor", "register_hook", M::Ignore},
    {"Tensor", "print", M::Ignore},
    {"Storage", "data", M::Pointer},
    {"Storage", "unsafe_data", M::Pointer},
    {"Storage", "data_ptr", M::Pointer},
    {"Storage", "mutable_data", M::Pointer},
    {"Storage", "device", M::DeviceOf},
    {"DataPtr", "get", M::Transparent},
    {"DataPtr", "mutable_get", M::Transparent},
    // What a script call returns wraps what it holds.
    {"IValue", "toTensor", M::Transparent},
    {"IValue", "toTuple", M::Transparent},
    {"IValue", "toTupleRef", M::Transparent},
    {"IValue", "toTensorList", M::Transparent},
    {"IValue", "toTensorVector", M::Transparent},
    {"IValue", "toList", M::Transparent},
    {"IValue", "toListRef", M::Transparent},
    {"IValue", "toGenericDict", M::Transparent},
    {"IValue", "toModule", M::Transparent},
    {"IValue", "to", M::Transparent},
    {"ivalue::Tuple", "elements", M::Transparent},
    // Devices and options.
    {"Device", "is_cuda", M::IsCuda},
    {"Device", "is_cpu", M::IsCpu},
    {"Device", "type", M::Transparent},
    {"Device", "index", M::DeviceOf},
    {"Device", "str", M::DeviceOf},
    {"Device", "has_index", M::Ignore},
    {"Device", "set_index", M::Ignore},
    {"DeprecatedTypeProperties", "is_cuda", M::IsCuda},
    {"DeprecatedTypeProperties", "device_type", M::DeviceOf},
    {"TensorOptions", "dtype", M::OptionsPlain},
    {"TensorOptions", "layout", M::OptionsPlain},
    {"TensorOptions", "requires_grad", M::OptionsPlain},
    {"TensorOptions", "memory_format", M::OptionsPlain},
    {"TensorOptions", "pinned_memory", M::OptionsPinned},
    {"TensorOptions", "device", M::OptionsDevice},
    {"TensorOptions", "device_opt", M::DeviceOf},
    {"TensorOptions", "device_index", M::OptionsIndex},
    {"TensorOptions", "type_equal", M::Ignore},
    {"", "device", M::OptionsDevice},
    {"", "device_index", M::OptionsIndex},
    {"", "dtype", M::OptionsPlain},
    {"", "layout", M::OptionsPlain},
    {"", "requires_grad", M::OptionsPlain},
    {"", "memory_format", M::OptionsPlain},
    {"", "device_of", M::DeviceOf},
    // Factories that take neither options nor a device, or whose arguments hide it. All others are told by
    // their signature: no tensor among the parameters, but options.
    {"", "from_blob", M::FromBlob},
    {"", "for_blob", M::FromBlob},
    {"", "scalar_to_tensor", M::Factory},
    {"", "tensor", M::Factory},
    {"", "from_file", M::Factory},
    {"native", "wrapped_scalar_tensor", M::Factory},
    {"", "save", M::Save},
    {"", "manual_seed", M::Ignore},
    {"", "print", M::Ignore},
    {"", "checkAllSameGPU", M::Ignore},
    {"", "checkSameGPU", M::Ignore},
    {"", "checkAllDefined", M::Ignore},
    {"", "load", M::Load},
    {"jit", "load", M::ScriptLoad},
    {"jit", "load_jit_module_from_file", M::ScriptLoad},
    {"jit", "_load_for_mobile", M::ScriptLoad},
    {"jit", "freeze", M::Clone, "freeze"},
    {"jit", "optimize_for_inference", M::Clone, "freeze"},
    {"nn::utils", "clip_grad_norm_", M::Ignore},
    {"nn::utils", "clip_grad_value_", M::Ignore},
    {"autograd", "backward", M::Ignore},
    // Modules.
    {"nn::Module", "to", M::MoveModule},
    {"nn::Module", "register_module", M::Register, "module"},
    {"nn::Module", "register_parameter", M::Register, "parameter"},
    {"nn::Module", "register_buffer", M::Register, "buffer"},
    {"nn::Module", "replace_module", M::Register, "replace"},
    {"nn::Module", "unregister_module", M::Unregister},
    {"nn::Module", "parameters", M::Parameters, "parameters"},
    {"nn::Module", "named_parameters", M::Parameters, "parameters"},
    {"nn::Module", "buffers", M::Parameters, "buffers"},
    {"nn::Module", "named_buffers", M::Parameters, "buffers"},
    {"nn::Module", "children", M::Parameters, "children"},
    {"nn::Module", "named_children", M::Parameters, "children"},
    {"nn::Module", "modules", M::Parameters, "children"},
    {"nn::Module", "named_modules", M::Parameters, "children"},
    {"nn::Module", "attributes", M::Parameters, "buffers"},
    {"nn::Module", "named_attributes", M::Parameters, "buffers"},
    {"nn::Module", "clone", M::Clone},
    {"nn::Module", "deepcopy", M::Clone},
    {"nn::Module", "copy", M::Transparent},
    {"nn::Module", "load", M::ArchiveLoad},
    {"nn::Module", "save", M::Save},
    {"nn::Module", "apply", M::Apply},
    {"nn::Module", "as", M::Downcast},
    {"nn::Module", "get", M::Transparent},
    {"nn::Module", "ptr", M::Transparent},
    {"nn::Module", "get_method", M::Transparent},
    {"nn::Module", "shared_from_this", M::Transparent},
    {"nn::Module", "shared_from_this_checked", M::Transparent},
    {"nn::Module", "value", M::Transparent},
    {"nn::Module", "module", M::Transparent},
    {"nn::Module", "forward", M::Forward},
    {"nn::Module", "operator()", M::Forward},
    {"nn::Module", "any_forward", M::Forward},
    {"nn::Module", "run_method", M::Forward},
    {"nn::Module", "forward_with_packed_input", M::Forward},
    {"nn::Module", "push_back", M::Append},
    {"nn::Module", "append", M::Append},
    {"nn::Module", "insert", M::Insert},
    {"nn::Module", "extend", M::Extend},
    {"nn::Module", "update", M::Extend},
    {"nn::Module", "emplace_back", M::EmplaceBack},
    {"nn::Module", "at", M::ElementAt},
    {"nn::Module", "operator[]", M::ElementAt},
    {"nn::Module", "begin", M::Begin},
    {"nn::Module", "size", M::Size},
    {"nn::Module", "end", M::Transparent},
    {"optim::Optimizer", "step", M::OptimizerStep},
    {"optim::Optimizer", "add_param_group", M::OptimizerStep},
    {"optim::Optimizer", "parameters", M::Parameters, "parameters"},
    {"serialize::InputArchive", "load_from", M::Load, "archive"},
    {"serialize::InputArchive", "read", M::Load, "part"},
    {"serialize::InputArchive", "try_read", M::Load, "part"},
    // The machine.
    {"cuda", "is_available", M::Available},
    {"", "hasCUDA", M::Available},
    {"cuda", "device_count", M::DeviceCount},
    {"cuda", "synchronize", M::Synchronize},
    {"cuda", "device_synchronize", M::Synchronize},
    {"cuda", "stream_synchronize", M::Synchronize},
    {"cuda::CUDAStream", "synchronize", M::Synchronize},
    {"cuda::CUDAEvent", "synchronize", M::Synchronize},
    {"Stream", "synchronize", M::Synchronize},
    {"Event", "synchronize", M::Synchronize},
    {"cuda::CUDAStream", "stream", M::Transparent},
    {"cuda::CUDAStream", "unwrap", M::Transparent},
    {"cuda::CUDAStream", "operator struct CUstream_st *", M::Transparent},
    {"cuda", "getCurrentCUDAStream", M::CurrentStream},
    {"cuda", "getDefaultCUDAStream", M::CurrentStream},
    {"cuda", "getStreamFromPool", M::CurrentStream},
    {"cuda", "getCurrentCUDABlasHandle", M::CurrentStream},
    {"cuda", "getCurrentCUDASparseHandle", M::CurrentStream},
    {"native", "getCudnnHandle", M::CurrentStream},
    {"cuda", "set_device", M::SetDevice},
    {"cuda", "current_device", M::CurrentDevice},
    {"cuda", "getCurrentDeviceProperties", M::CurrentDevice},
    {"cuda::CUDACachingAllocator", "raw_alloc", M::AllocateResult, "device"},
    {"cuda::CUDACachingAllocator", "raw_alloc_with_stream", M::AllocateResult, "device"},
    {"Guard", "set_device", M::GuardSet},
    {"Guard", "reset_device", M::GuardSet},
    {"Guard", "set_index", M::GuardSet},
    {"Guard", "reset_stream", M::GuardSet},
    {"Guard", "reset", M::GuardEnd},
    {"C", "cudaSetDevice", M::SetDevice},
    {"C", "cudaGetDevice", M::GetDevice},
    {"C", "cudaDeviceSynchronize", M::Synchronize},
    {"C", "cudaStreamSynchronize", M::Synchronize},
    {"C", "cudaEventSynchronize", M::Synchronize},
    {"C", "cudaMalloc", M::Allocate, "device"},
    {"C", "cudaMallocAsync", M::Allocate, "device"},
    {"C", "cudaMallocPitch", M::Allocate, "device"},
    {"C", "cudaMallocFromPoolAsync", M::Allocate, "device"},
    {"C", "cudaGetSymbolAddress", M::Allocate, "symbol"},
    {"C", "cudaIpcOpenMemHandle", M::Allocate, "symbol"},
    {"C", "cudaHostGetDevicePointer", M::Allocate, "managed"},
    {"C", "cudaMallocHost", M::Allocate, "pinned"},
    {"C", "cudaHostAlloc", M::Allocate, "pinned"},
    {"C", "cudaMallocManaged", M::Allocate, "managed"},
    {"C", "cudaMemcpy", M::Memcpy},
    {"C", "cudaMemcpyAsync", M::Memcpy},
    {"C", "cudaMemcpy2D", M::Memcpy},
    {"C", "cudaMemcpy2DAsync", M::Memcpy},
    {"C", "cudaMemcpyPeer", M::MemcpyPeer},
    {"C", "cudaMemcpyPeerAsync", M::MemcpyPeer},
    {"C", "cublasSetVector", M::MatrixCopy, "host-to-device"},
    {"C", "cublasGetVector", M::MatrixCopy, "device-to-host"},
    {"C", "cublasSetVectorAsync", M::MatrixCopy, "host-to-device"},
    {"C", "cublasGetVectorAsync", M::MatrixCopy, "device-to-host"},
    {"C", "cublasSetMatrix", M::MatrixCopy, "host-to-device"},
    {"C", "cublasGetMatrix", M::MatrixCopy, "device-to-host"},
    {"C", "cublasSetMatrixAsync", M::MatrixCopy, "host-to-device"},
    {"C", "cublasGetMatrixAsync", M::MatrixCopy, "device-to-host"},
    {"C", "cudaMemset", M::DeviceUse},
    {"C", "cudaMemsetAsync", M::DeviceUse},
    {"C", "cudaMemset2D", M::DeviceUse},
    {"C", "cudaLaunchKernel", M::Launch},
    {"C", "cudaHostRegister", M::PageLock},
    {"C", "cudaPointerGetAttributes", M::PointerAttributes},
    {"C", "curandCreateGenerator", M::DeviceGenerator},
    {"C", "curandCreateGeneratorHost", M::Ignore},
    {"C", "__cudaPushCallConfiguration", M::Ignore},
    {"C", "cudaFree", M::Ignore},
    {"C", "cudaFreeHost", M::Ignore},
    {"C", "cudaFreeAsync", M::Ignore},
    {"C", "malloc", M::AllocateResult, "host"},
    {"C", "calloc", M::AllocateResult, "host"},
    {"C", "aligned_alloc", M::AllocateResult, "host"},
    {"std", "malloc", M::AllocateResult, "host"},
    {"std", "calloc", M::AllocateResult, "host"},
    {"thrust", "raw_pointer_cast", M::RawPointer},
    // Python sees the same tensor.
    {"pybind11", "cast", M::Transparent},
    {"pybind11", "reinterpret_steal", M::Transparent},
    {"pybind11", "reinterpret_borrow", M::Transparent},
    {"C", "THPVariable_Wrap", M::Transparent},
    // The host.
    {"C", "memcpy", M::HostRead},
    {"C", "memmove", M::HostRead},
    {"C", "memcmp", M::HostRead},
    {"C", "memset", M::HostWrite},
    {"C", "fwrite", M::HostRead},
    {"C", "fread", M::HostWrite},
    {"C", "write", M::HostRead},
    {"C", "read", M::HostWrite},
    {"C", "qsort", M::HostWrite},
    {"C", "free", M::Ignore},
    {"std", "free", M::Ignore},
    {"std", "move", M::Transparent},
    {"std", "forward", M::Transparent},
    {"std", "as_const", M::Transparent},
    {"std", "ref", M::Transparent},
    {"std", "cref", M::Transparent},
    {"std", "addressof", M::Transparent},
    {"std", "move_if_noexcept", M::Transparent},
    {"std", "dynamic_pointer_cast", M::Downcast},
    {"std", "static_pointer_cast", M::Transparent},
    {"std", "const_pointer_cast", M::Transparent},
    {"std", "reinterpret_pointer_cast", M::Transparent},
    {"std", "make_optional", M::Transparent},
    {"", "make_optional", M::Transparent},
    {"std", "launder", M::Transparent},
    {"std", "back_inserter", M::Transparent},
    {"std", "inserter", M::Transparent},
    {"std", "begin", M::Begin},
    {"std", "end", M::Transparent},
    {"std", "cbegin", M::Begin},
    {"std", "cend", M::Transparent},
    {"std", "rbegin", M::Begin},
    {"std", "rend", M::Transparent},
    {"std", "next", M::Transparent},
    {"std", "prev", M::Transparent},
    {"std", "make_move_iterator", M::Transparent},
    {"std", "advance", M::Ignore},
    {"std", "distance", M::Ignore},
};

struct Family {
  std::string_view prefix;
  Meaning meaning;
};
constexpr Family families[] = {
    {"cblas_", M::HostRead},    {"LAPACKE_", M::HostRead},  {"MPI_", M::HostRead},      {"fftw_", M::HostRead},
    {"fftwf_", M::HostRead},    {"cublas", M::DeviceUse},   {"cudnn", M::DeviceUse},    {"nccl", M::DeviceUse},
    {"cusparse", M::DeviceUse}, {"cufftExec", M::DeviceUse}, {"curandGenerate", M::DeviceUse}, {"cusolver", M::DeviceUse},
};

constexpr std::string_view statelessModules[] = {
    "ELU", "SELU", "Hardshrink", "Hardtanh", "LeakyReLU", "LogSigmoid", "Softmax", "Softmin", "LogSoftmax",
    "Softmax2d", "ReLU", "ReLU6", "RReLU", "CELU", "GLU", "GELU", "SiLU", "Mish", "Sigmoid", "Softplus",
    "Softshrink", "Softsign", "Tanh", "Tanhshrink", "Threshold", "Hardsigmoid", "Hardswish",
    "Dropout", "Dropout2d", "Dropout3d", "AlphaDropout", "FeatureAlphaDropout",
    "Flatten", "Unflatten", "Identity", "Fold", "Unfold", "Upsample", "PixelShuffle", "PixelUnshuffle",
    "AvgPool1d", "AvgPool2d", "AvgPool3d", "MaxPool1d", "MaxPool2d", "MaxPool3d", "MaxUnpool1d", "MaxUnpool2d",
    "MaxUnpool3d", "AdaptiveAvgPool1d", "AdaptiveAvgPool2d", "AdaptiveAvgPool3d", "AdaptiveMaxPool1d",
    "AdaptiveMaxPool2d", "AdaptiveMaxPool3d", "FractionalMaxPool2d", "FractionalMaxPool3d", "LPPool1d", "LPPool2d",
    "ReflectionPad1d", "ReflectionPad2d", "ReflectionPad3d", "ReplicationPad1d", "ReplicationPad2d",
    "ReplicationPad3d", "ZeroPad1d", "ZeroPad2d", "ZeroPad3d", "ConstantPad1d", "ConstantPad2d", "ConstantPad3d",
    "CrossMapLRN2d", "LocalResponseNorm", "CosineSimilarity", "PairwiseDistance",
    "L1Loss", "MSELoss", "KLDivLoss", "BCELoss", "HingeEmbeddingLoss", "MultiMarginLoss", "CosineEmbeddingLoss",
    "SmoothL1Loss", "HuberLoss", "MultiLabelMarginLoss", "SoftMarginLoss", "MultiLabelSoftMarginLoss",
    "TripletMarginLoss", "TripletMarginWithDistanceLoss", "CTCLoss", "PoissonNLLLoss", "MarginRankingLoss",
    "NLLLoss", "CrossEntropyLoss", "BCEWithLogitsLoss", "GaussianNLLLoss", "Functional",
};
// clang-format on

std::string key(std::string_view scope, std::string_view name) {
  std::string text(scope);
  text += "::";
  text += name;
  return text;
}

const Word *familyWord(std::string_view name) {
  static const Word hostRead{"C", "", Meaning::HostRead};
  static const Word deviceUse{"C", "", Meaning::DeviceUse};
  for (const Family &family : families)
    if (name.substr(0, family.prefix.size()) == family.prefix)
      return family.meaning == Meaning::HostRead ? &hostRead : &deviceUse;
  return nullptr;
}

} // namespace

const Word *findWord(std::string_view scope, std::string_view name) {
  static const auto index = [] {
    std::unordered_map<std::string, const Word *> map;
    for (const Word &word : words)
      map.emplace(key(word.scope, word.name), &word);
    return map;
  }();
  if (auto found = index.find(key(scope, name)); found != index.end())
    return found->second;
  return scope == "C" ? familyWord(name) : nullptr;
}

bool isStateless(std::string_view module) {
  static const std::unordered_set<std::string_view> index(std::begin(statelessModules), std::end(statelessModules));
  return index.count(module) != 0;
}

} // namespace samedevice::clangfront
