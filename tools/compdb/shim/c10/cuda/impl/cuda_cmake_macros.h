// PyTorch's build generates this header, but not in a CPU-only build, whose other CUDA headers need it.
#pragma once
