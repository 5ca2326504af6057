#pragma once

#include <cstddef>
#include <vector>

float sum(const std::vector<float> &values);
std::vector<int> runningTotals(const std::vector<int> &values);
std::vector<int> sortedDistinct(std::vector<int> values);
const char *banner();
