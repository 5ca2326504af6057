// Small programs in the facts' text form, a file each, and what is found in them: cases/AREA/NAME.facts. The first line
// says it: "; finds: mixed-operands@6 missing-guard@9", or "; finds: nothing".
#include "Analyzed.h"
#include "Shuffled.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <vector>

namespace fs = std::filesystem;

namespace samedevice::analysis {
namespace {

std::vector<fs::path> cases() {
  std::vector<fs::path> all;
  for (const fs::directory_entry &entry :
       fs::recursive_directory_iterator(fs::path(SOURCE_DIR) / "test/analysis/cases"))
    if (entry.path().extension() == ".facts")
      all.push_back(entry.path());
  std::sort(all.begin(), all.end());
  return all;
}

std::string read(const fs::path &path) {
  std::ifstream in(path);
  return {std::istreambuf_iterator<char>(in), {}};
}

/// What the first line of a case promises.
std::string promisedBy(const std::string &text) {
  const std::string marker = "; finds: ";
  const std::string line = text.substr(0, text.find('\n'));
  if (line.compare(0, marker.size(), marker) != 0)
    return "a first line that begins with '" + marker + "'";
  const std::string finds = line.substr(marker.size());
  return finds == "nothing" ? std::string() : finds;
}

class Cases : public testing::TestWithParam<fs::path> {};

TEST_P(Cases, FindWhatTheySay) {
  const std::string text = read(GetParam());
  EXPECT_EQ(found(text), promisedBy(text)) << GetParam();
}

/// Functions and classes in another order are the same program, and have the same mistakes in the same places.
TEST_P(Cases, FindTheSameInAnyOrder) {
  const std::string text = read(GetParam());
  for (unsigned seed = 1; seed <= 4; ++seed)
    EXPECT_EQ(found(shuffled(text, seed)), promisedBy(text)) << GetParam() << ", shuffled with seed " << seed;
}

std::string nameOf(const testing::TestParamInfo<fs::path> &info) {
  std::string name = info.param.parent_path().filename().string() + "__" + info.param.stem().string();
  std::replace_if(name.begin(), name.end(), [](unsigned char c) { return !std::isalnum(c); }, '_');
  return name;
}

INSTANTIATE_TEST_SUITE_P(Every, Cases, testing::ValuesIn(cases()), nameOf);

} // namespace
} // namespace samedevice::analysis
