// Kernel launches that nvcc takes, in the spelling that Clang takes: nothing changes its place.
#include "clang/LaunchSpelling.h"

#include <gtest/gtest.h>

namespace samedevice::clangfront {
namespace {

std::string respelled(const std::string &text) {
  const std::string made = launchesForClang(text).value_or(text);
  EXPECT_EQ(made.size(), text.size());
  return made;
}

TEST(LaunchSpelling, PutsGridsInParentheses) {
  EXPECT_EQ(respelled("f<<<{m, n}, {32, 8}>>>(x);"), "f<<<(m, n), (32, 8)>>>(x);");
  EXPECT_EQ(respelled("f<float><<<\n  {div(m, {2})}, 8, 0, {}>>>\n(x);"),
            "f<float><<<\n  (div(m, {2})), 8, 0, 0 >>>\n(x);");
  EXPECT_EQ(respelled("#define GO(...) (*f)<<<{1, 2}, \\\n {4}>>>(__VA_ARGS__)"),
            "#define GO(...) (*f)<<<(1, 2), \\\n (4)>>>(__VA_ARGS__)");
}

TEST(LaunchSpelling, PutsAnglesTogether) {
  EXPECT_EQ(respelled("f<< <m, 32, 0, s>> >(x);"), "f <<<m, 32, 0, s >>>(x);");
  EXPECT_EQ(respelled("f<T> << < m, dim3{2, 4} >> > (x);"), "f<T>  <<< m, dim3{2, 4}  >>> (x);");
}

TEST(LaunchSpelling, LeavesAllElseAlone) {
  for (const char *text :
       {"f<<<m, 32>>>(x);", "// f<<<{m}, 32>>>(x);", "/* f<< <m, n>> >(x) */", "auto s = \"f<<<{1}, 2>>>(x)\";",
        "auto s = R\"-(f<<<{1}, 2>>>(x))-\";", "x = y << 3; std::vector<std::vector<g<int>> > v({1});",
        "<<<<<<< HEAD\n{1}, >>>>>>> (x)", "f<<<{m, 32;\n}>>>(x);"})
    EXPECT_FALSE(launchesForClang(text)) << text;
}

} // namespace
} // namespace samedevice::clangfront
