// How far a campaign has come: what of each crash kind was covered, and by which bound the rest was
// left out. Plain values; sentences are made of them elsewhere.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "harness/base/crash_kind.h"
#include "harness/explore/power_states.h"

namespace everycrash {

/// The first ones in the order of the run, of states or of calls; or as far as it came before it
/// was interrupted.
struct InOrder {
  enum class What : uint8_t { kStates, kCalls } what = What::kStates;
  bool interrupted = false;
};
/// Of the sets of a power loss, those that the explorer came to.
struct PowerBound {
  PowerCoverage coverage;
  CandidateBounds bounds;
  uint64_t states_max = 0;
};
/// A disk that becomes full was tried at some of the writes only.
struct SomeFullDisks {
  size_t tried = 0;
  size_t writes = 0;
};
/// Files and peers of which no call could be made to fail, since other runs do not call them so.
struct NeverMet {
  std::vector<std::string> paths;
};
/// --fail-fast: a finding came first.
struct NotBegun {};
/// A program that asks the kernel for the time would be told the real one.
struct UnseenClock {
  std::string program;
};
/// What was crashed of recoveries.
struct Recoveries {
  uint64_t crashed = 0;
  uint64_t new_states = 0;  ///< that one crash does not leave
};
/// The same of each recovery.
struct OfEachRecovery {
  std::variant<InOrder, PowerBound> bound;
};
/// A deeper chain of crashes was not asked for.
struct DeeperChains {
  uint32_t crashes = 0;  ///< in a row, that were
  uint64_t states = 0;   ///< from which recovery was not crashed
};
/// For want of time.
struct NotRecovered {
  uint64_t states = 0;
};
/// Orders of two runners.
struct Orders {
  uint64_t one = 0, one_of = 0;  ///< with one preemption
  uint64_t two = 0, two_of = 0;  ///< with two; 0 = not asked for
  uint64_t crashes_left = 0;     ///< that left a lock, and after which none was tried
};
/// Disk contents of a real file system.
struct DiskContents {
  size_t schedules = 0;
  uint64_t images = 0;  ///< at most, for each of them
  size_t trees = 0;
};
/// Rounds of random faults.
struct RandomRounds {
  uint64_t rounds = 0;
  uint64_t seed = 0;
};

/// What was covered, where it was not all.
using Bound =
    std::variant<InOrder, PowerBound, SomeFullDisks, NeverMet, NotBegun, UnseenClock, Recoveries,
                 OfEachRecovery, DeeperChains, NotRecovered, Orders, DiskContents, RandomRounds>;

/// How far one crash kind was explored under one model, or on one real file system.
struct CoverageFacts {
  CrashKind crash = CrashKind::kKill;
  std::string model;  ///< also a clock, or a real file system; "" where the crash kind has none
  bool real = false;  ///< `model` is a real file system
  uint64_t crash_points = 0;
  uint64_t considered = 0;  ///< states, before equal ones were joined
  uint64_t distinct = 0;
  uint64_t checked = 0;
  uint64_t survived = 0;
  uint64_t violated = 0;
  uint64_t not_measured = 0;
  uint64_t skipped_by_budget = 0;
  uint64_t skipped_by_shard = 0;
  bool exhaustive = false;
  std::vector<Bound> bounds;
  std::array<uint64_t, kStrategies> strategies{};  ///< states considered, by what led to them
};

}  // namespace everycrash
