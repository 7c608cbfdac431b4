// In which orders two runners at once are tried: with one preemption at each operation, and, of the
// many with two, those first that are about the same lock or the same file.
//
//   const SerialSteps steps = find_steps(trace_of_two_runs_in_a_row, temporary_names);
//   for (const TurnSchedule& order : orders_with_one(steps)) ...
//   for (const TurnSchedule& order : likeliest_orders(steps, {.two = true, .most = 200})) ...
//
// Pure functions of values, thread-safe.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string_view>
#include <vector>

#include "harness/inject/two_runners.h"
#include "harness/trace/temporary_names.h"
#include "harness/trace/trace.h"

namespace everycrash {

/// Whether an operation is about what both runners change.
enum class Contended : uint8_t { kNo, kFile, kLock };

/// What two runners did before whose operations an order can make them stand, one after the other.
struct SerialSteps {
  struct Step {
    Contended about = Contended::kNo;
    bool holds_lock = false;  ///< right before it
  };
  std::vector<Step> of[2];  ///< by runner
  [[nodiscard]] uint64_t count(uint32_t runner) const { return of[runner].size(); }
  /// The second does what the first has not done yet: it may make as many as a whole run.
  [[nodiscard]] uint64_t longer() const { return std::max(count(0), count(1)); }
};

/// RECORD makes a name in a way in which programs take a lock.
[[nodiscard]] bool may_take_lock(const Operation& record);
/// The name that RECORD makes, if it makes one.
[[nodiscard]] std::string_view made_name(const Operation& record);
/// A runner is made to stand before RECORD: an operation, something that is seen outside, or a
/// lock that it asks for.
[[nodiscard]] bool is_gated(const Operation& record);

/// The steps of two runs one after the other, recorded into SERIAL. What may take a lock and is one
/// of TEMPORARY is a lock.
[[nodiscard]] SerialSteps find_steps(const Trace& serial, const TemporaryNames& temporary);

/// One preemption: the first stands before each of its operations, first to go on later, then to be
/// killed there. To be killed before the first one is as good as never to have come.
[[nodiscard]] std::vector<TurnSchedule> orders_with_one(const SerialSteps& steps);

/// How many orders with two preemptions there are: the first stands before each of its operations,
/// and the second before each but its first.
[[nodiscard]] uint64_t count_orders_with_two(const SerialSteps& steps);

struct LikeliestOptions {
  bool one = false;  ///< those with one preemption are among them
  bool two = false;  ///< and those with two, of a very long run a part of them
  uint64_t seed = 1;
  uint64_t most = ~uint64_t{0};
};

/// A sample of the orders, as long as one likes: those around a lock that both take, around what
/// both change, and the others, in no order within each, so that the first two are much more often
/// among the first. With two preemptions, around a lock means: one is about to do something to it
/// while the other believes to hold it. Depends on nothing but what is given.
[[nodiscard]] std::vector<TurnSchedule> likeliest_orders(const SerialSteps& steps,
                                                         const LikeliestOptions& options);

}  // namespace everycrash
