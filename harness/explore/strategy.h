// Why a crash state of a power loss is looked at, and how many are.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace everycrash {

enum class Strategy : uint8_t {
  kPrefix,      ///< all up to some operation, nothing after it
  kAllLost,     ///< everything that no sync made durable
  kOneLost,     ///< one unit, and what needs it
  kNamesLost,   ///< directory entries, and what needs them
  kDataLost,    ///< all content, names kept
  kTorn,        ///< the last write of a prefix, cut or with holes
  kOneKept,     ///< one unit, and what it needs
  kPairs,       ///< two units
  kExhaustive,  ///< every state of the window
  kRandom,
};
inline constexpr size_t kStrategies = 10;
[[nodiscard]] std::string_view name_of(Strategy strategy);

/// How far each window goes (candidates.h).
struct CandidateBounds {
  uint64_t exhaustive_limit = 4096;  ///< states of a window that are all enumerated
  uint64_t window_limit = 20000;     ///< sets looked at in a window and round where they are not
  uint32_t depth = 1;                ///< units lost or kept against every prefix
  uint32_t random_sets = 200;        ///< in a window that is not exhausted
  uint64_t seed = 1;
};

}  // namespace everycrash
