// Which stream last wrote to memory, as long as nobody has waited. A launch is over before the next step here, as real
// ones need not be: what keeps them in order in the program, if anything, is asked of this.
#pragma once

#include "Interpreter.h"

#include <map>

namespace samedevice::runtime {

class StreamOrder {
public:
  /// A kernel works on memory. Throws StepFailure where another stream may still write to it.
  void use(const void *address, Stream stream, bool writes) {
    const auto writer = writers_.find(address);
    if (writer != writers_.end() && writer->second != stream)
      throw StepFailure("race: a kernel on " + name(stream) + " uses memory that " + name(writer->second) +
                        " still writes");
    if (writes)
      writers_[address] = stream;
  }
  void synchronize() { writers_.clear(); }

private:
  static std::string name(Stream stream) { return stream == 0 ? "the default stream" : "another stream"; }

  std::map<const void *, Stream> writers_;
};

} // namespace samedevice::runtime
