// Where two paths meet.
#include "analysis/State.h"

#include <gtest/gtest.h>

namespace samedevice::analysis {
namespace {

DeviceValue joined(DeviceValue one, DeviceValue other) {
  Symbols symbols;
  Value a = Value::of(Value::Tensor), b = a, out;
  a.device = one;
  b.device = other;
  EXPECT_TRUE(joinValues(place(1, Part::Child, 1), a, b, out, symbols, before(1, 1)));
  return out.device;
}

TEST(Join, OfTwoGpusNeitherIsKnown) {
  EXPECT_EQ(joined(DeviceValue::cuda(0), DeviceValue::cuda(1)), DeviceValue());
  EXPECT_EQ(joined(DeviceValue::cuda(1), DeviceValue::cuda(0)), DeviceValue());
}

TEST(Join, OneGpuStaysKnown) { EXPECT_EQ(joined(DeviceValue::cuda(1), DeviceValue::cuda(1)), DeviceValue::cuda(1)); }

TEST(Join, OfAGpuAndTheCpuItIsOne) {
  const DeviceValue either = joined(DeviceValue::cuda(0), DeviceValue::cpu());
  EXPECT_EQ(either.kind, DeviceValue::Symbol);
}

} // namespace
} // namespace samedevice::analysis
