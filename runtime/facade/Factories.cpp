// Operators that make tensors, fill them with numbers, or copy them somewhere else.
#include "Call.h"

#include <cmath>
#include <numeric>

namespace samedevice::runtime {

namespace {

Tensor finish(const Tensor &tensor, const c10::TensorOptions &options) {
  if (options.requires_grad())
    setRequiresGrad(*tensor.unsafeGetTensorImpl(), true);
  if (options.layout() == c10::kSparse)
    tensor.unsafeGetTensorImpl()->sparse = true;
  return tensor;
}

/// With what the options leave open taken from `like`, if that is defined.
Tensor filled(const Sizes &sizes, const Call &call, const Tensor &like, const std::function<double()> &value,
              c10::ScalarType otherwise = c10::kFloat) {
  const c10::TensorOptions options = call.options();
  const c10::ScalarType type = options.dtype_opt().value_or(like.defined() ? like.scalar_type() : otherwise);
  const c10::Device device = options.device_opt().value_or(like.defined() ? like.device() : c10::Device(c10::kCPU));
  const Tensor tensor = makeTensor(sizes, type, device, options.pinned_memory());
  Array array(sizes, type);
  for (double &x : array.values)
    x = value();
  write(tensor, array);
  return finish(tensor, options);
}

std::function<double()> constant(double value) {
  return [value] { return value; };
}

double zero(const Call &) { return 0; }
double one(const Call &) { return 1; }
double fillValue(const Call &call) { return call.real("fill_value"); }
double scalarValue(const Call &call) { return call.real("s"); }

template <double (*Value)(const Call &)> Results factory(Call &call) {
  const c10::ScalarType type =
      call.has("fill_value") && !call.isFloatingNumber("fill_value") && !call.tensor("self").defined() ? c10::kLong
                                                                                                       : c10::kFloat;
  const Tensor like = call.tensor("self");
  const Sizes sizes = call.has("size") ? call.ints("size") : like.defined() ? like.sizes().vec() : Sizes();
  return filled(sizes, call, like, constant(Value(call)), type);
}

template <double (*Random)()> Results random(Call &call) {
  const Tensor like = call.tensor("self");
  return filled(call.has("size") ? call.ints("size") : like.sizes().vec(), call, like, Random);
}

Results randint(Call &call) {
  const Tensor like = call.tensor("self");
  const double low = call.real("low"), high = call.real("high");
  return filled(
      call.has("size") ? call.ints("size") : like.sizes().vec(), call, like,
      [&] { return std::floor(low + (high - low) * randomUniform()); }, c10::kLong);
}

Results fromArray(Call &call, Array array) {
  array.type = call.options().dtype_opt().value_or(array.type);
  const Tensor tensor = makeTensor(array, call.options().device());
  return finish(tensor, call.options());
}

Results arange(Call &call) {
  const double start = call.real("start"), end = call.real("end"), step = call.real("step", 1);
  const bool isFloating =
      call.isFloatingNumber("start") || call.isFloatingNumber("end") || call.isFloatingNumber("step");
  const auto count = static_cast<int64_t>(call.name() == "range" ? std::floor((end - start) / step) + 1
                                                                 : std::ceil((end - start) / step));
  Array array({std::max<int64_t>(count, 0)}, isFloating || call.name() == "range" ? c10::kFloat : c10::kLong);
  for (std::size_t i = 0; i < array.values.size(); ++i)
    array.values[i] = start + static_cast<double>(i) * step;
  return fromArray(call, array);
}

Results linspace(Call &call) {
  const int64_t steps = call.integer("steps");
  Array array({steps}, c10::kFloat);
  for (int64_t i = 0; i < steps; ++i) {
    const double part = steps == 1 ? 0 : static_cast<double>(i) / static_cast<double>(steps - 1);
    const double value = call.real("start") + part * (call.real("end") - call.real("start"));
    array.values[static_cast<std::size_t>(i)] =
        call.name() == "logspace" ? std::pow(call.real("base", 10), value) : value;
  }
  return fromArray(call, array);
}

Results eye(Call &call) {
  const int64_t rows = call.integer("n"), columns = call.integer("m", rows);
  Array array({rows, columns}, c10::kFloat);
  for (int64_t i = 0; i < std::min(rows, columns); ++i)
    array.values[static_cast<std::size_t>(i * columns + i)] = 1;
  return fromArray(call, array);
}

Results randperm(Call &call) {
  Array array({call.integer("n")}, c10::kLong);
  std::iota(array.values.begin(), array.values.end(), 0);
  for (std::size_t i = array.values.size(); i > 1; --i)
    std::swap(array.values[i - 1], array.values[static_cast<std::size_t>(randomUniform() * static_cast<double>(i))]);
  return fromArray(call, array);
}

Results window(Call &call) {
  Array array({call.integer("window_length")}, c10::kFloat);
  for (std::size_t i = 0; i < array.values.size(); ++i)
    array.values[i] =
        0.5 - 0.5 * std::cos(2 * 3.14159265358979 * static_cast<double>(i) / static_cast<double>(array.values.size()));
  return fromArray(call, array);
}

template <bool Upper> Results triangleIndices(Call &call) {
  std::vector<double> rows, columns;
  for (int64_t r = 0; r < call.integer("row"); ++r)
    for (int64_t c = 0; c < call.integer("col"); ++c)
      if (Upper ? c - r >= call.integer("offset") : c - r <= call.integer("offset")) {
        rows.push_back(static_cast<double>(r));
        columns.push_back(static_cast<double>(c));
      }
  Array array({2, static_cast<int64_t>(rows.size())}, c10::kLong);
  array.values = rows;
  array.values.insert(array.values.end(), columns.begin(), columns.end());
  return fromArray(call, array);
}

/// Fills the tensor it is called on, or one like it.
Results fillWith(Call &call, const std::function<double(double)> &value) {
  Array array = call.self();
  for (double &x : array.values)
    x = value(x);
  return call.result(array);
}
Results normal(Call &call) {
  if (call.has("size"))
    return filled(call.ints("size"), call, Tensor(),
                  [&] { return call.real("mean") + call.real("std", 1) * randomNormal(); });
  if (!call.has("self")) {
    Array array = call.tensor("mean").defined() ? call.array("mean") : call.array("std");
    for (double &x : array.values)
      x = randomNormal();
    return call.result(array);
  }
  return fillWith(call, [&](double) { return call.real("mean") + call.real("std", 1) * randomNormal(); });
}
Results uniform(Call &call) {
  const double from = call.real("from"), to = call.real("to", 1);
  return fillWith(call, [&](double) { return from + (to - from) * randomUniform(); });
}
Results bernoulli(Call &call) {
  const bool own = !call.has("p") && !call.isInPlace();
  const double p = call.real("p", 0.5);
  return fillWith(call, [&](double x) { return static_cast<double>(randomUniform() < (own ? x : p)); });
}
Results exponential(Call &call) {
  return fillWith(call, [&](double) { return -std::log(1 - randomUniform()) / call.real("lambd", 1); });
}
Results randomIntegers(Call &call) {
  const double from = call.real("from"), to = call.real("to", 1 << 20);
  return fillWith(call, [&](double) { return std::floor(from + (to - from) * randomUniform()); });
}
Results anyPositive(Call &call) {
  return fillWith(call, [](double) { return randomUniform(); });
}
Results multinomial(Call &call) {
  const Array weights = call.self();
  const int64_t samples = call.integer("num_samples"), choices = weights.sizes.back();
  Sizes sizes = weights.sizes;
  sizes.back() = samples;
  Array out(sizes, c10::kLong);
  for (std::size_t i = 0; i < out.values.size(); ++i)
    out.values[i] = call.flag("replacement") ? std::floor(randomUniform() * static_cast<double>(choices))
                                             : static_cast<double>(static_cast<int64_t>(i) % samples % choices);
  return call.result(out);
}

Results fill(Call &call) {
  const double value = call.has("value") ? call.array("value").values.at(0) : 0;
  return fillWith(call, [&](double) { return value; });
}

/// A copy between host and GPU on the current stream; asynchronous only with pinned memory, as on a real one.
void transfer(const Tensor &to, const Tensor &from, bool nonBlocking) {
  const bool crosses = to.is_cuda() != from.is_cuda();
  const By who = crosses ? By::CopyEngine : By::Host;
  write(to, broadcast(read(from, who), to.sizes()), who);
  if (!crosses)
    return;
  const int device = (to.is_cuda() ? to : from).device().index();
  const auto stream = static_cast<Stream>(currentStream(device));
  const Tensor &host = to.is_cuda() ? from : to;
  if (nonBlocking && host.is_pinned())
    machine().holdUntilSynchronized(host.data_ptr(), to.is_cuda() ? HostAccess::Read : HostAccess::None, device,
                                    stream);
  else
    machine().synchronize(device, stream);
}

/// Memory that the host may not write just now is reached as the copy engine would.
Results copy(Call &call) {
  const Tensor self = call.tensor("self");
  transfer(self, call.tensor("src"), call.flag("non_blocking"));
  return self;
}

Results convert(Call &call) {
  const Tensor self = call.tensor("self"), other = call.tensor("other");
  const c10::TensorOptions options = call.options();
  c10::Device device = self.device();
  c10::ScalarType type = self.scalar_type();
  if (other.defined())
    device = other.device(), type = other.scalar_type();
  device = concrete(call.device().value_or(options.device_opt().value_or(device)));
  type = call.type().value_or(options.dtype_opt().value_or(type));
  if (device == self.device() && type == self.scalar_type() && !call.flag("copy"))
    return self;
  const bool nonBlocking = call.flag("non_blocking");
  const bool pins = nonBlocking && self.is_cuda() && device.is_cpu();
  const Tensor result = makeTensor(self.sizes(), type, device, pins || options.pinned_memory());
  transfer(result, self, nonBlocking);
  return result;
}

Results clone(Call &call) { return call.result(call.self()); }
Results sameTensor(Call &call) { return call.tensor("self"); }
Results contiguous(Call &call) {
  const Tensor self = call.tensor("self");
  return self.is_contiguous() ? Results(self) : clone(call);
}
Results alias(Call &call) {
  const Tensor self = call.tensor("self");
  return viewOf(self, self.sizes().vec(), self.strides().vec());
}

Results pinMemory(Call &call) {
  const Tensor self = call.tensor("self");
  TORCH_CHECK(!self.is_cuda(), "cannot pin '", self.toString(), "' only dense CPU tensors can be pinned");
  const Tensor pinned = makeTensor(self.sizes(), self.scalar_type(), c10::kCPU, true);
  write(pinned, read(self));
  return pinned;
}
Results isPinnedQuestion(Call &call) { return Results::of(isPinned(*call.tensor("self").unsafeGetTensorImpl())); }
Results isNonZero(Call &call) { return Results::of(item(call.tensor("self")).toDouble() != 0); }

Results newStrided(Call &call) { return factory<zero>(call); }

Results sparse(Call &call) {
  const Tensor values = call.tensor("values");
  Sizes sizes = call.ints("size");
  if (sizes.empty() && values.defined())
    sizes = {values.numel(), values.numel()};
  const Tensor tensor = makeTensor(sizes, values.defined() ? values.scalar_type() : c10::kFloat,
                                   values.defined() ? values.device() : call.options().device());
  tensor.unsafeGetTensorImpl()->sparse = true;
  return tensor;
}

const AddKernels add = {
    {"zeros", factory<zero>},
    {"ones", factory<one>},
    {"full", factory<fillValue>},
    {"empty", factory<zero>},
    {"empty_strided", newStrided},
    {"scalar_tensor", factory<scalarValue>},
    {"zeros_like", factory<zero>},
    {"ones_like", factory<one>},
    {"full_like", factory<fillValue>},
    {"empty_like", factory<zero>},
    {"new_zeros", factory<zero>},
    {"new_ones", factory<one>},
    {"new_full", factory<fillValue>},
    {"new_empty", factory<zero>},
    {"new_empty_strided", newStrided},
    {"rand", random<randomUniform>},
    {"randn", random<randomNormal>},
    {"rand_like", random<randomUniform>},
    {"randn_like", random<randomNormal>},
    {"randint", randint},
    {"randint_like", randint},
    {"arange", arange},
    {"range", arange},
    {"linspace", linspace},
    {"logspace", linspace},
    {"eye", eye},
    {"randperm", randperm},
    {"hann_window", window},
    {"hamming_window", window},
    {"blackman_window", window},
    {"bartlett_window", window},
    {"tril_indices", triangleIndices<false>},
    {"triu_indices", triangleIndices<true>},
    {"normal", normal},
    {"uniform", uniform},
    {"bernoulli", bernoulli},
    {"exponential", exponential},
    {"random", randomIntegers},
    {"log_normal", anyPositive},
    {"cauchy", anyPositive},
    {"geometric", anyPositive},
    {"poisson", anyPositive},
    {"_sample_dirichlet", anyPositive},
    {"multinomial", multinomial},
    {"fill", fill},
    {"zero", fill},
    {"copy", copy},
    {"to", convert},
    {"type_as", convert},
    {"clone", clone},
    {"contiguous", contiguous},
    {"detach", alias},
    {"alias", alias},
    {"to_dense", sameTensor},
    {"to_sparse", sameTensor},
    {"coalesce", sameTensor},
    {"values", sameTensor},
    {"pin_memory", pinMemory},
    {"is_pinned", isPinnedQuestion},
    {"is_nonzero", isNonZero},
    {"sparse_coo_tensor", sparse},
};

} // namespace

} // namespace samedevice::runtime
