// Runs of a workload that meet faults, one after the other, each from the same start.
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "harness/base/error.h"
#include "harness/effects/find_effects.h"
#include "harness/inject/dropped_data.h"
#include "harness/model/file_system.h"
#include "harness/record/recorder.h"

namespace everycrash {

/// What one of them did and left.
struct FaultedRun {
  bool met = false;      ///< at least one call met the fault
  bool killed = false;   ///< by a fault that kills
  bool endless = false;  ///< it was still going on when it had done, or taken, many times as much
  ProcessEnd end = TimedOut{};
  FileSystem tree;
  std::string printed;
  std::string stderr_tail;         ///< the last 4 KiB of it
  std::string events;              ///< with the effects that it does not name itself
  SinkMemory sink{SinkOptions{}};  ///< what the sink had done at its end
  std::optional<WithoutDropped> without_dropped;
  format::FaultState faults{};
  std::chrono::milliseconds took{0};
  uint64_t records = 0;

  [[nodiscard]] bool succeeded() const;
};

/// One place in which a workload is run again and again. For one thread; several places serve
/// several threads, side by side. Tests derive places from it that start no process.
class FaultedRuns {
 public:
  virtual ~FaultedRuns() = default;
  /// FOLDER is made; OPTIONS tell what to run, and (`place`, `own_network`) where it believes to
  /// be; its own folders and files are replaced by ones in FOLDER. Each run begins with START.
  /// EFFECTS say what of a run is an event beside those that it names; with a sink among them,
  /// REMIND makes the real one remember what it had done before a run.
  static Result<std::unique_ptr<FaultedRuns>> create(
      RecordOptions options, const std::filesystem::path& folder, const FileSystem& start,
      EffectRules effects = {}, std::function<void(const SinkMemory&)> remind = {});

  /// Runs with that plan of faults ("" = none) and a sink that has done nothing. Fails if the
  /// machine refuses, or with kInterrupted.
  virtual Result<FaultedRun> run(const std::string& plan) = 0;
  /// The same on what TREE holds, instead of the start; the sink had done what BEFORE holds.
  virtual Result<FaultedRun> run_on(const FileSystem& tree, const std::string& plan,
                                    const SinkMemory& before) = 0;
  /// That of a sink that has done nothing.
  [[nodiscard]] virtual SinkMemory new_sink() const = 0;

  /// What the next runs are told of those before them: PRINTED is in the file $EVERYCRASH_STDOUT,
  /// the effects of EVENTS in $EVERYCRASH_EFFECTS. Nothing, at first.
  virtual Status tell_past(std::string_view printed, std::string_view events) = 0;

  /// From now on runs count as endless that make many times the records, or take many times as
  /// long, as RUN did; a slow one gets a second chance.
  virtual void measure_by(const FaultedRun& run) = 0;
};

}  // namespace everycrash
