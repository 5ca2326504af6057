// Thrust and CUB: where an algorithm runs is said by its policy, or by the type of its iterators; raw pointers without
// a policy are the host's. What their vectors, and Eigen's, have is in the host's memory.
#include "FunctionLowering.h"

namespace samedevice::clangfront {

using namespace clang;
using facts::kNone;
using facts::Slot;

namespace {

enum class System { Unsaid, Host, Device };

System systemOf(QualType type) {
  const CXXRecordDecl *record = Types::recordOf(type);
  if (!record)
    return System::Unsaid;
  std::string name = Names::qualified(record);
  auto names = [&](llvm::StringRef part) { return llvm::StringRef(name).contains(part); };
  if (!names("thrust"))
    return System::Unsaid;
  if (names("host_t") || names("seq_t") || names("::cpp") || names("::omp") || names("::tbb"))
    return System::Host;
  bool isPolicy = names("device_t") || names("par_t") || names("par_nosync_t") || names("execute_on_stream") ||
                  names("execute_with_allocator") || names("execution_policy");
  return isPolicy ? System::Device : System::Unsaid;
}

bool isNullPointer(const Expr *expr, ASTContext &context) {
  return expr->isNullPointerConstant(context, Expr::NPC_ValueDependentIsNotNull) != Expr::NPCK_NotNull;
}

/// thrust::device and thrust::cuda::par, as against par.on(stream).
bool namesNoStream(QualType policy) {
  const CXXRecordDecl *record = Types::recordOf(policy);
  const llvm::StringRef name = record ? record->getName() : llvm::StringRef();
  return name == "device_t" || name == "par_t" || name == "par_nosync_t" || name == "tag";
}

/// What keeps its elements in plain memory; a vector with an allocator of its own may have it page-locked.
bool isInHostMemory(QualType type) {
  const CXXRecordDecl *record = Types::recordOf(type);
  const std::string name = record ? Names::qualified(record) : std::string();
  if (name == "Eigen::Matrix" || name == "Eigen::Array")
    return true;
  if (name != "thrust::host_vector")
    return false;
  const CXXRecordDecl *allocator = Types::recordOf(Types::templateArgument(record, 1));
  return allocator && Names::qualified(allocator) == "std::allocator";
}

} // namespace

/// cub::DeviceScan and its kind: all pointers are the device's, the last argument is the stream.
std::optional<Slot> FunctionLowering::cubCall(const CallSite &site) {
  if (!llvm::StringRef(scopeOf(site)).starts_with("cub::Device") || site.args.empty())
    return std::nullopt;
  std::string name = scopeOf(site) + "::" + site.name().str();
  useOnDevice(site.args, site.expr, name);
  facts_.emit(Opcode::Launch, kNone, {}, site.expr, name).flags =
      isParameter(site.args.back()) ? facts::kCallersStream : 0u;
  if (!isNullPointer(site.args[0], unit_.context())) // without memory to work in, it only says how much it wants
    queue(site, llvm::ArrayRef(site.args).drop_front().drop_back(), name);
  return facts_.unknown(site.expr);
}

std::optional<Slot> FunctionLowering::thrustCall(const CallSite &site) {
  if (site.object && site.name() == "data" && isInHostMemory(site.object->IgnoreParenImpCasts()->getType())) {
    value(site.object);
    return facts_.result(Opcode::Allocate, site.expr, {}, Mode::Host);
  }
  const bool isAlgorithm = !isa<CXXMethodDecl>(site.callee) && !site.callee->isOverloadedOperator();
  if (!isAlgorithm || scopeOf(site) != "thrust" || site.args.empty())
    return std::nullopt;
  const Expr *expr = site.expr;
  std::string name = "thrust::" + site.name().str();
  auto lower = [&] {
    evaluateAll(site.args);
    return facts_.unknown(expr);
  };
  if (site.name() == "device_pointer_cast") {
    useOnDevice(site.args, expr, name);
    return operand(site.args[0]).slot;
  }
  switch (systemOf(site.args[0]->IgnoreParenImpCasts()->getType())) { // what it is, not the base it is passed as
  case System::Device:
    useOnDevice(llvm::ArrayRef(site.args).drop_front(), expr, name);
    facts_.emit(Opcode::Launch, kNone, {}, expr, name);
    if (namesNoStream(site.args[0]->IgnoreParenImpCasts()->getType()))
      queue(site, llvm::ArrayRef(site.args).drop_front(), name);
    return lower();
  case System::Host:
    readPointers(site, name);
    return lower();
  case System::Unsaid:
    break;
  }
  readPointers(site, name);
  for (const Expr *argument : site.args)
    if (Types::isDevicePointer(argument->getType())) {
      facts_.emit(Opcode::Launch, kNone, {}, expr, name);
      queue(site, site.args, name);
      break;
    }
  return lower();
}

} // namespace samedevice::clangfront
