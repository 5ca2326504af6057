// How many dimensions a result has at least: only what is 0-dim, or may be, can stay behind on the CPU.
#include "../facts/Rules.h"
#include "Tensors.h"

#include <algorithm>
#include <map>
#include <set>

namespace samedevice::analysis {
namespace {

/// What takes dimensions away; everything else keeps them, or adds some.
const std::set<std::string> kLowers = {"select",
                                       "squeeze",
                                       "index",
                                       "operator[]",
                                       "sum",
                                       "mean",
                                       "max",
                                       "min",
                                       "prod",
                                       "norm",
                                       "std",
                                       "var",
                                       "median",
                                       "argmax",
                                       "argmin",
                                       "any",
                                       "all",
                                       "logsumexp",
                                       "mode",
                                       "dot",
                                       "vdot",
                                       "inner",
                                       "trace",
                                       "det",
                                       "amax",
                                       "amin",
                                       "item",
                                       "unbind",
                                       "quantile",
                                       "nansum",
                                       "nanmean",
                                       "take",
                                       "matmul",
                                       "mv",
                                       "tensordot",
                                       "einsum",
                                       "as_strided",
                                       "aminmax",
                                       "cosine_similarity",
                                       "pairwise_distance",
                                       "linalg_norm",
                                       "linalg_vector_norm",
                                       "linalg_matrix_norm",
                                       "linalg_det",
                                       "nanmedian",
                                       "dist",
                                       "kthvalue",
                                       "logdet",
                                       "count_nonzero"};

/// What has dimensions whatever went in.
// clang-format off
const std::map<std::string, int> kAtLeast = {
    {"cat", 1}, {"concat", 1}, {"hstack", 1}, {"vstack", 2}, {"mm", 2}, {"bmm", 3}, {"linear", 1}, {"conv1d", 2},
    {"conv2d", 3}, {"conv3d", 4}, {"addmm", 2}, {"baddbmm", 3}, {"view", 1}, {"reshape", 1}, {"expand", 1},
    {"flatten", 1}, {"repeat", 1}, {"one_hot", 1}, {"embedding", 1}, {"outer", 2}, {"meshgrid", 1}, {"view_as", 1},
    {"expand_as", 1}, {"reshape_as", 1}, {"nonzero", 2}, {"masked_select", 1}, {"bincount", 1}, {"gather", 1},
    {"stack", 1}, {"unsqueeze", 1}, {"slice", 1}, {"narrow", 1}, {"cdist", 2}, {"pdist", 1}, {"tril", 2}, {"triu", 2},
    {"histc", 1}, {"cross", 1}, {"tril_indices", 2}, {"triu_indices", 2}, {"block_diag", 2}, {"cartesian_prod", 1},
    {"combinations", 1}, {"vander", 2}, {"diag_embed", 2}, {"multinomial", 1}, {"column_stack", 2}, {"row_stack", 2},
    {"dstack", 3}, {"unflatten", 2}, {"repeat_interleave", 1}, {"inverse", 2}, {"linalg_inv", 2}, {"pinverse", 2},
    {"linalg_pinv", 2}, {"cholesky", 2}, {"linalg_cholesky", 2}, {"matrix_exp", 2}, {"linalg_matrix_exp", 2},
    {"layer_norm", 1}, {"batch_norm", 2}, {"group_norm", 2}, {"pixel_shuffle", 3}, {"grid_sampler", 4},
    {"affine_grid_generator", 3}, {"stft", 2}, {"diagonal", 1},
};
// clang-format on

} // namespace

/// What the instruction itself says: the sizes it was given.
int dimsOf(const Instruction &i) {
  return i.flags & facts::kRankN ? std::max(1, static_cast<int>(std::min<std::int64_t>(i.number, 8))) : 0;
}

int dimsOf(const Instruction &i, const std::vector<Participant> &operands) {
  if (int said = dimsOf(i))
    return said;
  int least = operands.empty() ? 0 : 8, most = 0;
  for (const Participant &p : operands) {
    least = std::min<int>(least, p.value.dims);
    most = std::max<int>(most, p.value.dims);
  }
  if (facts::isFunctional(i.text))
    return 1;
  if (i.text == "matmul" && operands.size() == 2)
    return 1;
  if (kLowers.count(i.text)) {
    int first = operands.empty() ? 0 : operands[0].value.dims;
    return i.flags & facts::kKeepsRank ? first : i.number > 0 ? std::max(0, first - static_cast<int>(i.number)) : 0;
  }
  if (i.text == "stack" || i.text == "unsqueeze")
    return least + 1;
  auto known = kAtLeast.find(i.text);
  return std::max(known == kAtLeast.end() ? 0 : known->second, known == kAtLeast.end() || i.text == "cat" ? most : 0);
}

/// Values and where they were found.
bool areAlike(const std::string &op) {
  static const std::set<std::string> kPairs = {"sort",      "topk", "max",    "min",    "median",
                                               "nanmedian", "mode", "cummax", "cummin", "kthvalue"};
  return kPairs.count(op) != 0;
}

/// Full reductions give a 0-dim tensor when no dimension is named; a loss always does unless told otherwise.
bool isScalar(const Instruction &i, const std::vector<Participant> &operands) {
  const bool isLoss = i.text.size() > 5 && i.text.find("_loss") != std::string::npos;
  if (i.flags & facts::kRank0 || isLoss)
    return true;
  if (dimsOf(i, operands) || kLowers.count(i.text) || operands.empty())
    return false;
  return std::all_of(operands.begin(), operands.end(), [](const Participant &p) { return p.value.has(Value::kRank0); });
}

} // namespace samedevice::analysis
