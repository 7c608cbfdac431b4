// Runs of a workload that meet faults, one after the other, each from the same start.
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>

#include "harness/base/error.h"
#include "harness/check/materialise.h"
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
  std::string events;
  std::optional<WithoutDropped> without_dropped;
  format::FaultState faults{};
  std::chrono::milliseconds took{0};
  uint64_t records = 0;

  [[nodiscard]] bool succeeded() const;
};

/// One place in which a workload is run again and again. For one thread; several places serve
/// several threads, side by side.
class FaultedRuns {
 public:
  /// FOLDER is made; OPTIONS tell what to run, and (`place`, `own_network`) where it believes to
  /// be; its own folders and files are replaced by ones in FOLDER. Each run begins with START.
  static Result<std::unique_ptr<FaultedRuns>> create(RecordOptions options,
                                                     const std::filesystem::path& folder,
                                                     const FileSystem& start);

  /// Runs with that plan of faults ("" = none). Fails if the machine refuses, or with kInterrupted.
  Result<FaultedRun> run(const std::string& plan);
  /// The same on what TREE holds, instead of the start.
  Result<FaultedRun> run_on(const FileSystem& tree, const std::string& plan);

  /// What the next runs are told of effects that happened before: the file $EVERYCRASH_EFFECTS.
  void give_effects(const std::string& events);

  /// From now on runs count as endless that make many times the records, or take many times as
  /// long, as RUN did; a slow one gets a second chance.
  void measure_by(const FaultedRun& run);

 private:
  FaultedRuns(RecordOptions options, FileSystem start);
  Result<FaultedRun> run_once(const FileSystem& tree);

  RecordOptions options_;
  FileSystem start_;
  TreeOnDisk directory_;
};

}  // namespace everycrash
