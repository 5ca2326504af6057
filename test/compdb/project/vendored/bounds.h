#pragma once

inline constexpr int warpSize32 = 32;
