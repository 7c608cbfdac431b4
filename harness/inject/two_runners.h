// Two instances of a workload at once, operation by operation in an order that was chosen before:
// the first stands still at a crash point while the second goes on, and then goes on itself, or is
// killed.
//
// One of them has the turn; the other may compute and read, but stands before its next operation,
// or before it asks for a lock on a file of the state directory: what it has read is old then.
// Who has the turn and changes nothing while all its threads sleep, or while it tries the same
// again and again, is waiting for something that the other holds, such as a lock, and the turn
// passes to the other. So the same order comes out each time, as far as the program does the same
// each time; and every order is one that two free runners may have.
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "harness/base/error.h"
#include "harness/inject/run_place.h"
#include "harness/model/file_system.h"
#include "harness/record/recorder.h"
#include "harness/record/runner_group.h"

namespace everycrash {

/// RUNNER goes on until it stands before its operation number `until` (from 0), or to its end.
struct Turn {
  uint32_t runner = 0;
  uint64_t until = RunnerGroup::kAll;
  friend auto operator<=>(const Turn&, const Turn&) = default;
};

/// The turns of a run. After the last one whoever is left goes on to its end.
struct TurnSchedule {
  std::vector<Turn> turns;
  /// The first runner is killed where it stands when its second turn would come.
  bool kill_first = false;
  friend auto operator<=>(const TurnSchedule&, const TurnSchedule&) = default;
};

/// What became of one turn.
struct TurnTaken {
  uint32_t runner = 0;
  enum class Stop : uint8_t {
    kStands,  ///< before the operation that was asked for
    kEnded,
    kWaits,   ///< for the other
    kKilled,  ///< the turn was to be killed
  } stop = Stop::kEnded;
  uint64_t first_record = 0;  ///< the record that came next when the turn began
  uint64_t next_record = 0;   ///< and when it ended
};

struct PairRun {
  std::filesystem::path trace_file;
  std::vector<TurnTaken> turns;
  ProcessEnd ends[2] = {TimedOut{}, TimedOut{}};
  uint64_t operations[2] = {0, 0};
  std::string unusable;  ///< not empty: why nothing can be said on the ground of this run
};

/// Runs pairs, one at a time, each on the same tree. For one thread.
class TwoRunners {
 public:
  /// OPTIONS say what is run, where, and how long a pair may take; their trace file is not used.
  /// Takes over the state directory and empties it. FOLDER exists and gets the traces, which stay
  /// there until they are removed.
  static Result<std::unique_ptr<TwoRunners>> create(RecordOptions options,
                                                    std::filesystem::path folder);

  /// What pairs find from now on, and what had been printed and done to the outside by then. OLD:
  /// the files look as if they had been left a day ago, not just now.
  void start_from(const FileSystem& tree, std::string printed, std::string events, bool old);

  /// Fails if the machine does, with kInterrupted after an interrupt. That runners fail is a value.
  Result<PairRun> run(const TurnSchedule& schedule);

  /// Makes the state directory hold TREE.
  Status restore(const FileSystem& tree) { return place_->become(tree); }

 private:
  explicit TwoRunners(std::unique_ptr<RunPlace> place) : place_(std::move(place)) {}
  Status prepare();
  Status make_old();
  Status start(RunnerGroup& group, uint32_t runner);
  Status take_turns(RunnerGroup& group, const TurnSchedule& schedule, PairRun& run);
  Status let_all_end(RunnerGroup& group, PairRun& run);
  Result<TurnTaken> take_turn(RunnerGroup& group, const Turn& turn);
  [[nodiscard]] bool is_late() const;

  std::unique_ptr<RunPlace> place_;
  std::optional<FileSystem> start_;
  std::string printed_, events_;
  bool old_ = false;
  std::chrono::steady_clock::time_point deadline_;
};

}  // namespace everycrash
