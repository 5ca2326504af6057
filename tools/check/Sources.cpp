#include "Sources.h"

#include "Program.h"
#include "Project.h"
#include "Translator.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"

using namespace llvm;
using samedevice::compdb::Command;
namespace path = llvm::sys::path;
namespace fs = llvm::sys::fs;

namespace samedevice::check {

bool isSourceFile(StringRef file) {
  return StringSwitch<bool>(path::extension(file))
      .Cases(".cpp", ".cc", ".cxx", ".C", ".c++", ".cu", true)
      .Default(false);
}

bool isHeaderFile(StringRef file) {
  return StringSwitch<bool>(path::extension(file))
      .Cases(".h", ".hpp", ".hh", ".hxx", ".cuh", ".inl", true)
      .Default(false);
}

bool isCudaFile(StringRef file) { return path::extension(file) == ".cu" || path::extension(file) == ".cuh"; }

std::string absolute(StringRef file, StringRef directory) {
  SmallString<256> whole(file);
  if (directory.empty())
    static_cast<void>(fs::make_absolute(whole));
  else
    fs::make_absolute(directory, whole);
  path::remove_dots(whole, /*remove_dot_dot=*/true);
  return whole.str().str();
}

namespace {

bool isBelow(StringRef file, StringRef directory) {
  return directory == "/" || (file.consume_front(directory) && file.starts_with("/"));
}

size_t sharedLength(StringRef one, StringRef other) {
  return std::mismatch(one.begin(), one.end(), other.begin(), other.end()).first - one.begin();
}

class Finder {
public:
  explicit Finder(const Request &request) : request_(request), translator_(settings()) {
    for (const std::string &path : request.paths)
      paths_.push_back(absolute(path, ""));
  }

  Expected<Sources> run() {
    if (Error error = readCommands())
      return error;
    choose();
    sources_.places = paths_.empty() ? std::vector{project_ ? project_->root : absolute(".", "")} : paths_;
    for (const compdb::Remark &remark : translator_.remarks())
      sources_.remarks.push_back("left out " + remark.flag + ": " + remark.reason + " (" + remark.firstFile + ")");
    addOthers();
    return std::move(sources_);
  }

private:
  compdb::Settings settings() const {
    compdb::Settings settings;
    settings.shimDirectory = compdb::shimDirectoryOf(request_.executable);
    settings.searchPath = sys::Process::GetEnv("PATH").value_or("");
    return settings;
  }

  /// Where everything that was asked for lies; without paths, here.
  std::string start() const { return paths_.empty() ? absolute(".", "") : paths_.front(); }

  Error readCommands() {
    if (request_.hasFlags)
      return Error::success();
    std::string database = request_.buildDirectory.empty()
                               ? compdb::findDatabase(start())
                               : absolute("compile_commands.json", absolute(request_.buildDirectory, ""));
    if (database.empty()) {
      workOut();
      return Error::success();
    }
    sources_.buildDirectory = path::parent_path(database).str();
    auto buffer = MemoryBuffer::getFile(database);
    if (!buffer)
      return createStringError(buffer.getError(), "%s: %s", database.c_str(), buffer.getError().message().c_str());
    Expected<std::vector<Command>> commands = compdb::parseDatabase((*buffer)->getBuffer());
    if (!commands)
      return createStringError(inconvertibleErrorCode(), "%s: %s", database.c_str(),
                               toString(commands.takeError()).c_str());
    for (Command &command : *commands) {
      command.file = absolute(command.file, command.directory);
      commands_.push_back(std::move(command));
    }
    return Error::success();
  }

  /// No database: flags from what is installed, and from what lies in the project.
  void workOut() {
    machine_ = lookAround();
    project_ = readProject(start());
    std::string found = join(machine_->found, ", ");
    sources_.remarks.push_back("no compile_commands.json: flags for C++ and CUDA are worked out from " +
                               project_->root + (found.empty() ? "" : " and " + found) +
                               (machine_->hasTorch ? "" : "; libtorch was not found, TORCH_HOME can say where it is"));
  }

  Command explicitCommand(StringRef file) const {
    Command command;
    command.directory = absolute(".", "");
    command.file = file.str();
    command.arguments = {"clang++"};
    copy_if(request_.flags, std::back_inserter(command.arguments),
            [&](const std::string &flag) { return absolute(flag, "") != file; });
    command.arguments.push_back(file.str());
    return command;
  }

  /// What the build says of another source is true for this one, too, but for the name.
  std::optional<Command> borrowed(StringRef file) const {
    const Command *nearest = nullptr;
    for (const Command &command : commands_)
      if (!nearest || std::pair(isCudaFile(command.file) == isCudaFile(file), sharedLength(command.file, file)) >
                          std::pair(isCudaFile(nearest->file) == isCudaFile(file), sharedLength(nearest->file, file)))
        nearest = &command;
    if (!nearest)
      return std::nullopt;
    Command command = *nearest;
    for (std::string &argument : command.arguments)
      if (absolute(argument, command.directory) == nearest->file)
        argument = file.str();
    command.file = file.str();
    return command;
  }

  bool isKnown(StringRef file) const {
    return any_of(commands_, [&](const Command &command) { return command.file == file; });
  }

  void add(const Command &command, std::vector<std::string> headers = {}) {
    const Command clang = request_.hasFlags ? command : translator_.translate(command);
    Source source{command.file, clang.directory, clang.arguments, {}, std::move(headers)};
    std::string object = command.output;
    if (auto output = find(source.arguments, "-o"); source.arguments.end() - output >= 2) {
      object = *std::next(output);
      source.arguments.erase(output, output + 2);
    }
    // Whole, as it is everywhere else, whatever folder the command runs in.
    for (std::string &argument : source.arguments)
      if (absolute(argument, source.directory) == source.file)
        argument = source.file;
    // A database names a source once for each target that it is part of, mostly with one and the same command.
    auto [known, isNew] =
        seen_.try_emplace(source.directory + "\n" + join(source.arguments, "\n"), sources_.list.size());
    if (isNew)
      sources_.list.push_back(std::move(source));
    if (!object.empty())
      sources_.list[known->second].objects.push_back(absolute(object, clang.directory));
  }

  /// What there is besides may have been looked at before.
  void addOthers() {
    if (paths_.empty() || request_.hasFlags)
      return;
    const size_t asked = sources_.list.size();
    for (const Command &command : commands_)
      add(command);
    if (project_)
      for (const std::string &file : project_->files)
        if (isSourceFile(file))
          addSource(file);
    sources_.others.assign(sources_.list.begin() + static_cast<ptrdiff_t>(asked), sources_.list.end());
    sources_.list.resize(asked);
  }

  void addSource(StringRef file) {
    if (request_.hasFlags)
      return add(explicitCommand(file));
    if (project_ && machine_)
      return add(commandFor(file, *project_, *machine_));
    for (const Command &command : commands_)
      if (command.file == file)
        add(command);
    if (!isKnown(file))
      if (std::optional<Command> command = borrowed(file))
        add(*command);
  }

  void choose() {
    if (paths_.empty()) {
      if (project_)
        addDirectory(project_->root);
      for (const Command &command : commands_)
        add(command);
    }
    std::vector<std::string> headers;
    for (const std::string &path : paths_) {
      if (fs::is_directory(path))
        addDirectory(path);
      else if (!fs::exists(path) && !isKnown(path))
        sources_.absent.push_back(path);
      else if (isHeaderFile(path))
        headers.push_back(path);
      else
        addSource(path);
    }
    addHeaders(headers);
  }

  void addDirectory(StringRef directory) {
    const bool isBuilt = any_of(commands_, [&](const Command &command) { return isBelow(command.file, directory); });
    const size_t before = sources_.list.size();
    if (!isBuilt)
      for (const std::string &file : filesBelow(directory))
        if (isSourceFile(file))
          addSource(file);
    // Examples that are not built by default, or somebody's whole project in a folder of this one.
    if (!isBuilt && !commands_.empty() && sources_.list.size() > before)
      sources_.remarks.push_back("the compile_commands.json of " + sources_.buildDirectory + " has nothing below " +
                                 directory.str() + ": flags are those of what it has");
    for (const Command &command : commands_)
      if (isBelow(command.file, directory))
        add(command);
  }

  /// A header is checked in a source that includes it; where there is none, by itself.
  void addHeaders(const std::vector<std::string> &headers) {
    if (headers.empty())
      return;
    std::vector<std::string> files;
    if (!request_.hasFlags)
      files = project_ ? project_->files : filesBelow(projectRoot(headers.front()));
    erase_if(files, [&](const std::string &file) { return !project_ && isSourceFile(file); });
    for (const Command &command : commands_)
      files.push_back(command.file);
    for (const std::string &header : headers) {
      const std::string includer = includerOf(header, files);
      if (!includer.empty() && any_of(sources_.list, [&](const Source &source) {
            return source.file == includer && source.headers.empty();
          }))
        continue;
      auto sameSource = find_if(sources_.list, [&](const Source &source) { return source.file == includer; });
      if (sameSource != sources_.list.end()) {
        sameSource->headers.push_back(header);
      } else if (!includer.empty()) {
        const size_t before = sources_.list.size();
        addSource(includer);
        for (size_t i = before; i < sources_.list.size(); ++i)
          sources_.list[i].headers.push_back(header);
      } else {
        addAlone(header);
      }
    }
  }

  void addAlone(StringRef header) {
    std::optional<Command> command;
    if (request_.hasFlags)
      command = explicitCommand(header);
    else if (project_ && machine_)
      command = commandFor(header, *project_, *machine_);
    else
      command = borrowed(header);
    if (!command)
      return;
    if (!project_ && path::extension(header) != ".cuh")
      command->arguments.insert(command->arguments.end() - 1, {"-x", "c++"});
    add(*command);
  }

  /// The nearest source that includes the header, by itself or through other headers.
  std::string includerOf(StringRef header, ArrayRef<std::string> files) {
    StringSet<> asked;
    std::vector<std::string> wanted = {header.str()};
    for (size_t next = 0; next < wanted.size(); ++next) {
      const StringRef name = path::filename(wanted[next]);
      if (!asked.insert(name).second)
        continue;
      std::string best;
      for (const std::string &file : files) {
        const std::vector<std::string> &includes = includesIn(file);
        if (none_of(includes, [&](StringRef include) { return path::filename(include.ltrim('"')) == name; }))
          continue;
        if (!isSourceFile(file))
          wanted.push_back(file);
        else if (best.empty() || sharedLength(file, header) > sharedLength(best, header))
          best = file;
      }
      if (!best.empty())
        return best;
    }
    return {};
  }

  const std::vector<std::string> &includesIn(const std::string &file) {
    auto [known, isNew] = includes_.try_emplace(file);
    if (isNew)
      known->second = includesOf(textOfFile(file));
    return known->second;
  }

  const Request &request_;
  std::vector<std::string> paths_;
  std::vector<Command> commands_;
  std::optional<Machine> machine_;
  std::optional<Project> project_;
  compdb::Translator translator_;
  Sources sources_;
  StringMap<size_t> seen_; ///< to the place in the list
  StringMap<std::vector<std::string>> includes_;
};

} // namespace

bool Sources::include(StringRef file) const {
  return any_of(places, [&](StringRef place) { return file == place || isBelow(file, place); });
}

bool isBelowAny(StringRef file, const std::vector<std::string> &paths) {
  return paths.empty() || any_of(paths, [&](StringRef path) {
           const std::string whole = absolute(path, "");
           return file == whole || isBelow(file, whole);
         });
}

Expected<Sources> findSources(const Request &request) { return Finder(request).run(); }

} // namespace samedevice::check
