// The same program with its functions and classes, and the methods of each class, in another order.
#pragma once

#include <algorithm>
#include <cstddef>
#include <map>
#include <random>
#include <sstream>
#include <string>
#include <vector>

namespace samedevice::analysis {

namespace detail {

/// Shuffles as mt19937 does everywhere: std::shuffle is each library's own.
template <typename T> void shuffle(std::vector<T> &all, std::mt19937 &random) {
  for (std::size_t left = all.size(); left > 1; --left)
    std::swap(all[left - 1], all[random() % left]);
}

inline std::string methodsShuffled(const std::string &line, std::mt19937 &random) {
  const std::string word = "  methods ";
  if (line.compare(0, word.size(), word) != 0)
    return line;
  std::vector<std::string> names;
  std::string rest = line.substr(word.size());
  for (std::size_t comma; (comma = rest.find(", ")) != std::string::npos; rest.erase(0, comma + 2))
    names.push_back(rest.substr(0, comma));
  names.push_back(rest);
  shuffle(names, random);
  std::string result = word;
  for (const std::string &name : names)
    result += (&name == &names.front() ? "" : ", ") + name;
  return result;
}

} // namespace detail

inline std::string shuffled(const std::string &text, unsigned seed) {
  std::mt19937 random(seed);
  std::string head;
  std::vector<std::string> sections;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) {
    const bool begins = line.find_first_of("cfm") == 0; // class, constructor, function, method
    if (begins)
      sections.emplace_back();
    (sections.empty() ? head : sections.back()) += detail::methodsShuffled(line, random) + "\n";
  }
  std::vector<std::string> order = sections;
  detail::shuffle(order, random);
  // What has one name is told apart by its number: those stay in their order.
  auto nameOf = [](const std::string &section) {
    const std::size_t from = section.find(' ');
    return section.substr(from, section.find_first_of("(@\n") - from);
  };
  std::map<std::string, std::vector<std::string>> byName;
  for (auto section = sections.rbegin(); section != sections.rend(); ++section)
    byName[nameOf(*section)].push_back(*section);
  std::string result = head;
  for (const std::string &section : order) {
    std::vector<std::string> &same = byName[nameOf(section)];
    result += same.back();
    same.pop_back();
  }
  return result;
}

} // namespace samedevice::analysis
