#include "Memory.h"

#include "replay/Interpreter.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>

namespace samedevice::runtime {

namespace {

constexpr unsigned char kPoison = 0xA5;
/// What the host writes over the source of a pending copy.
constexpr float kOverwritten = -12345.0f;

std::string announced;

} // namespace

void announceTouch(const std::string &place) { announced = place; }
std::string announcedTouch() { return announced; }

void WitnessMemory::check(Error error) const {
  const std::string text = "CUDA error: " + backend_.explain(error);
  // An error that no witness is about says more of the machine than of the finding.
  if (error == Error::Unknown)
    throw Unsupported(text);
  if (error != Error::None)
    throw StepFailure(text);
}

void WitnessMemory::checkKernel() {
  const Error error = backend_.synchronizeDevice();
  const Error last = backend_.takeError();
  check(error != Error::None ? error : last);
}

std::shared_ptr<Storage> WitnessMemory::make(Memory memory, Device device) {
  auto storage = std::make_shared<Storage>();
  storage->memory = memory;
  if (memory == Memory::Unregistered) {
    storage->address = std::calloc(Storage::kElements, sizeof(float));
    storage->free = [](void *address) { std::free(address); };
    return storage;
  }
  storage->device = device;
  const OnDevice guard(backend_, device);
  check(backend_.allocate(memory, Storage::kBytes, &storage->address));
  storage->free = [&backend = backend_](void *address) { backend.release(address); };
  return storage;
}

std::shared_ptr<Storage> WitnessMemory::makeView(const std::shared_ptr<Storage> &storage) {
  auto view = std::make_shared<Storage>();
  view->address = storage->address;
  view->memory = storage->memory;
  view->device = storage->device;
  view->viewOf = storage;
  view->isView = true;
  return view;
}

bool WitnessMemory::looksUnfilled(const Storage &storage) const {
  const auto *bytes = static_cast<const unsigned char *>(storage.address);
  return std::all_of(bytes, bytes + Storage::kBytes, [](unsigned char byte) { return byte == kPoison; });
}

void WitnessMemory::touchOnHost(const std::shared_ptr<Storage> &storage, bool write) {
  if (storage->isView) {
    const auto owner = storage->viewOf.lock();
    if (!owner)
      throw StepFailure("dangling: the host touches memory that has been freed");
    return touchOnHost(owner, write);
  }
  std::string place = std::string(memoryName(storage->memory)) + " memory";
  if (storage->memory == Memory::Device)
    place = "memory of " + storage->device.text();
  else if (const std::optional<Device> from = storage->filledBy)
    place = "pinned memory that a copy from " + from->text() + " has not filled yet";
  else if (const std::optional<Device> to = storage->readBy; to && write)
    place = "pinned memory that a copy to " + to->text() + " still reads";
  announceTouch(place);
  auto *values = static_cast<volatile float *>(storage->address);
  volatile float sum = 0;
  for (std::size_t i = 0; i < Storage::kElements; ++i) {
    if (write)
      values[i] = kOverwritten;
    else
      sum = sum + values[i];
  }
  // A simulated GPU has faulted by now. A real one leaves its traces.
  if (storage->filledBy && looksUnfilled(*storage))
    throw StepFailure("stale read: the host reads " + place);
  const auto target = storage->readInto.lock();
  if (write && storage->readBy && target) {
    std::vector<float> arrived(Storage::kElements);
    backend_.synchronizeDevice();
    backend_.copy(arrived.data(), target->address, Storage::kBytes, CopyKind::Default);
    if (std::count(arrived.begin(), arrived.end(), kOverwritten) != 0)
      throw StepFailure("overwritten source: the host writes " + place);
  }
}

void WitnessMemory::touchOnDevice(const std::vector<std::shared_ptr<Storage>> &storages, Stream stream, bool writes) {
  Kernel kernel;
  kernel.kind = Kernel::Touch;
  kernel.count = Storage::kElements;
  if (storages.empty())
    kernel.kind = Kernel::Delay;
  for (std::size_t i = 0; i < std::max<std::size_t>(storages.size(), 1); ++i) {
    if (!storages.empty() && storages[i]->memory == Memory::Unregistered && backend_.reachesHostMemory())
      throw Unsupported("this GPU's kernels reach the host's memory, so that nothing fails here");
    if (!storages.empty())
      kernel.a = static_cast<const float *>(storages[i]->address);
    check(backend_.launch(kernel, stream));
    checkKernel();
    if (!storages.empty())
      order_.use(storages[i]->address, stream, writes);
  }
}

void WitnessMemory::compute(Device device, const Storage &out, const std::vector<std::shared_ptr<Storage>> &inputs) {
  const OnDevice guard(backend_, device);
  Kernel kernel;
  kernel.out = static_cast<float *>(out.address);
  kernel.count = Storage::kElements;
  kernel.kind = inputs.empty() ? Kernel::Fill : Kernel::Copy;
  if (!inputs.empty())
    kernel.a = static_cast<const float *>(inputs[0]->address);
  check(backend_.launch(kernel, 0));
  for (std::size_t i = 1; i < inputs.size(); ++i) {
    kernel.kind = Kernel::Add;
    kernel.a = static_cast<const float *>(out.address);
    kernel.b = static_cast<const float *>(inputs[i]->address);
    check(backend_.launch(kernel, 0));
  }
  checkKernel();
}

void WitnessMemory::copy(const std::shared_ptr<Storage> &to, const std::shared_ptr<Storage> &from, CopyKind kind,
                         bool nonBlocking) {
  const bool toHost = from->memory == Memory::Device && to->memory == Memory::Pinned;
  const bool toDevice = from->memory == Memory::Pinned && to->memory == Memory::Device;
  const Device device = from->memory == Memory::Device ? from->device : to->device;
  const OnDevice guard(backend_, device);
  if (!nonBlocking || !(toHost || toDevice)) {
    check(backend_.copy(to->address, from->address, Storage::kBytes, kind));
    return;
  }
  if (toHost && !to->filledBy)
    std::memset(to->address, kPoison, Storage::kBytes);
  // A real GPU would be done before the host looks; give it something else to do first.
  Kernel delay;
  delay.kind = Kernel::Delay;
  check(backend_.launch(delay, 0));
  check(backend_.copyAsync(to->address, from->address, Storage::kBytes, kind, 0));
  if (toHost) {
    to->filledBy = device;
    pending_.push_back(to);
  } else {
    from->readBy = device;
    from->readInto = to;
    pending_.push_back(from);
  }
}

void WitnessMemory::synchronize() {
  order_.synchronize();
  for (int i = 0; i < backend_.deviceCount(); ++i) {
    const OnDevice guard(backend_, Device{i});
    checkKernel();
  }
  for (const auto &weak : pending_)
    if (const auto storage = weak.lock()) {
      storage->filledBy.reset();
      storage->readBy.reset();
      storage->readInto.reset();
    }
  pending_.clear();
}

} // namespace samedevice::runtime
