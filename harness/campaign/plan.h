// What a campaign is to do: everything that was asked for, understood and checked. Values; texts
// that people typed are here only where they name files or stand in a message.
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "harness/base/crash_kind.h"
#include "harness/check/run/command.h"
#include "harness/disk/disk_file_system.h"
#include "harness/effects/sink_memory.h"

namespace everycrash {

/// Power losses of a program that never syncs leave millions of states; the likeliest come first.
/// So many are judged under a model where nobody said more or less.
inline constexpr uint64_t kPowerStatesMax = 10'000;

/// How the workload is run, undisturbed and with all that a crash kind does to it.
struct RunPlan {
  std::vector<std::string> argv;    ///< of the workload, as it was typed
  std::filesystem::path base;       ///< where that was: where relative paths of commands start
  std::filesystem::path directory;  ///< that keeps its state; "" = a fresh one
  Command init;                     ///< prepares the state directory; may be empty
  std::string init_text;            ///< the same as it was typed
  std::optional<SinkOptions> sink;  ///< a receiver for its requests; port 0 = any
  std::vector<std::string> faults;  ///< that each run meets (harness/inject/faults/plan.h)
  uint64_t seed = 1;                ///< of these
  std::chrono::milliseconds timeout{60'000};
  uint64_t trace_capacity = uint64_t{4} << 30;  ///< bytes
};

/// One of the parts into which the states of a run are divided. Index from 0.
struct Shard {
  uint32_t index = 0;
  uint32_t count = 1;
};

/// Which syncs a disk that lies does not do.
struct LyingDisk {
  enum class Which : uint8_t { kAll, kOneAtATime, kOneFile } which = Which::kAll;
  std::string path;  ///< of kOneFile
};

/// On which real file systems power failures are tried, and how.
struct RealDiskPlan {
  std::vector<DiskFileSystem> file_systems;
  uint64_t schedules = 6;  ///< of background writes, on each of them
  uint64_t images = 60;    ///< disk contents mounted for each schedule
  bool in_place = false;   ///< commands run on the mounted file system
  std::filesystem::path
      keep;  ///< folder for images of disks on which a finding was seen; "" = none
  uint64_t size_mb = 320;
  std::string mkfs_arguments;
};

struct CampaignPlan {
  RunPlan run;
  std::vector<CrashKind> crash;
  std::vector<const PersistenceRules*> models;  ///< of power losses; never null
  LyingDisk lying;
  RealDiskPlan real;

  std::optional<std::chrono::milliseconds> budget;  ///< for everything
  /// Of each crash kind and model; 0 = no limit. Nothing said: no limit, but for power, where
  /// neither a time nor completeness was asked for, kPowerStatesMax.
  std::optional<uint64_t> states_max;
  uint64_t seed = 1;
  uint32_t depth = 1;        ///< units that a set loses or keeps against a prefix of the run
  uint32_t again_depth = 1;  ///< crashes of a recovery in a row; 0 = until nothing new comes up
  uint32_t preemptions = 2;  ///< of two runners at once
  uint32_t tear_bytes = 4096;
  Shard shard;
  bool all_points = false;
  bool live = false;  ///< the program itself is killed, instead of rebuilding what that leaves
  bool require_complete = false;
  bool fail_fast = false;  ///< nothing more is looked at once there is a finding
  /// What is printed is a promise that a power loss must not break; else that is a note only.
  bool prints_are_promises = false;

  bool plain = false;         ///< no namespaces, even where they are allowed
  bool check_server = false;  ///< the checker can judge many states in one process
  size_t workers = 1;
};

}  // namespace everycrash
