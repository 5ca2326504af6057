// What is written about the dimensions of a tensor: sizes, indices, and what a reduction takes away.
#include "FunctionLowering.h"

#include "StringSwitch.h"

#include "llvm/ADT/Sequence.h"

namespace samedevice::clangfront {

using namespace clang;
using facts::kNone;
using facts::Slot;

namespace {

/// The braces around sizes or dimensions, or what stands there without any.
const Expr *insideBraces(const Expr *argument) {
  const Expr *inner = stripped(argument);
  while (const auto *construction = dyn_cast_or_null<CXXConstructExpr>(inner)) {
    if (construction->getNumArgs() == 0)
      return construction;
    inner = stripped(construction->getArg(0));
  }
  if (const auto *list = dyn_cast_or_null<CXXStdInitializerListExpr>(inner))
    inner = stripped(list->getSubExpr());
  return inner;
}

/// How many numbers are written: `{2, 3}` are two, `5` is one; nothing where that is not in sight.
std::optional<int> countWritten(const Expr *argument) {
  const Expr *inner = insideBraces(argument);
  if (isa_and_nonnull<CXXConstructExpr>(inner))
    return 0; // `{}`
  if (const auto *list = dyn_cast_or_null<InitListExpr>(inner))
    return static_cast<int>(list->getNumInits());
  if (inner && inner->getType()->isArithmeticType())
    return 1;
  return std::nullopt;
}

} // namespace

static bool isWritten(const Expr *size, std::int64_t number, const ASTContext &context) {
  return size && !size->isValueDependent() && size->getType()->isIntegerType() && constantInt(size, context) == number;
}

/// A size of 0 among those that are written: `{0}`, `{0, 4}`, `0`.
static bool isEmptySize(const Expr *argument, const ASTContext &context) {
  const Expr *inner = insideBraces(argument);
  if (const auto *list = dyn_cast_or_null<InitListExpr>(inner))
    return llvm::any_of(list->inits(), [&](const Expr *size) { return isWritten(size, 0, context); });
  return isWritten(inner, 0, context);
}

/// `{1}`, which stands for nothing where it is what remains of a choice.
static bool isSingle(const Expr *argument, const ASTContext &context) {
  const Expr *inner = insideBraces(argument);
  if (const auto *list = dyn_cast_or_null<InitListExpr>(inner))
    inner = list->getNumInits() == 1 ? list->getInit(0) : nullptr;
  return isWritten(inner, 1, context);
}

/// How many dimensions an index leaves or adds, whatever else it takes away: one for each slice and each `None`.
static int dimsLeftBy(const Expr *indices) {
  const auto *list = dyn_cast_or_null<InitListExpr>(insideBraces(indices));
  if (!list)
    return 0;
  return static_cast<int>(llvm::count_if(list->inits(), [](const Expr *index) {
    for (index = stripped(index); index;) {
      const CXXRecordDecl *record = Types::recordOf(index->getType());
      const llvm::StringRef name = record && record->getIdentifier() ? record->getName() : "";
      const auto *made = dyn_cast<CXXConstructExpr>(index);
      if (name == "Slice" || name == "nullopt_t" || !made || made->getNumArgs() == 0)
        return name == "Slice" || name == "nullopt_t";
      index = stripped(made->getArg(0));
    }
    return false;
  }));
}

/// Marks what is written about the dimensions of a new tensor, or of what is reshaped.
void FunctionLowering::noteSizes(const CallSite &site, facts::Instruction &made) {
  auto exactly = [&](int dims) {
    made.flags |= dims == 0 ? facts::kRank0 : facts::kRankN;
    made.number = dims > 1 ? dims : 0;
  };
  llvm::StringRef name = site.name();
  if (name == "scalar_tensor" || name == "scalar_to_tensor" || name == "wrapped_scalar_tensor")
    return exactly(0);
  if (name == "tensor" && site.arg(0)) {
    const Expr *data = stripped(site.arg(0));
    while (const auto *construction = dyn_cast_or_null<CXXConstructExpr>(data)) {
      if (construction->getNumArgs() == 0) { // torch::tensor({}): one dimension of size 0
        made.flags |= facts::kEmpty;
        return exactly(1);
      }
      data = stripped(construction->getArg(0));
    }
    return exactly(data && data->getType()->isArithmeticType() ? 0 : 1);
  }
  int spread = StringSwitch<int>(name)
                   .Cases({"arange", "range", "linspace", "logspace", "randperm", "fft_fftfreq", "fft_rfftfreq"}, 1)
                   .Cases({"eye", "tril_indices", "triu_indices"}, 2)
                   .Default(name.ends_with("_window") ? 1 : 0);
  if (spread)
    return exactly(spread);
  for (unsigned i = 0; i < site.args.size(); ++i)
    if (llvm::StringRef(site.paramName(i)).starts_with("size") || site.paramName(i) == "shape")
      if (std::optional<int> sizes = countWritten(site.args[i])) {
        const bool isPlaceholder = isSingle(site.args[i], unit_.context()) && survey_.isChosenFrom(site.expr);
        if (isPlaceholder || isEmptySize(site.args[i], unit_.context()))
          made.flags |= facts::kEmpty;
        return exactly(*sizes);
      }
}

/// `x[i]` and `x.mean(0)` take one dimension away, `x.sum({1, 2})` two.
void FunctionLowering::noteDims(const CallSite &site, facts::Instruction &operation) {
  if (operation.text == "select") {
    operation.number = 1;
    return;
  }
  const bool isReduction =
      StringSwitch<bool>(operation.text)
          .Cases({"sum", "mean", "prod", "max", "min", "argmax", "argmin", "any", "all", "median"}, true)
          .Cases({"norm", "std", "var", "nansum", "nanmean", "logsumexp", "count_nonzero", "amax", "amin"}, true)
          .Default(false);
  const bool isGivenDims = llvm::any_of(llvm::seq<unsigned>(0, site.args.size()), [&](unsigned i) {
    return llvm::StringRef(site.paramName(i)).starts_with("dim") && !isOmitted(site.args[i]);
  });
  if (isReduction && !isGivenDims && operation.args.size() == 1 && typeOf(site.expr) == facts::Type::Tensor)
    operation.flags |= facts::kRank0; // over all there is
  for (unsigned i = 0; i < site.args.size(); ++i) {
    const std::string param = site.paramName(i);
    bool keeps = false;
    if (param == "dim" && !isOmitted(site.args[i]))
      operation.number = countWritten(site.args[i]).value_or(0);
    if (param != "keepdim" || isOmitted(site.args[i]))
      continue;
    if (site.args[i]->isValueDependent() || !site.args[i]->EvaluateAsBooleanCondition(keeps, unit_.context()))
      operation.number = 0;
    else if (keeps)
      operation.flags |= facts::kKeepsRank;
  }
}

void FunctionLowering::collectIndices(const Expr *expr, Operands &indices) {
  expr = stripped(expr);
  if (!expr)
    return;
  if (const auto *list = dyn_cast<CXXStdInitializerListExpr>(expr))
    return collectIndices(list->getSubExpr(), indices);
  if (const auto *list = dyn_cast<InitListExpr>(expr)) {
    for (const Expr *init : list->inits())
      collectIndices(init, indices);
    return;
  }
  if (const auto *construction = dyn_cast<CXXConstructExpr>(expr)) {
    for (const Expr *argument : construction->arguments())
      collectIndices(argument, indices);
    return;
  }
  facts::Type type = typeOf(expr);
  if (type == facts::Type::Tensor || type == facts::Type::List) {
    if (Operand index = operand(expr); index.slot != kNone)
      indices.push_back(std::move(index));
  } else {
    value(expr);
  }
}

Slot FunctionLowering::index(const CallSite &site, StringRef text) {
  Operands args{operand(site.object, "self")};
  if (text == "select") {
    // x[i]: even a tensor index is read as one number here.
    evaluateAll(site.args);
    facts::Instruction &part = facts_.emitResult(Opcode::Op, site.expr, std::move(args), text);
    part.flags = facts::kMethod;
    noteDims(site, part);
    return part.dest;
  }
  Operands indices;
  collectIndices(site.arg(0), indices);
  if (!indices.empty()) {
    Slot list = facts_.newSlot(facts::Type::List);
    facts_.slot(list).element = facts::Type::Tensor;
    Operand named = facts_.operand(list, site.arg(0), "indices");
    if (indices.size() == 1 && facts_.slot(indices[0].slot).type == facts::Type::List)
      named.slot = indices[0].slot;
    else
      facts_.emit(Opcode::List, list, std::move(indices), site.arg(0));
    args.push_back(std::move(named));
  }
  for (unsigned i = 1; i < site.args.size(); ++i)
    if (!isOmitted(site.args[i]) && typeOf(site.args[i]) == facts::Type::Tensor)
      args.push_back(operand(site.args[i], site.paramName(i) == "rhs" ? "values" : site.paramName(i)));
  const int left = text == "index" ? dimsLeftBy(site.arg(0)) : 0;
  facts::Instruction &part = facts_.emitResult(Opcode::Op, site.expr, std::move(args), text);
  part.flags = facts::kMethod | (left ? facts::kRankN : 0u);
  part.number = left > 1 ? left : 0;
  return part.dest;
}

} // namespace samedevice::clangfront
