// Two instances of one workload at once in one state directory, recorded into one trace, each of
// them held at a gate before every operation.
//
//   Result<std::unique_ptr<RunnerGroup>> group = RunnerGroup::create(options);
//   group->start(0);
//   group->let(0, 5);                       // five operations, then it stands before the sixth
//   while (!group->stands(0) && !group->ended(0)) group->wait(5ms);
//   group->start(1);  group->let(1, RunnerGroup::kAll);  ...
//   Status done = group->finish();
#pragma once

#include <array>
#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "harness/base/error.h"
#include "harness/record/child_process.h"
#include "harness/record/record_options.h"
#include "harness/trace/format.h"

namespace everycrash {

/// Owns the processes: nothing that they started is left once it is gone. For one thread. Options
/// are those of record(); its time limit, stop point and interrupt are the caller's affair.
class RunnerGroup {
 public:
  static constexpr uint64_t kAll = ~uint64_t{0};

  /// Creates the trace and starts nothing. Fails as record() does.
  static Result<std::unique_ptr<RunnerGroup>> create(const RecordOptions& options);
  RunnerGroup(const RunnerGroup&) = delete;
  RunnerGroup& operator=(const RunnerGroup&) = delete;
  ~RunnerGroup();

  /// Starts an instance, which is 0 or 1. It makes no operation before let().
  Status start(uint32_t runner);
  [[nodiscard]] bool started(uint32_t runner) const;
  /// From now on the instance may make OPERATIONS in all; what it has made already counts.
  void let(uint32_t runner, uint64_t operations);
  /// Holds it before its next operation.
  void hold(uint32_t runner) { let(runner, passed(runner)); }
  /// How many operations it has begun.
  [[nodiscard]] uint64_t passed(uint32_t runner) const;
  /// With how many of them it got on: neither failed nor were only to look for a lock.
  [[nodiscard]] uint64_t changed(uint32_t runner) const;
  /// It waits at its gate.
  [[nodiscard]] bool stands(uint32_t runner) const;
  /// It is over, with all that it started.
  [[nodiscard]] bool ended(uint32_t runner) const;
  /// Nothing in it is running or about to: all its threads sleep.
  [[nodiscard]] bool sleeps(uint32_t runner) const;
  /// How its command ended; TimedOut if it was killed here, or has not ended.
  [[nodiscard]] ProcessEnd end(uint32_t runner) const;
  /// Kills it with all that it started (SIGKILL), and waits for that.
  void kill(uint32_t runner);
  /// The record that comes next in the trace.
  [[nodiscard]] uint64_t next_record() const;

  /// Moves output, and waits for an end or until LIMIT.
  void wait(std::chrono::milliseconds limit);
  /// Kills what is left and seals the trace. The group is of no further use.
  Status finish();

 private:
  struct Member;
  struct State;
  explicit RunnerGroup(std::unique_ptr<State> state);
  [[nodiscard]] format::Gate& gate(uint32_t runner) const;

  std::unique_ptr<State> state_;
};

}  // namespace everycrash
