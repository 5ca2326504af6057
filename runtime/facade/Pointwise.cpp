// Operators that work element by element.
#include "Call.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace samedevice::runtime {

namespace {

using Unary = double (*)(double);
using Binary = double (*)(double, double);

constexpr double kPi = 3.14159265358979323846;

Array map(const Array &in, c10::ScalarType type, const std::function<double(double)> &function) {
  Array out(in.sizes, type);
  for (std::size_t i = 0; i < out.values.size(); ++i)
    out.values[i] = function(in.values[i]);
  return out;
}

Array zip(const Array &a, const Array &b, c10::ScalarType type, const std::function<double(double, double)> &function) {
  const Sizes shape = broadcastShapes(a.sizes, b.sizes);
  const Array left = broadcast(a, shape), right = broadcast(b, shape);
  Array out(shape, type);
  for (std::size_t i = 0; i < out.values.size(); ++i)
    out.values[i] = function(left.values[i], right.values[i]);
  return out;
}

/// Keep an integer type as it is.
const std::map<std::string, Unary> kSameType = {
    {"abs", [](double x) { return std::fabs(x); }},
    {"ceil", [](double x) { return std::ceil(x); }},
    {"floor", [](double x) { return std::floor(x); }},
    {"round", [](double x) { return std::nearbyint(x); }},
    {"trunc", [](double x) { return std::trunc(x); }},
    {"fix", [](double x) { return std::trunc(x); }},
    {"frac", [](double x) { return x - std::trunc(x); }},
    {"neg", [](double x) { return -x; }},
    {"negative", [](double x) { return -x; }},
    {"positive", [](double x) { return x; }},
    {"square", [](double x) { return x * x; }},
    {"sign", [](double x) { return static_cast<double>((x > 0) - (x < 0)); }},
    {"sgn", [](double x) { return static_cast<double>((x > 0) - (x < 0)); }},
    {"relu", [](double x) { return x > 0 ? x : 0; }},
    {"relu6", [](double x) { return x < 0   ? 0
                                    : x > 6 ? 6
                                            : x; }},
    {"bitwise_not", [](double x) { return static_cast<double>(~static_cast<int64_t>(x)); }},
    {"real", [](double x) { return x; }},
    {"conj", [](double x) { return x; }},
    {"nan_to_num", [](double x) { return std::isnan(x) ? 0 : x; }},
};

/// Make a floating type of an integer one.
const std::map<std::string, Unary> kFloating = {
    {"acos", [](double x) { return std::acos(x); }},
    {"asin", [](double x) { return std::asin(x); }},
    {"atan", [](double x) { return std::atan(x); }},
    {"cos", [](double x) { return std::cos(x); }},
    {"cosh", [](double x) { return std::cosh(x); }},
    {"sin", [](double x) { return std::sin(x); }},
    {"sinh", [](double x) { return std::sinh(x); }},
    {"tan", [](double x) { return std::tan(x); }},
    {"tanh", [](double x) { return std::tanh(x); }},
    {"erf", [](double x) { return std::erf(x); }},
    {"exp", [](double x) { return std::exp(x); }},
    {"expm1", [](double x) { return std::expm1(x); }},
    {"log", [](double x) { return std::log(x); }},
    {"log10", [](double x) { return std::log10(x); }},
    {"log1p", [](double x) { return std::log1p(x); }},
    {"log2", [](double x) { return std::log2(x); }},
    {"lgamma", [](double x) { return std::lgamma(x); }},
    {"reciprocal", [](double x) { return 1 / x; }},
    {"rsqrt", [](double x) { return 1 / std::sqrt(x); }},
    {"sqrt", [](double x) { return std::sqrt(x); }},
    {"sigmoid", [](double x) { return 1 / (1 + std::exp(-x)); }},
    {"logit", [](double x) { return std::log(x / (1 - x)); }},
    {"selu", [](double x) { return 1.0507 * (x > 0 ? x : 1.67326 * std::expm1(x)); }},
    {"gelu", [](double x) { return x * 0.5 * (1 + std::erf(x / std::sqrt(2.0))); }},
    {"silu", [](double x) { return x / (1 + std::exp(-x)); }},
    {"mish", [](double x) { return x * std::tanh(std::log1p(std::exp(x))); }},
    {"hardswish", [](double x) { return x * std::fmin(std::fmax(x + 3, 0), 6) / 6; }},
    {"hardsigmoid", [](double x) { return std::fmin(std::fmax(x / 6 + 0.5, 0), 1); }},
    {"log_sigmoid", [](double x) { return -std::log1p(std::exp(-x)); }},
    {"deg2rad", [](double x) { return x * kPi / 180; }},
    {"rad2deg", [](double x) { return x * 180 / kPi; }},
    {"sinc", [](double x) { return x == 0 ? 1 : std::sin(kPi * x) / (kPi * x); }},
    {"angle", [](double x) { return x < 0 ? kPi : 0; }},
};

const std::map<std::string, Unary> kQuestions = {
    {"isnan", [](double x) { return static_cast<double>(std::isnan(x)); }},
    {"isinf", [](double x) { return static_cast<double>(std::isinf(x)); }},
    {"isfinite", [](double x) { return static_cast<double>(std::isfinite(x)); }},
    {"logical_not", [](double x) { return static_cast<double>(x == 0); }},
};

const std::map<std::string, Binary> kComparisons = {
    {"eq", [](double a, double b) { return static_cast<double>(a == b); }},
    {"ne", [](double a, double b) { return static_cast<double>(a != b); }},
    {"lt", [](double a, double b) { return static_cast<double>(a < b); }},
    {"le", [](double a, double b) { return static_cast<double>(a <= b); }},
    {"gt", [](double a, double b) { return static_cast<double>(a > b); }},
    {"ge", [](double a, double b) { return static_cast<double>(a >= b); }},
    {"not_equal", [](double a, double b) { return static_cast<double>(a != b); }},
    {"less", [](double a, double b) { return static_cast<double>(a < b); }},
    {"less_equal", [](double a, double b) { return static_cast<double>(a <= b); }},
    {"greater", [](double a, double b) { return static_cast<double>(a > b); }},
    {"greater_equal", [](double a, double b) { return static_cast<double>(a >= b); }},
    {"logical_and", [](double a, double b) { return static_cast<double>(a != 0 && b != 0); }},
    {"logical_or", [](double a, double b) { return static_cast<double>(a != 0 || b != 0); }},
    {"logical_xor", [](double a, double b) { return static_cast<double>((a != 0) != (b != 0)); }},
    {"isclose", [](double a, double b) { return static_cast<double>(std::fabs(a - b) <= 1e-8 + 1e-5 * std::fabs(b)); }},
};

double floorMod(double a, double b) { return b == 0 ? NAN : a - b * std::floor(a / b); }
int64_t whole(double x) { return static_cast<int64_t>(x); }

const std::map<std::string, Binary> kBinary = {
    {"mul", [](double a, double b) { return a * b; }},
    {"multiply", [](double a, double b) { return a * b; }},
    {"pow", [](double a, double b) { return std::pow(a, b); }},
    {"maximum", [](double a, double b) { return std::fmax(a, b); }},
    {"minimum", [](double a, double b) { return std::fmin(a, b); }},
    {"fmax", [](double a, double b) { return std::fmax(a, b); }},
    {"fmin", [](double a, double b) { return std::fmin(a, b); }},
    {"remainder", floorMod},
    {"fmod", [](double a, double b) { return std::fmod(a, b); }},
    {"floor_divide", [](double a, double b) { return std::floor(a / b); }},
    {"atan2", [](double a, double b) { return std::atan2(a, b); }},
    {"hypot", [](double a, double b) { return std::hypot(a, b); }},
    {"copysign", [](double a, double b) { return std::copysign(a, b); }},
    {"xlogy", [](double a, double b) { return a == 0 ? 0 : a * std::log(b); }},
    {"heaviside", [](double a, double b) { return a == 0 ? b : a > 0; }},
    {"bitwise_and", [](double a, double b) { return static_cast<double>(whole(a) & whole(b)); }},
    {"bitwise_or", [](double a, double b) { return static_cast<double>(whole(a) | whole(b)); }},
    {"bitwise_xor", [](double a, double b) { return static_cast<double>(whole(a) ^ whole(b)); }},
};

/// The second operand, whatever the operator calls it.
const char *otherOf(const Call &call) {
  for (const char *name : {"other", "exponent", "values"})
    if (call.has(name))
      return name;
  return "other";
}

Results sameType(Call &call) {
  const Array in = call.self();
  return call.result(map(in, in.type, kSameType.at(call.name())));
}
Results makesFloating(Call &call) {
  const Array in = call.self();
  return call.result(map(in, floating(in.type), kFloating.at(call.name())));
}
Results question(Call &call) { return call.result(map(call.self(), c10::kBool, kQuestions.at(call.name()))); }
Results comparison(Call &call) {
  return call.result(zip(call.self(), call.array("other"), c10::kBool, kComparisons.at(call.name())));
}
Results binary(Call &call) {
  const char *other = otherOf(call);
  // x.max(y) is maximum(x, y).
  const std::string name = call.name() == "max" ? "maximum" : call.name() == "min" ? "minimum" : call.name();
  return call.result(zip(call.self(), call.array(other), promotedType(call, {"self", other}), kBinary.at(name)));
}

Results sum(Call &call, double sign) {
  const double factor = sign * call.real("alpha", 1);
  return call.result(zip(call.self(), call.array("other"), promotedType(call, {"self", "other"}),
                         [&](double a, double b) { return a + factor * b; }));
}
Results add(Call &call) { return sum(call, 1); }
Results sub(Call &call) { return sum(call, -1); }
Results rsub(Call &call) {
  const double factor = call.real("alpha", 1);
  return call.result(zip(call.self(), call.array("other"), promotedType(call, {"self", "other"}),
                         [&](double a, double b) { return b - factor * a; }));
}
Results div(Call &call) {
  const std::string mode = call.text("rounding_mode");
  const c10::ScalarType type = promotedType(call, {"self", "other"});
  return call.result(
      zip(call.self(), call.array("other"), mode.empty() ? floating(type) : type, [&](double a, double b) {
        return mode == "floor" ? std::floor(a / b) : mode == "trunc" ? std::trunc(a / b) : a / b;
      }));
}

Results clamp(Call &call) {
  Array out = call.self();
  const auto bound = [&](const char *name, double (*pick)(double, double)) {
    if (call.isGiven(name))
      out = zip(out, call.array(name), out.type, pick);
  };
  bound("min", [](double a, double b) { return std::fmax(a, b); });
  bound("max", [](double a, double b) { return std::fmin(a, b); });
  return call.result(out);
}

/// A parameter of the function is one number of the call.
template <double (*Function)(double x, double parameter)>
Results withParameter(Call &call, const char *name, double otherwise) {
  const double parameter = call.real(name, otherwise);
  const Array in = call.self();
  return call.result(map(in, floating(in.type), [&](double x) { return Function(x, parameter); }));
}
double leaky(double x, double slope) { return x > 0 ? x : slope * x; }
double exponentialUnit(double x, double alpha) { return x > 0 ? x : alpha * std::expm1(x); }
double softPlus(double x, double beta) { return std::log1p(std::exp(beta * x)) / beta; }
double softShrink(double x, double lambda) { return x > lambda ? x - lambda : x < -lambda ? x + lambda : 0; }
double hardShrink(double x, double lambda) { return std::fabs(x) > lambda ? x : 0; }

Results hardtanh(Call &call) {
  const double least = call.real("min_val", -1), most = call.real("max_val", 1);
  const Array in = call.self();
  return call.result(map(in, in.type, [&](double x) { return std::fmin(std::fmax(x, least), most); }));
}

Results threshold(Call &call) {
  const double limit = call.real("threshold"), value = call.real("value");
  const Array in = call.self();
  return call.result(map(in, in.type, [&](double x) { return x > limit ? x : value; }));
}

Results addProduct(Call &call, double (*combine)(double, double)) {
  const double factor = call.real("value", 1);
  const Array product = zip(call.array("tensor1"), call.array("tensor2"), call.self().type, combine);
  return call.result(zip(call.self(), product, product.type, [&](double a, double b) { return a + factor * b; }));
}

Results lerp(Call &call) {
  const Array start = call.self();
  const Array step = zip(zip(call.array("end"), start, start.type, [](double a, double b) { return a - b; }),
                         call.array("weight"), start.type, [](double a, double b) { return a * b; });
  return call.result(zip(start, step, start.type, [](double a, double b) { return a + b; }));
}

Results where(Call &call) {
  const Array condition = call.array("condition");
  if (!call.has("other"))
    return kernels().at("nonzero_numpy")(call);
  const Array yes = call.self(), no = call.array("other");
  const Sizes shape = broadcastShapes(condition.sizes, broadcastShapes(yes.sizes, no.sizes));
  const Array c = broadcast(condition, shape), y = broadcast(yes, shape), n = broadcast(no, shape);
  Array out(shape, promotedType(call, {"self", "other"}));
  for (std::size_t i = 0; i < out.values.size(); ++i)
    out.values[i] = c.values[i] != 0 ? y.values[i] : n.values[i];
  return call.result(out);
}

Results prelu(Call &call) {
  Array in = call.self();
  const Array weight = call.array("weight");
  for (double &x : in.values)
    x = x > 0 ? x : x * weight.values.at(0);
  return call.result(in);
}

Results bucketize(Call &call) {
  const Array boundaries = call.array(call.has("boundaries") ? "boundaries" : "sorted_sequence");
  const bool right = call.flag("right");
  return call.result(map(call.self(), call.flag("out_int32") ? c10::kInt : c10::kLong, [&](double x) {
    const auto &all = boundaries.values;
    return static_cast<double>(
        (right ? std::upper_bound(all.begin(), all.end(), x) : std::lower_bound(all.begin(), all.end(), x)) -
        all.begin());
  }));
}

template <class Table> struct AddTable {
  AddTable(const Table &table, OperatorKernel kernel) {
    for (const auto &[name, function] : table)
      kernels()[name] = kernel;
  }
};
const AddTable addSameType(kSameType, sameType), addFloating(kFloating, makesFloating),
    addQuestions(kQuestions, question);
const AddTable addComparisons(kComparisons, comparison), addBinary(kBinary, binary);

const AddKernels addOthers = {
    {"add", add},
    {"sub", sub},
    {"subtract", sub},
    {"rsub", rsub},
    {"div", div},
    {"divide", div},
    {"true_divide", div},
    {"clamp", clamp},
    {"clip", clamp},
    {"clamp_min", clamp},
    {"clamp_max", clamp},
    {"leaky_relu", [](Call &c) { return withParameter<leaky>(c, "negative_slope", 0.01); }},
    {"elu", [](Call &c) { return withParameter<exponentialUnit>(c, "alpha", 1); }},
    {"celu", [](Call &c) { return withParameter<exponentialUnit>(c, "alpha", 1); }},
    {"softplus", [](Call &c) { return withParameter<softPlus>(c, "beta", 1); }},
    {"softshrink", [](Call &c) { return withParameter<softShrink>(c, "lambd", 0.5); }},
    {"hardshrink", [](Call &c) { return withParameter<hardShrink>(c, "lambd", 0.5); }},
    {"rrelu", [](Call &c) { return withParameter<leaky>(c, "lower", 0.125); }},
    {"hardtanh", hardtanh},
    {"threshold", threshold},
    {"addcmul", [](Call &c) { return addProduct(c, [](double a, double b) { return a * b; }); }},
    {"addcdiv", [](Call &c) { return addProduct(c, [](double a, double b) { return a / b; }); }},
    {"lerp", lerp},
    {"where", where},
    {"prelu", prelu},
    {"bucketize", bucketize},
    {"searchsorted", bucketize},
};

} // namespace

} // namespace samedevice::runtime
