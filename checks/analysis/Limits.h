// What an analysis may cost, and how far it looks. Where a limit is hit, the rest is unknown, which means silence.
#pragma once

#include <cstddef>
#include <cstdint>

namespace samedevice::analysis {

struct Limits {
  int statesPerPoint = 12;
  int statesPerClass = 18; ///< of an object between calls of its methods
  int visitsPerBlock = 64;
  int callDepth = 14;
  long stepsPerRoot = 400000;
  // For calls that have nothing to do with devices themselves.
  long stepsPerCallAside = 2000;
  long stepsAsidePerRoot = 40000;
  long stepsInAll = 4000000;
  long stepsWithoutDevices = 500000; ///< where no device is named, what there is to be found is found early

  /// A program of many files is granted more, so that what one of them shows does not get lost among the others; the
  /// time that all take still grows with their number.
  static Limits ofFiles(std::size_t count) {
    Limits limits;
    const long more = 20000 * static_cast<long>(count - (count > 0));
    limits.stepsPerRoot += more;
    limits.stepsInAll += more;
    limits.stepsWithoutDevices += more;
    return limits;
  }

  // What is the same for everybody.
  static constexpr int fewestStates = 2; ///< "with CUDA" and "without"
  // Of what is deeper, or more, than this, nothing is known.
  static constexpr int hops = 8;             ///< references to references; devices that were found to be others
  static constexpr int nestedModules = 8;    ///< modules in modules
  static constexpr int nestedData = 3;       ///< lists and records in lists, where their tensors are wanted
  static constexpr int nestedHavoc = 6;      ///< what unseen code may have reached
  static constexpr int nestedContainers = 6; ///< Sequentials in Sequentials, when they run or are cloned
  static constexpr int nestedHolders = 3;    ///< records between a module and a tensor that it fails to register
  static constexpr int nestedGroups = 3;     ///< lists of parameters in groups of an optimizer
  static constexpr int baseClasses = 6;      ///< from a class to the base that has a member
  static constexpr int basesOfMove = 8;      ///< from a class to the base that overrides to()
  static constexpr std::size_t ancestors = 32;
  static constexpr int helpers = 3; ///< calls from a method to what places its members
  static constexpr int parts = 4;   ///< calls from an operation to what makes its tensors
  static constexpr int towards = 4; ///< calls from a function to one that it comes to
  static constexpr int activations = 2;
  static constexpr std::size_t targets = 4;       ///< functions that one call may run
  static constexpr int readers = 2;               ///< calls that what is read for an answer is looked for through
  static constexpr std::size_t waysThrough = 4;   ///< states that a Sequential may end in
  static constexpr int roundsOfMethods = 3;       ///< of a class whose methods are run in any order
  static constexpr std::uint32_t elements = 8;    ///< of a list, told apart
  static constexpr std::size_t copiedPieces = 32; ///< of one copy; what is beyond is shared
  static constexpr int story = 24;                ///< events; longer ones nobody reads, and loops would never end
  static constexpr std::size_t notes = 5;         ///< of one finding
};

} // namespace samedevice::analysis
