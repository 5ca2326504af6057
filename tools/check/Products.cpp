#include "Products.h"

#include "Command.h"
#include "Program.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/Path.h"

using namespace llvm;
namespace path = llvm::sys::path;
namespace fs = llvm::sys::fs;

namespace samedevice::check {

namespace {

bool isObject(StringRef file) { return file.ends_with(".o") || file.ends_with(".obj"); }

void sortIn(Linked &linked, StringRef input, StringRef directory) {
  (isObject(input) ? linked.objects : linked.libraries).push_back(absolute(input, directory));
}

/// The reply of CMake's file API: of each target its kind, and the targets that it depends on.
class CMakeReply {
public:
  explicit CMakeReply(StringRef build) : build_(build), folder_((build + "/.cmake/api/v1/reply/").str()) {}

  std::vector<Linked> read() {
    std::error_code error;
    std::string index; // the last one counts
    for (fs::directory_iterator file(folder_, error), end; !error && file != end; file.increment(error))
      if (StringRef name = path::filename(file->path()); name.starts_with("index-") && name > index)
        index = name.str();
    if (index.empty())
      return {};
    const json::Value list = parsed(index);
    if (const json::Object *all = list.getAsObject())
      if (const json::Array *objects = all->getArray("objects"))
        for (const json::Value &object : *objects)
          if (const json::Object *entry = object.getAsObject(); entry && entry->getString("kind") == "codemodel")
            readModel(parsed(entry->getString("jsonFile").value_or("")));
    return std::move(targets_);
  }

private:
  json::Value parsed(StringRef file) const {
    Expected<json::Value> value = json::parse(textOfFile(folder_ + file.str()));
    if (value)
      return std::move(*value);
    consumeError(value.takeError());
    return nullptr;
  }

  void readModel(const json::Value &model) {
    const json::Object *top = model.getAsObject();
    const json::Array *configurations = top ? top->getArray("configurations") : nullptr;
    const json::Object *first =
        configurations && !configurations->empty() ? configurations->front().getAsObject() : nullptr;
    if (const json::Array *targets = first ? first->getArray("targets") : nullptr)
      for (const json::Value &target : *targets)
        if (const json::Object *entry = target.getAsObject())
          readTarget(parsed(entry->getString("jsonFile").value_or("")));
  }

  void readTarget(const json::Value &value) {
    const json::Object *target = value.getAsObject();
    if (!target || target->getString("type") == "UTILITY")
      return;
    Linked linked;
    linked.name = target->getString("id").value_or("").str();
    const json::Object *paths = target->getObject("paths");
    const std::string folder = absolute(paths ? paths->getString("build").value_or("") : "", build_);
    linked.objects = {folder + "/CMakeFiles/" + target->getString("name").value_or("").str() + ".dir/"};
    if (const json::Array *dependencies = target->getArray("dependencies"))
      for (const json::Value &dependency : *dependencies)
        if (const json::Object *entry = dependency.getAsObject())
          linked.libraries.push_back(entry->getString("id").value_or("").str());
    targets_.push_back(std::move(linked));
  }

  StringRef build_;
  std::string folder_;
  std::vector<Linked> targets_;
};

/// The words of a line of build.ninja; what a variable would say, nobody needs here.
std::vector<std::string> ninjaWords(StringRef line) {
  std::vector<std::string> words(1);
  for (size_t i = 0; i < line.size(); ++i)
    if (line[i] == '$' && i + 1 < line.size())
      words.back() += line[++i];
    else if (line[i] == ' ')
      words.emplace_back();
    else
      words.back() += line[i];
  erase_if(words, [](const std::string &word) { return word.empty(); });
  return words;
}

/// `build app: CXX_EXECUTABLE_LINKER__app main.o | libcore.a || ...`, whoever wrote it: what takes objects links them.
std::vector<Linked> readNinja(StringRef build) {
  std::string text = textOfFile((build + "/build.ninja").str());
  for (size_t at = 0; (at = text.find("$\n", at)) != std::string::npos;) { // a line that goes on
    const size_t end = std::min(text.find_first_not_of(' ', at + 2), text.size());
    text.erase(at, end - at);
  }
  std::vector<Linked> found;
  for (StringRef line : split(text, '\n')) {
    if (!line.consume_front("build "))
      continue;
    const std::vector<std::string> words = ninjaWords(line);
    const auto colon = find_if(words, [](StringRef word) { return word.ends_with(":"); });
    if (words.end() - colon < 3 || *std::next(colon) == "phony")
      continue;
    Linked linked;
    linked.name = absolute(StringRef(words.front()).rtrim(':'), build);
    for (auto input = colon + 2; input != words.end() && *input != "||"; ++input)
      if (*input != "|")
        sortIn(linked, *input, build);
    if (!isObject(linked.name) && !linked.objects.empty())
      found.push_back(std::move(linked));
  }
  return found;
}

/// `c++ main.o -o app libcore.a`, or `ar qc libcore.a core.o`.
std::vector<Linked> readLinkCommands(StringRef build) {
  std::vector<Linked> found;
  std::error_code error;
  for (fs::recursive_directory_iterator file(build, error), end; !error && file != end; file.increment(error)) {
    if (path::filename(file->path()) != "link.txt")
      continue;
    const size_t inFolder = StringRef(file->path()).rfind("/CMakeFiles/");
    if (inFolder == StringRef::npos)
      continue;
    const StringRef folder = StringRef(file->path()).take_front(inFolder); // where it is run
    const std::string text = textOfFile(file->path());
    const std::vector<std::string> words = compdb::splitShellWords(StringRef(text).split('\n').first);
    Linked linked;
    for (size_t i = 1; i < words.size(); ++i) {
      const StringRef word = words[i];
      if (word == "-o" && i + 1 < words.size())
        linked.name = absolute(words[++i], folder);
      else if (isObject(word) || (!linked.name.empty() && !word.starts_with("-")))
        sortIn(linked, word, folder);
      else if (linked.name.empty() && word.ends_with(".a"))
        linked.name = absolute(word, folder);
    }
    if (!linked.name.empty() && !linked.objects.empty())
      found.push_back(std::move(linked));
  }
  sort(found, [](const Linked &one, const Linked &other) { return one.name < other.name; });
  return found;
}

} // namespace

std::vector<Linked> linkedIn(StringRef buildDirectory) {
  std::vector<Linked> linked = CMakeReply(buildDirectory).read();
  if (linked.empty())
    linked = readNinja(buildDirectory);
  if (linked.empty() && fs::exists(buildDirectory + "/CMakeCache.txt"))
    linked = readLinkCommands(buildDirectory);
  return linked;
}

std::vector<facts::Product> productsOf(ArrayRef<Linked> linked,
                                       ArrayRef<std::reference_wrapper<const Source>> sources) {
  StringMap<std::vector<size_t>> objects; // and the folders of objects
  for (size_t index = 0; index < sources.size(); ++index)
    for (const std::string &object : sources[index].get().objects) {
      objects[object].push_back(index);
      if (const size_t target = StringRef(object).find(".dir/"); target != StringRef::npos)
        objects[StringRef(object).take_front(target + 5)].push_back(index);
    }
  StringMap<size_t> known;
  std::vector<facts::Product> products(linked.size());
  for (size_t index = 0; index < linked.size(); ++index) {
    known[linked[index].name] = index;
    for (const std::string &object : linked[index].objects)
      if (auto found = objects.find(object); found != objects.end())
        append_range(products[index].own, found->second);
  }
  for (size_t index = 0; index < linked.size(); ++index) {
    std::vector<char> isSeen(linked.size(), 0);
    isSeen[index] = 1;
    for (std::vector<size_t> work{index}; !work.empty();) {
      const size_t at = work.back();
      work.pop_back();
      for (const std::string &library : linked[at].libraries)
        if (auto found = known.find(library); found != known.end() && !isSeen[found->second]) {
          isSeen[found->second] = 1;
          products[found->second].isLinked = true;
          append_range(products[index].linked, products[found->second].own);
          work.push_back(found->second);
        }
    }
  }
  return products;
}

} // namespace samedevice::check
