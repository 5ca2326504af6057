#include "Surroundings.h"

#include "LaunchSpelling.h"
#include "StringSwitch.h"
#include "TextOfCpp.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MD5.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"

#include <mutex>

namespace samedevice::clangfront {

using llvm::StringRef;
namespace fs = llvm::sys::fs;
namespace path = llvm::sys::path;

namespace {

// A project larger than this is read in part.
constexpr size_t mostFiles = 5000, mostBytes = 48 << 20, mostEntries = 100000;
constexpr std::uint64_t largestFile = 512 << 10;
constexpr int callersAbove = 4;

bool has(StringRef folder, StringRef name) {
  llvm::SmallString<256> file(folder);
  path::append(file, name);
  return fs::exists(file);
}

/// The folder of the whole project: what is under version control, or what has compile commands; else what can be
/// built or installed.
std::string findProject(StringRef mainFile) {
  llvm::SmallString<256> whole(mainFile);
  // Where the current folder is gone the path stays as it is.
  (void)fs::make_absolute(whole);
  std::string found = path::parent_path(whole).str();
  for (StringRef folder = path::parent_path(whole); path::has_relative_path(folder);
       folder = path::parent_path(folder)) {
    if (has(folder, ".git") || has(folder, "compile_commands.json"))
      return folder.str();
    if (has(folder, "setup.py") || has(folder, "pyproject.toml") || has(folder, "CMakeLists.txt"))
      found = folder.str();
  }
  return found;
}

/// How many folders two files have in common, from the root on.
size_t sharedFolders(StringRef one, StringRef other) {
  size_t shared = 0;
  for (auto i = path::begin(one), j = path::begin(other); i != path::end(one) && j != path::end(other) && *i == *j;
       ++i, ++j)
    ++shared;
  return shared;
}

/// What nobody who uses the project runs, or what was copied into it.
bool isAside(StringRef name) {
  return name.starts_with(".") || StringSwitch<bool>(name)
                                      .Cases({"build", "test", "tests", "fixtures", "benchmark", "benchmarks"}, true)
                                      .Cases({"third_party", "3rdparty", "thirdparty", "node_modules", "hip"}, true)
                                      .Cases({"external", "External", "vendor", "submodules"}, true)
                                      .Default(false);
}

/// So many functions have these names that calls of one say little of another.
bool isCommon(StringRef name) {
  return StringSwitch<bool>(name)
      .Cases({"forward", "backward", "apply", "run", "main", "call", "compute"}, true)
      .Cases({"__init__", "__call__", "operator", "wrapper", "decorator"}, true)
      .Default(name.size() < 3);
}

enum class Language { Cpp, Python, Other };

Language languageOf(StringRef file) {
  return StringSwitch<Language>(path::extension(file))
      .Cases({".cpp", ".cc", ".cxx", ".cu", ".cuh"}, Language::Cpp)
      .Cases({".h", ".hpp", ".hh", ".inl"}, Language::Cpp)
      .Case(".py", Language::Python)
      .Default(Language::Other);
}

} // namespace

std::string Surroundings::projectOf(StringRef mainFile) { return findProject(mainFile); }

/// All files of a project that may say something, until `take` returns false.
static void eachFile(StringRef project,
                     llvm::function_ref<bool(const std::string &file, Language, const fs::file_status &)> take) {
  std::error_code error;
  size_t entries = 0;
  for (fs::recursive_directory_iterator entry(project, error, false), end;
       entry != end && !error && ++entries < mostEntries; entry.increment(error)) {
    const std::string &file = entry->path();
    if (entry->type() == fs::file_type::directory_file && isAside(path::filename(file)))
      entry.no_push();
    const Language language = languageOf(file);
    if (entry->type() != fs::file_type::regular_file || language == Language::Other ||
        (language == Language::Python && path::filename(file).starts_with("test_")))
      continue;
    fs::file_status status;
    if (!fs::status(file, status) && status.getSize() <= largestFile && !take(file, language, status))
      return;
  }
}

/// Words as C++ and Python have them.
static void eachWord(StringRef text, llvm::function_ref<void(StringRef)> take) {
  auto isPart = [](char c) { return llvm::isAlnum(c) || c == '_'; };
  for (size_t at = 0; at < text.size();) {
    const StringRef word = text.substr(at).take_while(isPart);
    if (!word.empty() && !llvm::isDigit(word.front()))
      take(word);
    at += word.size() + 1;
  }
}

static std::shared_ptr<const ProjectText> textsOf(const std::string &project) {
  auto texts = std::make_shared<ProjectText>();
  size_t bytes = 0;
  eachFile(project, [&](const std::string &file, Language language, const fs::file_status &status) {
    if (auto buffer = llvm::MemoryBuffer::getFile(file)) {
      bytes += status.getSize();
      const size_t index = texts->files.size();
      const StringRef text = (*buffer)->getBuffer();
      std::optional<std::string> respelled = language == Language::Cpp ? launchesForClang(text) : std::nullopt;
      texts->files.push_back(
          {file, respelled ? std::move(*respelled) : text.str(), status.getUniqueID(), language == Language::Python});
      eachWord(texts->files.back().text, [&](StringRef word) {
        std::vector<size_t> &files = texts->withWord[word];
        if (files.empty() || files.back() != index)
          files.push_back(index);
      });
    }
    return texts->files.size() < mostFiles && bytes < mostBytes;
  });
  return texts;
}

namespace {

struct OfThisProcess {
  std::mutex mutex;
  llvm::StringMap<std::shared_ptr<const ProjectText>> kept; ///< by project
  bool isWriting = false;
  std::vector<Surroundings::Asked> asked;
};
OfThisProcess &ofThisProcess() {
  static OfThisProcess known;
  return known;
}

} // namespace

void Surroundings::writeDownWhatIsAsked() { ofThisProcess().isWriting = true; }

const std::vector<Surroundings::Asked> &Surroundings::asked() { return ofThisProcess().asked; }

void Surroundings::keepTexts(const std::string &project) {
  std::shared_ptr<const ProjectText> &kept = ofThisProcess().kept[project];
  if (!kept)
    kept = textsOf(project);
}

std::string Surroundings::fingerprint(StringRef project) {
  llvm::MD5 hash;
  size_t files = 0;
  eachFile(project, [&](const std::string &file, Language, const fs::file_status &status) {
    hash.update(file);
    hash.update(std::to_string(status.getSize()) + " " +
                std::to_string(status.getLastModificationTime().time_since_epoch().count()) + "\n");
    return ++files < mostFiles;
  });
  llvm::MD5::MD5Result result;
  hash.final(result);
  return result.digest().str().str();
}

void Surroundings::readFiles() {
  if (texts_)
    return;
  const std::string project = projectOf(mainFile_);
  auto kept = ofThisProcess().kept.find(project);
  texts_ = kept != ofThisProcess().kept.end() ? kept->second : textsOf(project);
  llvm::SmallString<256> main(mainFile_);
  (void)fs::make_absolute(main);
  mainFile_ = main.str().str();
  if (fs::getUniqueID(mainFile_, mainIdentity_))
    mainIdentity_ = {};
}

/// The others that have a word, the nearest first.
std::vector<const FileInText *> Surroundings::filesWith(StringRef word, bool isPython) const {
  std::vector<const FileInText *> files;
  const size_t last = word.find_last_not_of("_0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ");
  word = word.substr(last + 1); // of `library.name`; npos + 1 is 0
  if (const auto known = texts_->withWord.find(word); known != texts_->withWord.end())
    for (size_t index : known->second)
      if (const FileInText &file = texts_->files[index]; file.isPython == isPython && file.identity != mainIdentity_)
        files.push_back(&file);
  llvm::stable_sort(
      files, [this](const FileInText *one, const FileInText *other) { return nearnessOf(*one) > nearnessOf(*other); });
  return files;
}

/// Folders that it shares with the main file.
size_t Surroundings::nearnessOf(const FileInText &file) const { return sharedFolders(file.name, mainFile_); }

static std::string inWords(const BodyInText *body) {
  if (!body)
    return "none";
  std::string text = body->isGuarded ? "guarded" : "";
  if (body->resultLike)
    text += " like " + std::to_string(*body->resultLike);
  for (const BodyInText::Use &use : body->uses)
    text += " " + std::to_string(use.parameter) + "." + use.member + ":" + use.kernel;
  for (unsigned read : body->readOnHost)
    text += " reads " + std::to_string(read);
  for (bool isRebound : body->isRebound)
    text += isRebound ? " rebound" : " kept";
  return text;
}

static void remember(Surroundings::Asked asked) {
  OfThisProcess &known = ofThisProcess();
  const std::lock_guard<std::mutex> lock(known.mutex);
  if (known.isWriting)
    known.asked.push_back(std::move(asked));
}

Surroundings::Answer Surroundings::callersOf(StringRef function, llvm::ArrayRef<std::string> bound) {
  const Answer answer = findCallers(function, bound);
  remember({Asked::Callers, function.str(), bound.vec(), 0, std::to_string(static_cast<int>(answer))});
  return answer;
}

bool Surroundings::areOfOneGpuProgram() {
  const bool answer = isOneGpuProgram();
  remember({Asked::OneGpu, "", {}, 0, std::to_string(answer)});
  return answer;
}

const BodyInText *Surroundings::bodyOf(StringRef function, unsigned parameters) {
  const bool isNew = !bodies_.count((function + "/" + llvm::Twine(parameters)).str());
  const BodyInText *body = findBody(function, parameters);
  if (isNew)
    remember({Asked::Body, function.str(), {}, static_cast<int>(parameters), inWords(body)});
  return body;
}

bool Surroundings::wouldAnswer(const Asked &asked) {
  switch (asked.kind) {
  case Asked::Callers:
    return asked.answer == std::to_string(static_cast<int>(findCallers(asked.function, asked.bound)));
  case Asked::OneGpu:
    return asked.answer == std::to_string(isOneGpuProgram());
  case Asked::Body:
    return asked.answer == inWords(findBody(asked.function, static_cast<unsigned>(asked.parameters)));
  }
  return false;
}

Surroundings::Answer Surroundings::findCallers(StringRef function, llvm::ArrayRef<std::string> bound) {
  readFiles();
  answered_[0].clear();
  answered_[1].clear();
  // In the file that binds it, only Python is told of it.
  if (!bound.empty())
    return inPython(bound, 0);
  const Answer answer = callersOf(function, false, 0);
  return answer == Answer::Nothing && hasWorkers() ? Answer::Worker : answer;
}

/// `TORCH_LIBRARY(name, m) { m.def(...); }`; a class that is registered for scripts launches nothing by that.
static bool bindsFunctions(const std::vector<Piece> &words, size_t at) {
  StringRef library;
  size_t i = at;
  for (; i < words.size() && words[i].text != "{"; ++i)
    if (words[i].kind == clang::tok::raw_identifier)
      library = words[i].text;
  for (; i + 2 < words.size() && words[i].text != "}"; ++i)
    if (words[i].text == library && (words[i + 2].text == "def" || words[i + 2].text == "impl"))
      return true;
  return false;
}

/// What stands after the kind of a device: not so in `to(torch::kCUDA, true)` and `to(torch::kCUDA, torch::kHalf)`.
static bool mayBeOtherGpu(StringRef word) {
  return StringSwitch<bool>(word)
      .Cases({"0", "true", "false"}, false)
      .Cases({"torch", "at", "c10"}, false)
      .Default(true);
}

/// Whether C++ code decides which GPU it uses, or is there for others to call.
static bool bindsOrChooses(StringRef text) {
  constexpr StringRef said[] = {
      "PYBIND11_MODULE", "TORCH_LIBRARY", "RegisterOperators", "pybind11",     "cudaSetDevice",
      "set_device",      "device_count",  "GetDeviceCount",    "device_index", "set_index",
      "DeviceIndex",     "DataParallel",  "current_device",    "cuda:",        "kCUDA"};
  if (llvm::none_of(said, [&](StringRef word) { return text.contains(word); }))
    return false;
  const std::vector<Piece> words = wordsOfCpp(text);
  for (size_t i = 0; i < words.size(); ++i) {
    const StringRef word = words[i].text;
    // "cuda:1", and what is put together from "cuda:" and a number; but not torch::cuda::synchronize.
    if (clang::tok::isStringLiteral(words[i].kind) && word.contains("cuda:") && !word.contains("cuda:0"))
      return true;
    if (word == "kCUDA") { // Device(torch::kCUDA, gpu)
      size_t first = i;
      while (first >= 2 && words[first - 1].kind == clang::tok::coloncolon)
        first -= 2;
      const bool isFirst = first > 0 && (words[first - 1].text == "(" || words[first - 1].text == "{");
      if (isFirst && i + 2 < words.size() && words[i + 1].text == "," && mayBeOtherGpu(words[i + 2].text))
        return true;
    } else if (word.starts_with("TORCH_LIBRARY")) {
      if (bindsFunctions(words, i))
        return true;
    } else if (words[i].kind == clang::tok::raw_identifier && llvm::is_contained(said, word)) {
      return true;
    } else if (setsDevice(word) || word == "cudaGetDeviceCount") {
      return true;
    }
  }
  return false;
}

static bool hasMainFunction(StringRef text) { return text.contains("int main(") || text.contains("int main ("); }

/// Whether it is worth looking for a guard's name in its words.
static bool mayGuard(StringRef text) {
  return text.contains("Guard") || text.contains("etDevice") || text.contains("et_device");
}

bool Surroundings::isOneGpuProgram() {
  readFiles();
  bool hasMain = false;
  for (const FileInText &file : texts_->files) {
    if (file.identity == mainIdentity_)
      continue;
    const StringRef text = file.text;
    if (file.isPython ? text.contains("set_device") || text.contains("cuda:") || text.contains("DataParallel")
                      : bindsOrChooses(text))
      return false;
    hasMain |= !file.isPython && hasMainFunction(text);
  }
  return hasMain;
}

/// In a folder that the project's own files have nothing to do with.
static bool isBeside(StringRef file, StringRef project) {
  const StringRef folder = path::parent_path(file.drop_front(std::min(project.size(), file.size())));
  return std::any_of(path::begin(folder), path::end(folder), isAside);
}

/// A program of many files, of which some make devices current where they launch and bind nothing themselves: before
/// they run a model. A collection of small programs is none.
bool Surroundings::hasWorkers() {
  constexpr size_t filesOfAProgram = 4;
  readFiles();
  if (!hasWorkers_) {
    size_t sources = 0, programs = 0;
    bool hasGuards = false;
    hasWorkers_ = false;
    if (isBeside(mainFile_, projectOf(mainFile_)))
      return false;
    for (const FileInText &file : texts_->files) {
      const StringRef text = file.text, name = path::stem(file.name);
      if (file.isPython || name.contains("test") || name.contains("bench"))
        continue;
      sources += !path::extension(file.name).starts_with(".h");
      programs += hasMainFunction(text);
      const bool isOperators =
          text.contains("<<<") || text.contains("PYBIND11_MODULE") || text.contains("TORCH_LIBRARY");
      if (!hasGuards && file.identity != mainIdentity_ && mayGuard(text) && !isOperators)
        hasGuards = llvm::any_of(wordsOfCpp(text), [](const Piece &word) {
          return word.kind == clang::tok::raw_identifier && isGuardName(word.text);
        });
    }
    hasWorkers_ = hasGuards && programs > 0 && programs * filesOfAProgram <= sources;
  }
  return *hasWorkers_;
}

/// A function of the project's own, as against a library's or a macro: those stand in many files.
bool Surroundings::isOfProject(StringRef function) const {
  constexpr size_t mostFilesOfOne = 16;
  const bool isMacro = function == function.upper();
  return !isMacro && filesWith(function, /*isPython=*/false).size() <= mostFilesOfOne;
}

/// Of several with one name in a project, the nearest is meant; if these do not agree, nobody knows.
const BodyInText *Surroundings::findBody(StringRef function, unsigned parameters) {
  const auto [known, isNew] = bodies_.try_emplace((function + "/" + llvm::Twine(parameters)).str());
  std::optional<BodyInText> &found = known->second;
  if (isNew && !isCommon(function)) {
    readFiles();
    size_t nearest = 0;
    for (const FileInText *file : filesWith(function, /*isPython=*/false)) {
      const size_t nearness = nearnessOf(*file);
      if (nearness < nearest)
        break;
      std::optional<BodyInText> here =
          bodyInCpp(file->text, function, parameters, [this](StringRef called, unsigned given) -> const BodyInText * {
            return isOfProject(called) ? findBody(called, given) : nullptr;
          });
      if (!here)
        continue;
      const bool isRival = found && nearness == nearest && *found != *here;
      found = isRival ? std::nullopt : std::move(here);
      nearest = isRival ? nearest + 1 : nearness;
    }
  }
  return found ? &*found : nullptr;
}

Surroundings::Answer Surroundings::callersOf(StringRef function, bool isPython, int depth, bool isBound) {
  // A common name that Python calls is one that was bound for it; above that, it is anybody's.
  if (depth > callersAbove || (isCommon(function) && !isBound))
    return Answer::Nothing;
  // Several callers may have one caller in common: the second time the answer is known.
  const auto [known, isNew] = answered_[isPython].try_emplace(function, Answer::Nothing);
  if (!isNew)
    return known->second;
  const Answer answer = askCallers(function, isPython, depth, isBound);
  answered_[isPython][function] = answer;
  return answer;
}

/// All that call it do so with a device made current, themselves or by their callers. Several extensions of one project
/// may have functions of one name: in C++ the nearest files count, and in Python where the name is a common one. That
/// one of those calls it without a guard is no proof.
Surroundings::Answer Surroundings::askCallers(StringRef function, bool isPython, int depth, bool isBound) {
  const bool common = isCommon(function), nearestOnly = !isPython || common;
  std::vector<CallerInText> callers;
  size_t nearest = 0;
  for (const FileInText *file : filesWith(function, isPython)) {
    const size_t nearness = nearnessOf(*file);
    if (nearestOnly && nearness < nearest)
      break;
    std::vector<CallerInText> here =
        isPython ? callersInPython(file->text, function, !isBound) : callersInCpp(file->text, function, depth > 0);
    if (!here.empty())
      nearest = std::max(nearest, nearness);
    callers.insert(callers.end(), here.begin(), here.end());
  }
  // A wrapper of the same name hands it on: whoever calls that is among those who call this name.
  const bool isWrapped = llvm::any_of(callers, [&](const CallerInText &caller) { return caller.by != function; });
  bool mayBeWorkers = false;
  for (const CallerInText &caller : callers) {
    if (isWrapped && caller.by == function)
      continue;
    Answer above = Answer::Guarded;
    if (!caller.boundAs.empty())
      above = inPython(caller.boundAs, depth + 1);
    else if (!caller.isGuarded && !caller.isBackward)
      above = callersOf(caller.by, isPython, depth + 1);
    const bool isOpen = above == Answer::Nothing && caller.boundAs.empty() && caller.by != "main";
    if (above == Answer::Worker || (!isPython && isOpen && hasWorkers())) {
      mayBeWorkers = true;
      continue;
    }
    if (above == Answer::Guarded)
      continue;
    if (above == Answer::Perhaps || (!isPython && isCommon(caller.by) && isGuardedSomewhere(caller.by)))
      return Answer::Perhaps;
    return common ? Answer::Nothing : Answer::Unguarded;
  }
  if (mayBeWorkers)
    return Answer::Worker;
  return callers.empty() ? Answer::Nothing : Answer::Guarded;
}

/// Of a name that many have, as `forward`: a worker of this project makes a device current for one of them.
bool Surroundings::isGuardedSomewhere(StringRef function) const {
  return llvm::any_of(filesWith(function, /*isPython=*/false), [&](const FileInText *file) {
    return llvm::any_of(callersInCpp(file->text, function, /*mayBeDefined=*/true),
                        [](const CallerInText &caller) { return caller.isGuarded; });
  });
}

Surroundings::Answer Surroundings::inPython(llvm::ArrayRef<std::string> names, int depth) {
  Answer answer = Answer::Nothing;
  for (const std::string &name : names)
    if (Answer ofThis = callersOf(name, true, depth, true); ofThis == Answer::Unguarded)
      return ofThis;
    else if (ofThis == Answer::Guarded)
      answer = ofThis;
  return answer;
}

} // namespace samedevice::clangfront
