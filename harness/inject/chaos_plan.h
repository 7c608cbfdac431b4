// Random faults for `everycrash chaos`, drawn from a seed.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace everycrash {

/// The faults of one life of a program. A value.
struct ChaosLife {
  std::vector<std::string> faults;  ///< in the language of faults
  bool fails_calls = false;         ///< some of them make calls fail, for a checker to know
};

/// The lives of one round, which the program lives one after the other on the same state before it
/// is left in peace: one to three, each with a kill, failing or short calls, a full disk, delays of
/// 50 to 500 ms or a clock that jumps. CALLS is how many an undisturbed run makes. The same SEED,
/// ROUND and CALLS give the same lives.
[[nodiscard]] std::vector<ChaosLife> chaos_lives(uint64_t seed, uint64_t round, uint64_t calls);

}  // namespace everycrash
