#include "Docs.h"

#include <algorithm>
#include <fstream>
#include <sstream>

namespace fs = std::filesystem;

namespace samedevice::docs {
namespace {

constexpr std::string_view kBegin = "<!-- checks:begin -->\n", kEnd = "<!-- checks:end -->";

bool isCheck(const std::string &name) { return std::ranges::find(checks(), name, &Check::name) != checks().end(); }

bool hasFixture(const fs::path &folder, std::string_view ending) {
  for (const fs::directory_entry &entry : fs::directory_iterator(folder))
    if (entry.path().stem().string().ends_with(ending))
      return true;
  return false;
}

void examinePage(const fs::path &root, const Check &check, std::vector<std::string> &result) {
  const std::string page = "docs/checks/" + check.name + ".md";
  if (!fs::exists(root / page))
    result.push_back(page + ": missing");
  else if (!readFile(root / page).starts_with("# " + check.name + "\n"))
    result.push_back(page + ": must begin with '# " + check.name + "'");
}

void examineFixtures(const fs::path &root, const Check &check, std::vector<std::string> &result) {
  const std::string folder = "test/fixtures/" + check.name;
  for (std::string_view ending : {"_bad", "_ok"})
    if (!fs::exists(root / folder) || !hasFixture(root / folder, ending))
      result.push_back(folder + ": no fixture ends in " + std::string(ending));
}

} // namespace

const std::vector<Check> &checks() {
  static const std::vector<Check> list = {
#define CHECK(NAME, CLASS, SUMMARY) {NAME, SUMMARY},
#include "analysis/Checks.def"
#undef CHECK
  };
  return list;
}

std::string readFile(const fs::path &path) {
  std::ifstream in(path);
  return {std::istreambuf_iterator<char>(in), {}};
}

std::string withTable(const std::string &readme) {
  const std::size_t begin = readme.find(kBegin), end = readme.find(kEnd);
  if (begin == readme.npos || end == readme.npos)
    return readme;
  std::ostringstream table;
  table << "| check | the mistake |\n|---|---|\n";
  for (const Check &check : checks())
    table << "| [`" << check.name << "`](docs/checks/" << check.name << ".md) | " << check.summary << " |\n";
  return readme.substr(0, begin + kBegin.size()) + table.str() + readme.substr(end);
}

std::vector<std::string> drift(const fs::path &root) {
  std::vector<std::string> result;
  const std::string readme = readFile(root / "README.md");
  if (readme.find(kBegin) == readme.npos || readme.find(kEnd) == readme.npos)
    result.push_back("README.md: no markers around the table of checks");
  if (withTable(readme) != readme)
    result.push_back("README.md: the table of checks is out of date: ./dev docs");
  for (const Check &check : checks()) {
    examinePage(root, check, result);
    examineFixtures(root, check, result);
  }
  for (const char *folder : {"docs/checks", "test/fixtures"})
    if (fs::exists(root / folder))
      for (const fs::directory_entry &entry : fs::directory_iterator(root / folder))
        if (const std::string name = entry.path().stem(); name.starts_with("device-") && !isCheck(name))
          result.push_back(std::string(folder) + "/" + name + ": there is no such check");
  return result;
}

} // namespace samedevice::docs
