// What a run of random faults counts.
#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace everycrash {

struct FaultedRun;

/// A value; starts at nothing.
struct ChaosCounts {
  uint64_t seed = 1;
  uint64_t rounds = 0;
  uint64_t runs = 0;
  uint64_t consistent = 0;     ///< rounds after which checker and oracles had nothing to say
  uint64_t not_measured = 0;   ///< rounds that could not be judged
  uint64_t succeeded = 0;      ///< rounds after which the program, left in peace, succeeded
  uint64_t survived = 0;       ///< rounds that were good in all ways
  uint64_t bad = 0;            ///< rounds that were not
  uint64_t failed_writes = 0;  ///< calls that failed or were cut short
  std::map<std::string, uint64_t> faults;  ///< met, by what they did: "kill", "partition" ...
  std::map<uint64_t, uint64_t> retries;    ///< how many lives failed before one succeeded: rounds
  std::map<std::string, uint64_t> steps;   ///< "step NAME" lines of $EVERYCRASH_EVENTS, by name
  std::chrono::milliseconds recovery_total{0}, recovery_worst{0};
  std::chrono::milliseconds elapsed{0};
};

/// Adds what RUN met under PLAN, the faults that it was given.
void count_faults(const std::vector<std::string>& plan, const FaultedRun& run, ChaosCounts& counts);
/// Adds the step markers in EVENTS.
void count_steps(const std::string& events, ChaosCounts& counts);

/// Of the runs that were left in peace.
[[nodiscard]] std::chrono::milliseconds mean_recovery(const ChaosCounts& counts);

}  // namespace everycrash
