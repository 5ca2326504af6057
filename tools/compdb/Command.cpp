#include "Command.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/StringSaver.h"

using namespace llvm;

namespace samedevice::compdb {

std::vector<std::string> splitShellWords(StringRef text) {
  BumpPtrAllocator allocator;
  StringSaver saver(allocator);
  SmallVector<const char *, 32> words;
  cl::TokenizeGNUCommandLine(text, saver, words);
  return {words.begin(), words.end()};
}

static Expected<Command> parseEntry(const json::Value &value, size_t index) {
  auto malformed = [index](const char *what) {
    return createStringError(inconvertibleErrorCode(), "entry %zu of the compilation database %s", index, what);
  };
  const json::Object *entry = value.getAsObject();
  if (!entry)
    return malformed("is not an object");
  Command command;
  command.directory = entry->getString("directory").value_or("").str();
  command.file = entry->getString("file").value_or("").str();
  command.output = entry->getString("output").value_or("").str();
  if (command.file.empty())
    return malformed("names no file");
  if (const json::Array *arguments = entry->getArray("arguments")) {
    for (const json::Value &argument : *arguments) {
      std::optional<StringRef> text = argument.getAsString();
      if (!text)
        return malformed("has an argument that is not a string");
      command.arguments.push_back(text->str());
    }
  } else if (std::optional<StringRef> line = entry->getString("command")) {
    command.arguments = splitShellWords(*line);
  }
  if (command.arguments.empty())
    return malformed("has neither a command nor arguments");
  return command;
}

Expected<std::vector<Command>> parseDatabase(StringRef text) {
  Expected<json::Value> root = json::parse(text);
  if (!root)
    return root.takeError();
  const json::Array *entries = root->getAsArray();
  if (!entries)
    return createStringError(inconvertibleErrorCode(), "the compilation database is not a list");
  std::vector<Command> commands;
  commands.reserve(entries->size());
  for (size_t index = 0; index < entries->size(); ++index) {
    Expected<Command> command = parseEntry((*entries)[index], index);
    if (!command)
      return command.takeError();
    commands.push_back(std::move(*command));
  }
  return commands;
}

std::string findDatabase(StringRef directory) {
  for (SmallString<128> above(directory); !above.empty(); above = sys::path::parent_path(above)) {
    for (StringRef below : {"", "build"}) {
      SmallString<128> candidate(above);
      sys::path::append(candidate, below, "compile_commands.json");
      if (sys::fs::exists(candidate))
        return candidate.str().str();
    }
  }
  return "";
}

void printDatabase(const std::vector<Command> &commands, raw_ostream &out) {
  json::OStream json(out, /*IndentSize=*/2);
  json.array([&] {
    for (const Command &command : commands) {
      json.object([&] {
        json.attribute("directory", command.directory);
        json.attribute("file", command.file);
        if (!command.output.empty())
          json.attribute("output", command.output);
        json.attributeArray("arguments", [&] {
          for (const std::string &argument : command.arguments)
            json.value(json::fixUTF8(argument));
        });
      });
    }
  });
  out << '\n';
}

} // namespace samedevice::compdb
