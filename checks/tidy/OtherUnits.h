// Facts of the program's other files, for analyses of one of them: the bodies of what that only declares.
#pragma once

#include "../analysis/Findings.h"

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/raw_ostream.h"

#include <atomic>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

namespace samedevice::tidy {

using Unit = std::shared_ptr<const facts::Program>;

/// A program that the file at hand is part of, and that was looked at before.
struct Whole {
  const facts::Program *program = nullptr;
  const analysis::Result *result = nullptr; ///< with witnesses
  facts::SourceId sourcesBefore = 0;        ///< of files that come before this one
  std::string object;                       ///< the facts of this one, as they were written
};

/// Where objects of other files are looked for; nowhere, unless somebody says where.
struct FactsPlace {
  std::string folder;
  bool isFoundByItself = false; ///< where `samedevice check` has left them

  bool isAnywhere() const { return isFoundByItself || !folder.empty(); }
  bool operator==(const FactsPlace &other) const {
    return folder == other.folder && isFoundByItself == other.isFoundByItself;
  }

  /// SAMEDEVICE_FACTS has the first word, then the option DeviceFacts; a variable that is empty, or the option `none`,
  /// says nowhere.
  static FactsPlace of(llvm::StringRef option);
};

/// What `samedevice check` leaves in its cache for each source: which objects there tell of the rest of its programs.
struct LeftByCheck {
  struct Object {
    std::string name, digest, source;
  };
  std::int64_t asOf = 0; ///< nanoseconds; who has changed since is unknown
  std::vector<Object> objects;

  /// Who looks at one file does not want to wait for the analysis of more.
  static constexpr std::size_t kMost = 50;

  static std::string entryFor(llvm::StringRef source);
  static std::string digestOf(llvm::StringRef object);
  static bool isThereFor(llvm::StringRef source);
  /// From the user's own cache; nothing where nothing was left.
  static std::optional<LeftByCheck> read(llvm::StringRef source);
  void print(llvm::raw_ostream &out) const;
};

/// What this process knows besides the file at hand.
struct OtherUnits {
  std::vector<Unit> units; ///< files that are linked with each that is analysed
  std::optional<Whole> whole;
  /// Is given the facts of each file that is analysed, sources included, and what was found in it; it may be none.
  std::function<void(const facts::Program &, const analysis::Result &)> record;
  /// In an editor, which analyses its files again and again: what was seen of each last takes the place of its object.
  bool remembersFiles = false;
  /// There, how often some file was saved.
  std::atomic<unsigned> saves{0};
  /// There: what is remembered first of a file after a save is not what was known of it at the save.
  std::function<void()> onLateFacts;

  /// The other files of what `source` is part of; nothing where nobody says where they are.
  std::optional<std::vector<Unit>> othersAt(const FactsPlace &place, llvm::StringRef source) const;
  void remember(const facts::Program &own);
  /// Whether a file that was analysed, or is to be, has others to be linked with. From any thread.
  bool hasOthers(llvm::StringRef source) const;

  static OtherUnits &ofThisProcess();

private:
  std::vector<Unit> asRemembered(std::vector<Unit> onDisk) const;
  std::vector<Unit> unitsOf(const LeftByCheck &left) const;

  struct Remembered {
    Unit unit;
    unsigned asOfSave = 0;
  };

  std::map<std::string, Remembered> remembered_; ///< by their main files; one thread reads and writes it
  mutable std::mutex names_;                     ///< and others may ask what is in it
};

/// The objects below a folder, as far as the files that they tell of are not newer than they are. Those that have not
/// changed are not read again.
std::vector<Unit> unitsIn(const std::string &folder);

} // namespace samedevice::tidy
