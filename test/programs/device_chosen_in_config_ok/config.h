#pragma once

#include <torch/torch.h>

#include <string>

// Where everything happens; set once, by `configure`.
extern torch::Device device;
extern int64_t latent_size;

void configure(const std::string& backend);
