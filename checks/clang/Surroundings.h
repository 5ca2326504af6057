// What the other files of a project say of a function that they call, whether a device guard is held there, or whose
// body they hold. Those files are read as text, not compiled, and only where it matters; what they do not say stays
// unknown.
#pragma once

#include "BodiesInText.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/FileSystem/UniqueID.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace samedevice::clangfront {

/// Somebody who calls a function, or hands it on.
struct CallerInText {
  std::string by;                   ///< the function that does
  bool isGuarded = false;           ///< with a device made current before
  bool isBackward = false;          ///< computes gradients: the autograd engine makes their device current
  std::vector<std::string> boundAs; ///< not called, but given to Python or the dispatcher by these names
};

/// Calls of `name` in the text of a C++ file. One that has a function of that name itself calls that: none, unless that
/// is the one that is meant.
std::vector<CallerInText> callersInCpp(llvm::StringRef text, llvm::StringRef name, bool mayBeDefined = false);
std::vector<CallerInText> callersInPython(llvm::StringRef text, llvm::StringRef name, bool mayBeDefined = false);

struct FileInText {
  std::string name, text;
  llvm::sys::fs::UniqueID identity;
  bool isPython = false;
};

/// All texts of a project, and which of them have a word.
struct ProjectText {
  std::vector<FileInText> files;
  llvm::StringMap<std::vector<std::size_t>> withWord;
};

class Surroundings {
public:
  explicit Surroundings(llvm::StringRef mainFile) : mainFile_(mainFile) {}

  enum class Answer {
    Nothing,
    Guarded,
    Unguarded,
    Perhaps, ///< nobody can say which of those who have a name is meant, and some are guarded
    Worker,  ///< whoever is known to call it, nobody is known to call that, and the program has guarded workers
  };
  /// `bound`: what Python calls it, as far as its own file says.
  Answer callersOf(llvm::StringRef function, llvm::ArrayRef<std::string> bound);
  /// The other files are those of a program, which binds nothing and never chooses between GPUs.
  bool areOfOneGpuProgram();
  /// What a function that is only declared here does, as far as its text says.
  const BodyInText *bodyOf(llvm::StringRef function, unsigned parameters);

  /// What was asked for, and what the answer was: as long as that is the same, so is what follows from it.
  struct Asked {
    enum Kind { Callers, OneGpu, Body } kind = Callers;
    std::string function;
    std::vector<std::string> bound;
    int parameters = 0;
    std::string answer;
  };
  /// From now on, in this process.
  static void writeDownWhatIsAsked();
  static const std::vector<Asked> &asked();
  bool wouldAnswer(const Asked &asked);

  /// The folder of all files that are asked.
  static std::string projectOf(llvm::StringRef mainFile);
  /// Its texts stay in memory from now on, for children of this process, too.
  static void keepTexts(const std::string &project);
  /// Equal as long as all that would be read there is what it was.
  static std::string fingerprint(llvm::StringRef project);

private:
  void readFiles();
  std::vector<const FileInText *> filesWith(llvm::StringRef word, bool isPython) const;
  bool isGuardedSomewhere(llvm::StringRef function) const;
  std::size_t nearnessOf(const FileInText &file) const;
  bool isOfProject(llvm::StringRef function) const;
  const BodyInText *findBody(llvm::StringRef function, unsigned parameters);
  Answer findCallers(llvm::StringRef function, llvm::ArrayRef<std::string> bound);
  bool isOneGpuProgram();
  bool hasWorkers();
  Answer callersOf(llvm::StringRef function, bool isPython, int depth, bool isBound = false);
  Answer askCallers(llvm::StringRef function, bool isPython, int depth, bool isBound);
  Answer inPython(llvm::ArrayRef<std::string> names, int depth);

  std::string mainFile_;
  std::shared_ptr<const ProjectText> texts_; ///< once somebody has asked
  llvm::sys::fs::UniqueID mainIdentity_;
  std::optional<bool> hasWorkers_;
  llvm::StringMap<Answer> answered_[2];               ///< of this question; Nothing while it is being answered
  llvm::StringMap<std::optional<BodyInText>> bodies_; ///< by name and number of parameters
};

} // namespace samedevice::clangfront
