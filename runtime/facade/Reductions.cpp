// Operators that make less of a tensor: sums, extremes, norms, sorting, counting.
#include "Call.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>

namespace samedevice::runtime {

namespace {

using Values = std::vector<double>;

/// An array seen as [outer, middle, inner], where middle is one dimension.
struct Lines {
  int64_t outer = 1, length = 1, inner = 1;

  Lines(const Sizes &sizes, int64_t dim) {
    for (std::size_t d = 0; d < sizes.size(); ++d)
      (static_cast<int64_t>(d) < dim ? outer : static_cast<int64_t>(d) == dim ? length : inner) *= sizes[d];
  }
  std::size_t place(int64_t o, int64_t i, int64_t k) const {
    return static_cast<std::size_t>((o * length + k) * inner + i);
  }
  template <class Visit> void each(const Array &array, Visit visit) const {
    for (int64_t o = 0; o < outer; ++o)
      for (int64_t i = 0; i < inner; ++i) {
        Values line(static_cast<std::size_t>(length));
        for (int64_t k = 0; k < length; ++k)
          line[static_cast<std::size_t>(k)] = array.values[place(o, i, k)];
        visit(o, i, line);
      }
  }
};

Sizes without(Sizes sizes, int64_t dim, bool keep) {
  if (sizes.empty())
    return sizes;
  if (keep)
    sizes[static_cast<std::size_t>(dim)] = 1;
  else
    sizes.erase(sizes.begin() + dim);
  return sizes;
}

/// One line becomes `length` values.
template <class Function>
Array alongDim(const Array &in, int64_t dim, bool keep, c10::ScalarType type, Function function) {
  const int64_t d = wrapDim(dim, in.rank());
  const Lines lines(in.sizes, d);
  Array out(without(in.sizes, d, keep), type);
  lines.each(in, [&](int64_t o, int64_t i, const Values &line) {
    out.values[static_cast<std::size_t>(o * lines.inner + i)] = function(line);
  });
  return out;
}

/// Over several dimensions: they are moved behind the others and taken as one.
template <class Function>
Array overDims(const Array &in, Sizes dims, bool keep, c10::ScalarType type, Function function) {
  const std::size_t rank = in.sizes.size();
  std::vector<bool> reduced(rank, dims.empty());
  for (const int64_t dim : dims)
    if (rank != 0)
      reduced[static_cast<std::size_t>(wrapDim(dim, in.rank()))] = true;
  Sizes kept, keptOnly;
  for (std::size_t d = 0; d < rank; ++d) {
    if (!reduced[d])
      keptOnly.push_back(in.sizes[d]);
    if (!reduced[d] || keep)
      kept.push_back(reduced[d] ? 1 : in.sizes[d]);
  }
  std::vector<Values> groups(static_cast<std::size_t>(countOf(keptOnly)));
  for (std::size_t i = 0; i < in.values.size(); ++i) {
    int64_t rest = static_cast<int64_t>(i), group = 0, stride = 1;
    for (std::size_t d = rank; d-- > 0;) {
      if (!reduced[d]) {
        group += rest % in.sizes[d] * stride;
        stride *= in.sizes[d];
      }
      rest /= in.sizes[d];
    }
    groups[static_cast<std::size_t>(group)].push_back(in.values[i]);
  }
  Array out(kept, type);
  for (std::size_t i = 0; i < groups.size(); ++i)
    out.values[i] = function(groups[i]);
  return out;
}

double total(const Values &v) { return std::accumulate(v.begin(), v.end(), 0.0); }
double mean(const Values &v) { return total(v) / static_cast<double>(v.size()); }
double product(const Values &v) { return std::accumulate(v.begin(), v.end(), 1.0, std::multiplies<double>()); }
double least(const Values &v) { return v.empty() ? 0 : *std::min_element(v.begin(), v.end()); }
double greatest(const Values &v) { return v.empty() ? 0 : *std::max_element(v.begin(), v.end()); }
double variance(const Values &v, double correction) {
  const double center = mean(v);
  double sum = 0;
  for (const double x : v)
    sum += (x - center) * (x - center);
  return sum / (static_cast<double>(v.size()) - correction);
}
double logSumExp(const Values &v) {
  const double top = greatest(v);
  double sum = 0;
  for (const double x : v)
    sum += std::exp(x - top);
  return top + std::log(sum);
}
double norm(const Values &v, double p) {
  double sum = 0;
  for (const double x : v)
    sum = std::isinf(p) ? std::fmax(sum, std::fabs(x)) : sum + std::pow(std::fabs(x), p);
  return std::isinf(p) ? sum : std::pow(sum, 1 / p);
}

using Reduction = double (*)(const Values &);
template <Reduction Function, bool KeepsType> Results reduce(Call &call) {
  const Array in = call.self();
  const c10::ScalarType plain = KeepsType && in.type == c10::kBool ? c10::kLong : in.type;
  const c10::ScalarType sums = KeepsType && c10::isIntegralType(plain, false) ? c10::kLong : plain;
  const c10::ScalarType type = call.type().value_or(KeepsType ? sums : floating(in.type));
  return call.result(overDims(in, call.ints("dim"), call.flag("keepdim"), type, Function));
}

double correctionOf(const Call &call) {
  return call.has("unbiased") ? call.flag("unbiased", true) : call.real("correction", 1);
}
template <bool Root> Results spread(Call &call) {
  const double correction = correctionOf(call);
  return call.result(
      overDims(call.self(), call.ints("dim"), call.flag("keepdim"), call.self().type,
               [&](const Values &v) { return Root ? std::sqrt(variance(v, correction)) : variance(v, correction); }));
}
template <bool Root> Results spreadAndMean(Call &call) {
  const Tensor first = spread<Root>(call).tensors[0];
  return std::vector<Tensor>{
      first, call.result(overDims(call.self(), call.ints("dim"), call.flag("keepdim"), call.self().type, mean))};
}

Results normOf(Call &call) {
  const double p = call.has("ord") ? call.real("ord", 2) : call.real("p", 2);
  const Array in = call.self();
  return call.result(overDims(in, call.ints("dim"), call.flag("keepdim"), call.type().value_or(floating(in.type)),
                              [&](const Values &v) { return norm(v, p); }));
}

template <bool All> Results truth(Call &call) {
  return call.result(overDims(call.self(), call.ints("dim"), call.flag("keepdim"), c10::kBool, [](const Values &v) {
    const auto isTrue = [](double x) { return x != 0; };
    return static_cast<double>(All ? std::all_of(v.begin(), v.end(), isTrue) : std::any_of(v.begin(), v.end(), isTrue));
  }));
}

template <bool Greatest> std::size_t extremeAt(const Values &v) {
  return static_cast<std::size_t>(
      (Greatest ? std::max_element(v.begin(), v.end()) : std::min_element(v.begin(), v.end())) - v.begin());
}
template <bool Greatest> Results extreme(Call &call) {
  if (call.has("other"))
    return kernels().at(Greatest ? "maximum" : "minimum")(call);
  const Array in = call.self();
  if (!call.has("dim"))
    return call.result(overDims(in, {}, false, in.type, Greatest ? greatest : least));
  const int64_t dim = call.integer("dim");
  const bool keep = call.flag("keepdim");
  return std::vector<Tensor>{call.result(alongDim(in, dim, keep, in.type, Greatest ? greatest : least)),
                             call.result(alongDim(in, dim, keep, c10::kLong, [](const Values &v) {
                               return static_cast<double>(extremeAt<Greatest>(v));
                             }))};
}
template <bool Greatest> Results extremeOver(Call &call) {
  const Array in = call.self();
  return call.result(overDims(in, call.ints("dim"), call.flag("keepdim"), in.type, Greatest ? greatest : least));
}
template <bool Greatest> Results argExtreme(Call &call) {
  const Array in = call.self();
  const auto at = [](const Values &v) { return static_cast<double>(extremeAt<Greatest>(v)); };
  return call.result(call.isGiven("dim") ? alongDim(in, call.integer("dim"), call.flag("keepdim"), c10::kLong, at)
                                         : overDims(in, {}, call.flag("keepdim"), c10::kLong, at));
}
Results aminmax(Call &call) {
  const Array in = call.self();
  const Sizes dims = call.ints("dim");
  return std::vector<Tensor>{call.result(overDims(in, dims, call.flag("keepdim"), in.type, least)),
                             call.result(overDims(in, dims, call.flag("keepdim"), in.type, greatest))};
}

double middle(Values v) {
  std::sort(v.begin(), v.end());
  return v.at((v.size() - 1) / 2);
}
Results median(Call &call) {
  const Array in = call.self();
  if (!call.has("dim"))
    return call.result(overDims(in, {}, false, in.type, middle));
  const Array values = alongDim(in, call.integer("dim"), call.flag("keepdim"), in.type, middle);
  return std::vector<Tensor>{call.result(values), call.result(Array(values.sizes, c10::kLong))};
}

/// A line becomes a line of another length; the second result holds indices.
template <class Function> Results linesToLines(Call &call, int64_t dim, int64_t length, Function function) {
  const Array in = call.self();
  const int64_t d = wrapDim(dim, in.rank());
  const Lines lines(in.sizes, d);
  Sizes sizes = in.sizes;
  if (!sizes.empty())
    sizes[static_cast<std::size_t>(d)] = length;
  Array values(sizes, in.type), indices(sizes, c10::kLong);
  lines.each(in, [&](int64_t o, int64_t i, const Values &line) {
    const std::vector<std::pair<double, int64_t>> out = function(line);
    for (int64_t k = 0; k < length; ++k) {
      const auto at = static_cast<std::size_t>((o * length + k) * lines.inner + i);
      values.values[at] = out[static_cast<std::size_t>(k)].first;
      indices.values[at] = static_cast<double>(out[static_cast<std::size_t>(k)].second);
    }
  });
  return std::vector<Tensor>{call.result(values), call.result(indices)};
}

std::vector<std::pair<double, int64_t>> sorted(const Values &line, bool descending) {
  std::vector<std::pair<double, int64_t>> pairs;
  for (std::size_t i = 0; i < line.size(); ++i)
    pairs.emplace_back(line[i], i);
  std::stable_sort(pairs.begin(), pairs.end(),
                   [&](const auto &a, const auto &b) { return descending ? a.first > b.first : a.first < b.first; });
  return pairs;
}
int64_t lengthOf(const Call &call, int64_t dim) {
  const Tensor self = call.tensor("self");
  return self.dim() == 0 ? 1 : self.size(wrapDim(dim, self.dim()));
}
Results sort(Call &call) {
  const int64_t dim = call.integer("dim", -1);
  const bool descending = call.flag("descending");
  return linesToLines(call, dim, lengthOf(call, dim), [&](const Values &line) { return sorted(line, descending); });
}
Results argsort(Call &call) { return sort(call).tensors[1]; }
Results topk(Call &call) {
  const bool largest = call.flag("largest", true);
  TORCH_CHECK(call.integer("k") <= lengthOf(call, call.integer("dim", -1)), "selected index k out of range");
  return linesToLines(call, call.integer("dim", -1), call.integer("k"),
                      [&](const Values &line) { return sorted(line, largest); });
}
Results kthvalue(Call &call) {
  const auto k = static_cast<std::size_t>(call.integer("k") - 1);
  const Array in = call.self();
  const int64_t dim = call.integer("dim", -1);
  const bool keep = call.flag("keepdim");
  return std::vector<Tensor>{
      call.result(alongDim(in, dim, keep, in.type, [&](const Values &v) { return sorted(v, false).at(k).first; })),
      call.result(alongDim(in, dim, keep, c10::kLong,
                           [&](const Values &v) { return static_cast<double>(sorted(v, false).at(k).second); }))};
}

template <class Step> Results running(Call &call, Step step) {
  const int64_t dim = call.integer("dim");
  const Results both = linesToLines(call, dim, lengthOf(call, dim), [&](const Values &line) {
    std::vector<std::pair<double, int64_t>> out;
    for (std::size_t i = 0; i < line.size(); ++i)
      out.emplace_back(i == 0 ? line[0] : step(out.back().first, line[i]), i);
    return out;
  });
  return both.tensors;
}
Results cumsum(Call &call) {
  return running(call, [](double a, double b) { return a + b; }).tensors[0];
}
Results cumprod(Call &call) {
  return running(call, [](double a, double b) { return a * b; }).tensors[0];
}
Results cummax(Call &call) {
  return running(call, [](double a, double b) { return std::fmax(a, b); });
}
Results cummin(Call &call) {
  return running(call, [](double a, double b) { return std::fmin(a, b); });
}

template <bool Log> Results softmax(Call &call) {
  const int64_t dim = call.integer("dim");
  return linesToLines(call, dim, lengthOf(call, dim),
                      [](const Values &line) {
                        const double all = logSumExp(line);
                        std::vector<std::pair<double, int64_t>> out;
                        for (const double x : line)
                          out.emplace_back(Log ? x - all : std::exp(x - all), 0);
                        return out;
                      })
      .tensors[0];
}

Results unique(Call &call) {
  const Array in = call.self();
  const std::set<double> values(in.values.begin(), in.values.end());
  const std::vector<double> all(values.begin(), values.end());
  Array out({static_cast<int64_t>(all.size())}, in.type), inverse(in.sizes, c10::kLong), counts(out.sizes, c10::kLong);
  out.values = all;
  for (std::size_t i = 0; i < in.values.size(); ++i) {
    const auto at = std::lower_bound(all.begin(), all.end(), in.values[i]) - all.begin();
    inverse.values[i] = static_cast<double>(at);
    ++counts.values[static_cast<std::size_t>(at)];
  }
  return std::vector<Tensor>{call.result(out), call.result(inverse), call.result(counts)};
}

Results bincount(Call &call) {
  const Array in = call.self();
  const Array weights = call.isGiven("weights") ? call.array("weights") : Array();
  const auto bins =
      std::max<int64_t>(static_cast<int64_t>(greatest(in.values)) + !in.values.empty(), call.integer("minlength"));
  Array out({bins}, call.isGiven("weights") ? c10::kDouble : c10::kLong);
  for (std::size_t i = 0; i < in.values.size(); ++i)
    out.values.at(static_cast<std::size_t>(in.values[i])) += call.isGiven("weights") ? weights.values[i] : 1;
  return call.result(out);
}

Results histc(Call &call) {
  const Array in = call.self();
  double from = call.real("min"), to = call.real("max");
  if (from == to)
    from = least(in.values), to = greatest(in.values);
  const int64_t bins = call.integer("bins", 100);
  Array out({bins}, in.type);
  for (const double x : in.values)
    if (x >= from && x <= to && to > from)
      ++out.values[static_cast<std::size_t>(
          std::min<double>((x - from) / (to - from) * static_cast<double>(bins), static_cast<double>(bins - 1)))];
  return call.result(out);
}

Results equal(Call &call) {
  const Array a = call.self(), b = call.array("other");
  return Results::of(a.sizes == b.sizes && a.values == b.values);
}
Results allclose(Call &call) {
  const Array a = call.self();
  const Array b = broadcast(call.array("other"), a.sizes);
  const double rtol = call.real("rtol", 1e-5), atol = call.real("atol", 1e-8);
  bool close = true;
  for (std::size_t i = 0; i < a.values.size(); ++i)
    close &= std::fabs(a.values[i] - b.values[i]) <= atol + rtol * std::fabs(b.values[i]);
  return Results::of(close);
}

Results trace(Call &call) {
  const Array in = call.self();
  double sum = 0;
  for (int64_t i = 0; i < std::min(in.sizes.at(0), in.sizes.at(1)); ++i)
    sum += in.values[static_cast<std::size_t>(i * in.sizes[1] + i)];
  return call.result(Array({}, in.type, sum));
}

Results quantile(Call &call) {
  const double q = call.array("q").values.at(0);
  const auto pick = [&](Values v) {
    std::sort(v.begin(), v.end());
    return v.at(static_cast<std::size_t>(q * static_cast<double>(v.size() - 1)));
  };
  const Array in = call.self();
  return call.result(call.isGiven("dim") ? alongDim(in, call.integer("dim"), call.flag("keepdim"), in.type, pick)
                                         : overDims(in, {}, call.flag("keepdim"), in.type, pick));
}

double countNonZero(const Values &v) {
  return static_cast<double>(std::count_if(v.begin(), v.end(), [](double x) { return x != 0; }));
}
Results countNonZeros(Call &call) {
  return call.result(overDims(call.self(), call.ints("dim"), false, c10::kLong, countNonZero));
}

Results dist(Call &call) {
  const Array a = call.self();
  const Array b = broadcast(call.array("other"), a.sizes);
  Values differences;
  for (std::size_t i = 0; i < a.values.size(); ++i)
    differences.push_back(a.values[i] - b.values[i]);
  return call.result(Array({}, floating(a.type), norm(differences, call.real("p", 2))));
}

const AddKernels add = {
    {"sum", reduce<total, true>},
    {"nansum", reduce<total, true>},
    {"prod", reduce<product, true>},
    {"mean", reduce<mean, false>},
    {"nanmean", reduce<mean, false>},
    {"logsumexp", reduce<logSumExp, false>},
    {"std", spread<true>},
    {"var", spread<false>},
    {"std_mean", spreadAndMean<true>},
    {"var_mean", spreadAndMean<false>},
    {"norm", normOf},
    {"linalg_norm", normOf},
    {"linalg_vector_norm", normOf},
    {"linalg_matrix_norm", normOf},
    {"all", truth<true>},
    {"any", truth<false>},
    {"max", extreme<true>},
    {"min", extreme<false>},
    {"amax", extremeOver<true>},
    {"amin", extremeOver<false>},
    {"argmax", argExtreme<true>},
    {"argmin", argExtreme<false>},
    {"aminmax", aminmax},
    {"median", median},
    {"sort", sort},
    {"msort", argsort},
    {"argsort", argsort},
    {"topk", topk},
    {"kthvalue", kthvalue},
    {"cumsum", cumsum},
    {"cumprod", cumprod},
    {"cummax", cummax},
    {"cummin", cummin},
    {"softmax", softmax<false>},
    {"log_softmax", softmax<true>},
    {"_unique2", unique},
    {"unique_consecutive", unique},
    {"unique_dim", unique},
    {"bincount", bincount},
    {"histc", histc},
    {"equal", equal},
    {"allclose", allclose},
    {"trace", trace},
    {"quantile", quantile},
    {"count_nonzero", countNonZeros},
    {"dist", dist},
};

} // namespace

} // namespace samedevice::runtime
