// Killing a real run at a crash point, instead of rebuilding the state from a recorded one.
#pragma once

#include <cstdint>
#include <string>

#include "harness/base/error.h"
#include "harness/check/examination.h"
#include "harness/check/run/materialise.h"
#include "harness/effects/find_effects.h"
#include "harness/explore/crash_point.h"
#include "harness/explore/kill_states.h"
#include "harness/model/file_system.h"
#include "harness/record/recorder.h"

namespace everycrash {

/// What one run with faults left.
struct KilledRun {
  bool reached = false;  ///< it was killed at its point; false: it ended by itself
  ProcessEnd end = TimedOut{};
  FileSystem tree;
  std::string printed;
  std::string stderr_tail;  ///< the last 4 KiB of it
  std::string events;
  std::string lost;             ///< describe_lost_syncs()
  format::FaultState faults{};  ///< how often each fault was met
};

/// Runs the workload of OPTIONS, with the faults that they name, to its end or time limit; what it
/// left stays in its state directory. EFFECTS say what of it is an event beside those that it
/// names.
[[nodiscard]] Result<KilledRun> run_to_end(const RecordOptions& options,
                                           const EffectRules& effects = {});

/// What of a killed run is wanted: the state that it leaves, or the trace of its calls too.
enum class Wanted : uint8_t { kState, kTrace };

/// Runs the workload of OPTIONS and kills it at POINT; what it left stays in its state directory.
/// Not reaching the point is no error: another run of a program need not do the same. For the state
/// alone the run is hardly slower than the program.
[[nodiscard]] Result<KilledRun> run_and_kill(RecordOptions options, const PointPattern& point,
                                             const EffectRules& effects = {},
                                             Wanted wanted = Wanted::kState);

/// States of a killed process by really killing it: for each one the state directory is put back to
/// how it was before the workload, and the workload runs again. For one thread. TRACE and KILLS
/// must outlive it.
class LiveStateMaker : public StateMaker {
 public:
  /// OPTIONS are those with which TRACE was recorded, with another trace file. Takes over the state
  /// directory and empties it.
  static Result<std::unique_ptr<LiveStateMaker>> create(const Trace& trace, const KillStates& kills,
                                                        RecordOptions options,
                                                        EffectRules effects = {},
                                                        Wanted wanted = Wanted::kState);
  Result<StateView> make(size_t number) override;

 private:
  LiveStateMaker(const Trace& trace, const KillStates& kills, RecordOptions options,
                 EffectRules effects, Wanted wanted, FileSystem start);

  const KillStates& kills_;
  PointNames names_;
  RecordOptions options_;
  EffectRules effects_;
  Wanted wanted_;
  FileSystem start_;
  TreeOnDisk directory_;
  KilledRun run_;
  std::string unavailable_;
};

}  // namespace everycrash
