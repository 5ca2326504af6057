#pragma once

#include <torch/torch.h>

#include <string>

// Where everything happens, and the mean of all latents seen so far: both are set by `configure`.
extern torch::Device device;
extern torch::Tensor latent_mean;

void configure(const std::string& backend, int64_t latent_size);
