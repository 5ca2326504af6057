// Choices among options, each a type of its own.
#pragma once
#pragma GCC system_header

#include <variant>

namespace torch {
#define SD_CHOICE(name)                                                                                                \
  namespace enumtype {                                                                                                 \
  struct k##name {};                                                                                                   \
  }                                                                                                                    \
  inline const enumtype::k##name k##name;
SD_CHOICE(Linear)
SD_CHOICE(Conv1D)
SD_CHOICE(Conv2D)
SD_CHOICE(Conv3D)
SD_CHOICE(ConvTranspose1D)
SD_CHOICE(ConvTranspose2D)
SD_CHOICE(ConvTranspose3D)
SD_CHOICE(Sigmoid)
SD_CHOICE(Tanh)
SD_CHOICE(ReLU)
SD_CHOICE(GELU)
SD_CHOICE(SiLU)
SD_CHOICE(LeakyReLU)
SD_CHOICE(FanIn)
SD_CHOICE(FanOut)
SD_CHOICE(Constant)
SD_CHOICE(Reflect)
SD_CHOICE(Replicate)
SD_CHOICE(Circular)
SD_CHOICE(Nearest)
SD_CHOICE(Bilinear)
SD_CHOICE(Bicubic)
SD_CHOICE(Trilinear)
SD_CHOICE(Area)
SD_CHOICE(Sum)
SD_CHOICE(Mean)
SD_CHOICE(Max)
SD_CHOICE(None)
SD_CHOICE(BatchMean)
SD_CHOICE(Zeros)
SD_CHOICE(Border)
SD_CHOICE(Reflection)
SD_CHOICE(Valid)
SD_CHOICE(Same)
#undef SD_CHOICE
} // namespace torch
namespace c10 {
template <class... T> using variant = std::variant<T...>;
using std::get;
using std::get_if;
using std::holds_alternative;
using std::visit;
} // namespace c10
