#pragma once

#include <string>

#include "unet.h"

void keep(Denoiser& net, const std::string& file);
void restore(Denoiser& net, const std::string& file);
