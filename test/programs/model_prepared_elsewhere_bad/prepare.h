#pragma once

#include <torch/torch.h>

// What has to be done before a module is asked anything.
void prepare_for_inference(torch::nn::Module& module);
void prepare_for_training(torch::nn::Module& module, torch::Device device);
