// What was asked for on the command line, in the environment and in everycrash.toml.
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "harness/base/crash_kind.h"
#include "harness/base/error.h"
#include "harness/campaign/plan.h"

namespace everycrash::cli {

inline constexpr uint64_t kStatesMaxNotSaid = ~uint64_t{0};
inline constexpr uint64_t kDiskSizeLeastMb = 300;  ///< mkfs.xfs makes none below
inline constexpr uint64_t kDiskSizeMostMb = uint64_t{1} << 20;
/// Real file systems, of every command that makes them.
struct DiskSettings {
  uint64_t size_mb = 320;
  std::string mkfs_arguments;
};

/// What counts as an effect, who receives it, and how often it may happen.
struct EffectOptions {
  std::vector<std::string> commands;  ///< globs of programs that the workload runs
  std::vector<std::string> folders;   ///< globs of outboxes in the state directory
  std::vector<std::string> peers;     ///< globs of addresses whose every message counts
  std::string sink;                   ///< "PORT[,no-dedup][,delay=...]...", "" = none
  bool at_least_once = false;
  bool at_most_once = false;
};

/// Options of every command that runs a workload. Text that names a command is parsed where it is
/// used, relative to `base`.
struct TestOptions {
  std::vector<std::string> workload;  ///< argument vector, behind "--"
  std::filesystem::path base;         ///< where relative paths of commands start
  std::string config;                 ///< everycrash.toml to read; "" = the usual, "none" = none

  std::string init;
  std::string check;
  bool check_server = false;  ///< `check` can judge many states in one process
  std::string recover;
  bool resume = false;
  std::vector<std::string> oracles;  ///< names of design.md; empty = the default
  std::string acknowledgement;       ///< stdout, none, exit, or a regular expression; "" = default
  EffectOptions effects;
  std::vector<std::string> ignore;  ///< globs of paths that two equal runs may differ in

  std::vector<std::string> crash = {"kill"};  ///< words of crash kinds, see crash_kinds_of()
  std::vector<std::string> models = {"ext4"};
  std::vector<std::string> lose_fsync;  ///< globs of files whose syncs the run is to lose
  std::vector<std::string> faults;      ///< harness/inject/faults/plan.h; the run meets them
  std::string lost_fsync = "all";       ///< all, one, or the path of one file
  bool concurrent = false;              ///< adds "concurrent" to `crash`
  uint32_t preemptions = 2;             ///< of two runners at once
  std::string budget;                   ///< "30s", "5m"; "" = none
  /// Of each crash kind and model; 0 = no limit. What is not said is no limit for kill and, where
  /// neither a time nor completeness was asked for, kPowerStatesMax for power.
  uint64_t states_max = kStatesMaxNotSaid;
  uint64_t seed = 1;
  uint32_t depth = 1;
  uint32_t again_depth = 1;  ///< crashes of a recovery in a row; 0 = until nothing new comes up
  uint32_t tear = 4096;
  std::string shard;  ///< "I/N", from 1
  uint32_t jobs = 0;  ///< 0 = one a processor
  bool all_points = false;
  bool live = false;
  bool strict = false;
  bool require_complete = false;
  bool fail_fast = false;       ///< nothing more is looked at once there is a finding
  std::vector<std::string> on;  ///< real file systems: ext4:noauto_da_alloc, xfs, ...
  uint64_t schedules = 6;       ///< of background writes, on each of them
  uint64_t images = 60;         ///< disk contents mounted for each schedule
  bool on_disk = false;         ///< commands run on the mounted file system
  std::filesystem::path keep;   ///< folder for images of disks on which a finding was seen
  DiskSettings disk;
  std::string expect;  ///< "finding": exit 0 if there is one, 3 otherwise

  std::filesystem::path directory;    ///< --dir; "" = a fresh one on a memory file system
  std::string timeout = "60s";        ///< of one run of the workload
  std::string check_timeout = "10s";  ///< of a checker, a recovery, a resumed run
  uint64_t trace_size_mb = 4096;
  bool plain = false;  ///< no namespaces, even where they are allowed

  std::filesystem::path json;
  std::filesystem::path report;  ///< folder that gets the HTML report; "" = none
  std::filesystem::path junit;
  std::filesystem::path sarif;
  std::filesystem::path markdown;
  std::filesystem::path baseline;    ///< findings listed there do not fail the run
  std::vector<std::string> fail_on;  ///< crash kinds and models that fail the run; empty = all
  std::filesystem::path output = ".everycrash";  ///< where a run with findings is kept
  std::string color = "auto";
  bool quiet = false;
  int verbose = 0;
};

/// The crash kinds of OPTIONS, in their order. Words that name none are left out: check_values()
/// refuses them.
[[nodiscard]] std::vector<CrashKind> crash_kinds_of(const TestOptions& options);
/// What --crash can be given.
[[nodiscard]] std::vector<std::string> selectable_crash_kinds();

struct RecordOptions {
  TestOptions common;
  std::filesystem::path trace;
};

struct InjectOptions {
  TestOptions common;
  std::string kill_at;
  std::filesystem::path keep;
};

struct ChaosOptions {
  TestOptions common;
  std::string duration = "60s";
  uint64_t rounds = 0;            ///< 0 = as many as fit into the time
  std::optional<uint64_t> round;  ///< this one alone
  std::filesystem::path metrics;  ///< file for Prometheus; "" = none
};

struct ReplayOptions {
  std::filesystem::path result;
  std::string finding;
  std::filesystem::path keep;
  bool shell = false;
  bool gdb = false;
  std::string color = "auto";
};

struct ReportOptions {
  std::filesystem::path result;
  std::filesystem::path folder;  ///< "" = where the result is
};

struct ExploreOptions {
  TestOptions common;
  std::filesystem::path trace;
};

struct MergeOptions {
  std::vector<std::filesystem::path> results;  ///< documents of shards
  TestOptions common;                          ///< where the result goes and how it looks
};

struct ExportOptions {
  std::filesystem::path result;
  std::string format = "text";
  std::filesystem::path output;  ///< "" = standard output
};

struct BaselineOptions {
  std::vector<std::filesystem::path> results;
  std::filesystem::path baseline = "everycrash-baseline.txt";
};

struct InitOptions {
  std::filesystem::path directory;  ///< "" = here
  bool force = false;
};

struct SinkCommandOptions {
  std::string behaviour = "0";  ///< as parse_sink reads it
  std::filesystem::path log;
};

struct ScenarioOptions {
  TestOptions common;
  bool list = false;
  bool all = false;
  bool quick = false;
  bool matrix = false;
  std::vector<std::string> columns;  ///< of the matrix; empty = all
  std::string name;
  std::string break_name;
};

struct ValidateOptions {
  std::vector<std::string> file_systems = {"ext4", "ext4:noauto_da_alloc", "xfs", "btrfs"};
  DiskSettings disk;
  std::filesystem::path script;  ///< one workload, instead of all others
  uint64_t random = 200;         ///< random workloads on each file system
  uint64_t first = 0;            ///< number of the first of them
  bool litmus = true;
  uint64_t schedules = 3;
  uint64_t images = 24;
  uint64_t seed = 1;
  uint32_t jobs = 0;  ///< 0 = two a processor: most of the time is waiting
  std::filesystem::path report;
  std::string color = "auto";
  bool quiet = false;
};

struct DiskShellOptions {
  bool list = false;
  std::filesystem::path trace;
  std::filesystem::path image;
  std::string file_system = "ext4";
  DiskSettings disk;
  uint64_t schedule = 0;
  uint64_t state = 0;
  uint64_t seed = 1;
  bool lost_flushes = false;
};

/// "90", "90s", "5m", "1h", "250ms". Errors are kUsage and name OPTION.
[[nodiscard]] Result<std::chrono::milliseconds> parse_duration(std::string_view text,
                                                               std::string_view option);

/// A shard "I/N" as {I - 1, N}; {0, 1} for "". Falls back on TEST_SHARD_INDEX and
/// TEST_TOTAL_SHARDS.
[[nodiscard]] Result<Shard> parse_shard(std::string_view text);

}  // namespace everycrash::cli
