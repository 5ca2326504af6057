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

/// `if (cuda) batch.push_back(x.to(device))`: on the path without CUDA the device is another, and the list has nothing.
TEST(Join, AnElementOfOnePathIsNotWhereOnlyThatPathHasChosen) {
  const facts::Program program;
  const ProgramIndex index(program);
  Universe universe(index);
  constexpr ObjectId frame = 1, list = 2;
  State withGpu(universe), without(universe);
  Value device = Value::of(Value::Device), element = Value::of(Value::Tensor);
  for (State *state : {&withGpu, &without}) {
    device.device = state == &withGpu ? DeviceValue::cuda(0) : DeviceValue::cpu();
    state->set(field(frame, 0), device);
    state->setShape(list, ListShape::Exact);
  }
  element.device = DeviceValue::cuda(0);
  withGpu.set(place(list, Part::Element, 0), element);
  for (const State &met : {State::join(withGpu, without, universe.symbols, before(frame, 1)),
                           State::join(without, withGpu, universe.symbols, before(frame, 1))})
    EXPECT_EQ(met.get(place(list, Part::Element, 0)).device, DeviceValue());
}

} // namespace
} // namespace samedevice::analysis
