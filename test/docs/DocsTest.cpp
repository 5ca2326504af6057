// The list of checks is kept in one place; what is said about them elsewhere must follow.
#include "Docs.h"

#include "Diagnostics.h"

#include <gtest/gtest.h>

#include <set>
#include <sstream>

namespace samedevice::docs {
namespace {

TEST(Docs, SayTheSameEverywhere) {
  for (const std::string &line : drift(SOURCE_DIR))
    ADD_FAILURE() << line;
}

TEST(Docs, AreAboutTheChecksThatThePluginHas) {
  std::set<std::string> listed, registered;
  for (const Check &check : checks())
    listed.insert(check.name);
  std::istringstream output(
      harness::run({CLANG_TIDY, "-load", PLUGIN, "--config={}", "--checks=-*,device-*", "--list-checks"}).output);
  for (std::string word; output >> word;)
    if (word.starts_with("device-"))
      registered.insert(word);
  EXPECT_EQ(listed, registered);
}

TEST(Docs, TheTableStandsBetweenItsMarkers) {
  const std::string readme = "a\n<!-- checks:begin -->\nold\n<!-- checks:end -->\nb\n";
  const std::string written = withTable(readme);
  EXPECT_TRUE(written.starts_with("a\n<!-- checks:begin -->\n| check |"));
  EXPECT_TRUE(written.ends_with("|\n<!-- checks:end -->\nb\n"));
  EXPECT_EQ(withTable(written), written);
  EXPECT_EQ(withTable("no markers"), "no markers");
}

} // namespace
} // namespace samedevice::docs
