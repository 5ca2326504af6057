// Programs in the facts' text form, analysed: what the tests of this folder are made of.
#pragma once

#include "analysis/Findings.h"
#include "facts/Text.h"

#include <gtest/gtest.h>

#include <string>

namespace samedevice::analysis {

inline Result analyzed(const std::string &text, const Limits &limits = {}) {
  std::string error;
  std::optional<facts::Program> program = facts::parse(text, error);
  EXPECT_TRUE(program) << error;
  return program ? analyze(*program, limits) : Result{};
}

/// "ModuleAfterTo@12 HostAccess@15", in the order of places.
inline std::string found(const std::string &text, const Limits &limits = {}) {
  static const char *names[] = {
#define CHECK(NAME, ID, ABOUT) NAME,
#include "analysis/Checks.def"
#undef CHECK
  };
  std::string all;
  for (const Finding &finding : analyzed(text, limits).findings)
    all += (all.empty() ? "" : " ") +
           std::string(names[static_cast<int>(finding.check)]).substr(std::string("device-").size()) + "@" +
           std::to_string(finding.at);
  return all;
}

} // namespace samedevice::analysis
