// What nearly every fixture includes.
#include <torch/torch.h>
