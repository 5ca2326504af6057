// Turns ops.tsv into constant data: argument 1 is the table, argument 2 the file to write.
#include <algorithm>
#include <fstream>
#include <iostream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

namespace {

using Row = std::map<std::string, std::string>;

std::vector<std::string> split(const std::string &text, char separator) {
  std::vector<std::string> parts;
  std::istringstream stream(text);
  for (std::string part; std::getline(stream, part, separator);)
    parts.push_back(part);
  return parts;
}

bool lists(const std::string &names, const std::string &name) {
  const std::vector<std::string> parts = split(names, ',');
  return std::find(parts.begin(), parts.end(), name) != parts.end();
}

std::vector<Row> readTable(std::istream &in) {
  std::string line;
  std::getline(in, line);
  const std::vector<std::string> columns = split(line, '\t');
  std::vector<Row> rows;
  while (std::getline(in, line)) {
    const std::vector<std::string> cells = split(line, '\t');
    Row &row = rows.emplace_back();
    for (std::size_t i = 0; i < columns.size(); ++i)
      row[columns[i]] = i < cells.size() ? cells[i] : "";
  }
  return rows;
}

/// The names a row is called by: `abs_out,abs_outf`, `data_ptr<T>`, `accessor<T,N>`.
std::vector<std::string> calledNames(const Row &row) {
  const std::string &names = row.at("cpp_names");
  if (names.rfind("operator", 0) == 0)
    return {names};
  const std::size_t templateArguments = names.find('<');
  if (templateArguments != names.npos)
    return {names.substr(0, templateArguments)};
  return split(names, ',');
}

/// same_scalar0 becomes SameScalar0.
std::string camel(const std::string &text) {
  std::string result;
  for (const std::string &part : split(text, '_'))
    result += static_cast<char>(std::toupper(part[0])) + part.substr(1);
  return result;
}

std::string quoted(const std::string &text) { return '"' + text + '"'; }

/// `before` as a row of its own, "2.6 any free=out+self": what was asked for before that version. Empty where nothing
/// else was.
std::vector<Row> olderRule(const Row &row) {
  const std::vector<std::string> words = split(row.at("before"), ' ');
  if (words.empty())
    return {};
  Row older = row;
  older["before"] = words[0];
  older["device_rule"] = words.at(1);
  older["scalar0_args"] = older["free_args"] = "";
  for (std::size_t i = 2; i < words.size(); ++i) {
    const std::size_t assignment = words[i].find('=');
    std::string names = words[i].substr(assignment + 1);
    std::replace(names.begin(), names.end(), '+', ',');
    older[words[i].substr(0, assignment) + "_args"] = names;
  }
  return {older};
}

/// 2.6 becomes 206.
std::string versionNumber(const std::string &text) {
  const std::size_t dot = text.find('.');
  return text.empty() ? "0" : std::to_string(std::stoi(text) * 100 + std::stoi(text.substr(dot + 1)));
}

std::string truth(bool value) { return value ? "true" : "false"; }

std::string argumentList(const Row &row) {
  std::string result;
  for (const std::string &argument : split(row.at("tensor_args"), ',')) {
    const std::string name = argument.substr(0, argument.find(':'));
    const std::string type = argument.substr(argument.find(':') + 1);
    const char *role = lists(row.at("host_args"), name)      ? "Host"
                       : lists(row.at("free_args"), name)    ? "Free"
                       : lists(row.at("scalar0_args"), name) ? "Scalar0"
                                                             : "Checked";
    result += "{" + quoted(name) + ", " + truth(type.find("[]") != type.npos) + ", " +
              truth(type.find('?') != type.npos) + ", " + truth(type.back() == '!') + ", ArgumentRole::" + role + "}, ";
  }
  return result;
}

std::string resultDevice(const std::string &text) {
  if (text.rfind("arg:", 0) == 0)
    return "ResultDevice::Argument, " + quoted(text.substr(4));
  return "ResultDevice::" + camel(text) + ", \"\"";
}

std::string kindOf(const std::string &text) { return text == "inplace" ? "InPlace" : camel(text); }

struct Entry {
  std::string calledName;
  const Row *row;
};

void write(std::ostream &out, const std::vector<Row> &rows) {
  std::vector<Entry> entries;
  for (const Row &row : rows)
    for (const std::string &name : calledNames(row))
      entries.push_back({name, &row});
  // Ties between overloads go to the hand-written C++ entry points, which are what a caller sees.
  std::stable_sort(entries.begin(), entries.end(), [](const Entry &a, const Entry &b) {
    const auto isCpp = [](const Entry &entry) { return entry.row->at("kind") == "cpp"; };
    return a.calledName != b.calledName ? a.calledName < b.calledName : isCpp(a) && !isCpp(b);
  });

  std::map<std::string, std::pair<std::size_t, std::size_t>> places; // of each list among all arguments
  std::size_t next = 0;
  out << "constexpr TensorArgument kArguments[] = {\n";
  for (const Row &row : rows) {
    const std::string list = argumentList(row);
    if (!places.emplace(list, std::pair(next, split(row.at("tensor_args"), ',').size())).second)
      continue;
    next += places[list].second;
    out << "    " << list << "\n";
  }
  out << "};\n\nconstexpr OperatorRule kRules[] = {\n";
  for (const auto &[name, row] : entries) {
    const auto [start, count] = places[argumentList(*row)];
    const std::string &variants = row->at("variants");
    out << "    {" << quoted(name) << ", " << quoted(row->at("name")) << ", " << quoted(row->at("overload"))
        << ", DeviceRule::" << camel(row->at("device_rule")) << ", " << resultDevice(row->at("result_device"))
        << ", OperatorKind::" << kindOf(row->at("kind")) << ", " << truth(variants.find("function") != variants.npos)
        << ", " << truth(variants.find("method") != variants.npos) << ", {kArguments + " << start << ", " << count
        << "}, " << versionNumber(row->at("before")) << "},\n";
  }
  out << "};\n";
}

} // namespace

int main(int argc, char **argv) {
  if (argc != 3) {
    std::cerr << "usage: " << argv[0] << " OPS.TSV OUTPUT\n";
    return 2;
  }
  std::ifstream in(argv[1]);
  std::vector<Row> rows;
  for (const Row &row : readTable(in)) {
    for (const Row &older : olderRule(row)) // in front: where it holds, it is the one that is found
      rows.push_back(older);
    rows.push_back(row);
    rows.back()["before"].clear();
  }
  std::ofstream out(argv[2]);
  out << "// Generated from ops.tsv.\n";
  write(out, rows);
  if (rows.empty() || !out) {
    std::cerr << argv[0] << ": cannot turn " << argv[1] << " into " << argv[2] << "\n";
    return 1;
  }
}
