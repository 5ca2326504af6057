// Work in child processes, and what becomes of it.
#include "Children.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <map>
#include <unistd.h>

namespace samedevice::check {
namespace {

std::map<size_t, ChildResult> run(size_t count, unsigned width, std::chrono::seconds limit,
                                  llvm::function_ref<std::string(size_t)> work) {
  std::map<size_t, ChildResult> results;
  runInChildren(count, width, limit, work,
                [&](size_t which, ChildResult result) { results[which] = std::move(result); });
  return results;
}

TEST(Children, HandOverWhatTheyMake) {
  const auto results =
      run(5, 2, std::chrono::seconds(60), [](size_t which) { return std::string(which * 100000, 'x'); });
  ASSERT_EQ(results.size(), 5U);
  for (const auto &[which, result] : results) {
    EXPECT_EQ(result.output.size(), which * 100000); // more than a pipe holds
    EXPECT_EQ(result.failure, "");
  }
}

TEST(Children, DoNotTakeOthersAlong) {
  const auto results = run(4, 4, std::chrono::seconds(2), [](size_t which) -> std::string {
    if (which == 0)
      std::abort();
    if (which == 1)
      ::sleep(600);
    if (which == 2)
      ::_exit(7);
    return "done";
  });
  EXPECT_EQ(results.at(0).failure, "the front end crashed (Aborted)");
  EXPECT_EQ(results.at(1).failure, "the front end was not done after 2 s");
  EXPECT_EQ(results.at(2).failure, "the front end gave up (exit status 7)");
  EXPECT_EQ(results.at(3).output, "done");
}

} // namespace
} // namespace samedevice::check
