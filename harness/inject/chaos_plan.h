// Random faults for `everycrash chaos`, drawn from a seed.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "harness/trace/trace.h"

namespace everycrash {

/// What an undisturbed run of the program does that can go wrong. A value.
struct ChaosGround {
  uint64_t calls = 0;              ///< that change the state directory
  std::vector<std::string> peers;  ///< whom it sends something, as globs; each one once
};
[[nodiscard]] ChaosGround chaos_ground(const Trace& trace);

/// The faults of one life of a program. A value.
struct ChaosLife {
  std::vector<std::string> faults;  ///< in the language of faults
  bool fails_calls = false;         ///< some of them make calls fail, for a checker to know
};

/// The lives of one round, which the program lives one after the other on the same state before it
/// is left in peace: one to three, each with a kill, failing or short calls and reads, a full disk,
/// delays of 50 to 500 ms or a clock that jumps; where it has PEERS also with connections that are
/// refused or break, short receives, and partitions that heal. The same SEED, ROUND and GROUND give
/// the same lives.
[[nodiscard]] std::vector<ChaosLife> chaos_lives(uint64_t seed, uint64_t round,
                                                 const ChaosGround& ground);

}  // namespace everycrash
