#include <cstdlib>
#include <iostream>

#include "acoustic_model.h"
#include "vocoder.h"

// The GPU is chosen on the command line: by default, the second.
int main(int argc, char** argv) {
  const torch::Device device(torch::kCUDA, static_cast<c10::DeviceIndex>(argc > 1 ? std::atoi(argv[1]) : 1));
  AcousticModel model(device);
  Vocoder vocoder;
  auto sound = vocoder.speak(model.spectrum({4, 8, 15, 16, 23}));
  std::cout << sound.numel() << " samples\n";
}
