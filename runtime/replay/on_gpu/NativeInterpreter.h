// Carries out a witness on the shim's own tensors and modules.
#pragma once

#include "Memory.h"
#include "replay/Interpreter.h"

namespace samedevice::runtime {

class NativeInterpreter final : public Interpreter {
public:
  explicit NativeInterpreter(Backend &backend) : backend_(backend), memory_(backend) {}

  void run(const Step &step) override;

private:
  // Tensors.
  TensorValue makeTensor(Device device, int rank, bool pinned = false);
  TensorValue moved(const TensorValue &tensor, Device device, bool nonBlocking);
  void copyInto(const TensorValue &to, const TensorValue &from, bool nonBlocking);
  void runOperator(const Step &step);
  TensorValue computed(Device device, int rank, const std::vector<TensorValue> &inputs);

  // Modules.
  void makeModule(const Step &step, bool isScript);
  void registerChild(const Step &step);
  void unregister(const Step &step);
  void findParameter(const Step &step);
  void moveInPlace(const TensorValue &tensor, Device device);
  ModuleValue cloned(const ModuleValue &module, std::optional<Device> device);
  void loadState(const Step &step);
  void forward(const Step &step);
  void checkForward(const ModuleObject &module, const std::vector<TensorValue> &inputs) const;
  void makeOptimizer(const Step &step);
  void stepOptimizer(const Step &step);

  // Memory.
  void allocate(const Step &step);
  void takePointer(const Step &step);
  void makeFromBlob(const Step &step);
  void copyMemory(const Step &step);
  std::shared_ptr<Storage> storageOf(int id) const;

  Device device(const std::string &text) const;
  template <class T> const T &get(int id, const char *what) const;
  void define(int id, Value value);

  Backend &backend_;
  WitnessMemory memory_;
  std::map<int, Value> values_;
};

} // namespace samedevice::runtime
