// Recency abstraction: what one instruction makes has two identities, the latest of it and a summary of all that it
// made before. An object, a copy under way and page-locked memory are named alike. Made again, the latest becomes part
// of the summary; so a loop makes two things, however often it turns.
#pragma once

#include <cstdint>

namespace samedevice::analysis {

using ObjectId = std::uint32_t; ///< an object or a frame; 0: none

/// The ids of what is latest are even, and their summaries come next.
inline constexpr ObjectId kIdsOfOne = 2;

/// Whether it stands for any number of things.
constexpr bool isSummary(ObjectId id) { return id % 2 == 1; }
constexpr ObjectId summaryOf(ObjectId id) { return id | 1; }
constexpr ObjectId latestOf(ObjectId id) { return id & ~ObjectId{1}; }
/// Whether both were made by one instruction: they are the latest and its summary, or the same.
constexpr bool areOfOneMaking(ObjectId a, ObjectId b) { return summaryOf(a) == summaryOf(b); }

} // namespace samedevice::analysis
