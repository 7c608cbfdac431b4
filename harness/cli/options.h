// What was asked for on the command line, in the environment and in everycrash.toml.
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "harness/base/error.h"

namespace everycrash::cli {

/// Options of every command that runs a workload. Text that names a command is parsed where it is
/// used, relative to `base`.
struct TestOptions {
  std::vector<std::string> workload;  ///< argument vector, behind "--"
  std::filesystem::path base;         ///< where relative paths of commands start

  std::string init;
  std::string check;
  std::string recover;
  bool resume = false;
  std::vector<std::string> oracles;  ///< names of design.md; empty = the default
  std::string acknowledgement;       ///< stdout, none, exit, or a regular expression; "" = default
  std::vector<std::string> ignore;   ///< globs of paths that two equal runs may differ in

  std::vector<std::string> crash = {"kill"};
  std::vector<std::string> models = {"ext4"};
  std::vector<std::string> lose_fsync;  ///< globs of files whose syncs the run is to lose
  std::string lost_fsync = "all";       ///< all, one, or the path of one file
  bool concurrent = false;              ///< adds "concurrent" to `crash`
  uint32_t preemptions = 2;             ///< of two runners at once
  std::string budget;                   ///< "30s", "5m"; "" = none
  uint64_t states_max = 0;              ///< 0 = no limit
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
  std::string expect;  ///< "finding": exit 0 if there is one, 3 otherwise

  std::filesystem::path directory;    ///< --dir; "" = a fresh one on a memory file system
  std::string timeout = "60s";        ///< of one run of the workload
  std::string check_timeout = "10s";  ///< of a checker, a recovery, a resumed run
  uint64_t trace_size_mb = 4096;
  bool plain = false;  ///< no namespaces, even where they are allowed

  std::filesystem::path json;
  std::filesystem::path output = ".everycrash";  ///< where a run with findings is kept
  std::string color = "auto";
  bool quiet = false;
  int verbose = 0;
};

struct RecordOptions {
  TestOptions common;
  std::filesystem::path trace;
};

struct InjectOptions {
  TestOptions common;
  std::string kill_at;
  std::filesystem::path keep;
};

struct ReplayOptions {
  std::filesystem::path result;
  std::string finding;
  std::filesystem::path keep;
  bool shell = false;
  bool gdb = false;
  std::string color = "auto";
};

struct ExploreOptions {
  TestOptions common;
  std::filesystem::path trace;
};

struct MergeOptions {
  std::vector<std::filesystem::path> results;  ///< documents of shards
  TestOptions common;                          ///< where the result goes and how it looks
};

struct ScenarioOptions {
  TestOptions common;
  bool list = false;
  bool all = false;
  bool quick = false;
  std::string name;
  std::string break_name;
};

struct Invocation {
  enum class Command {
    kHelp,
    kVersion,
    kTest,
    kRecord,
    kExplore,
    kInject,
    kReplay,
    kMerge,
    kScenario,
    kDoctor,
  } command = Command::kHelp;
  std::string help;  ///< text to print for kHelp
  TestOptions test;
  RecordOptions record;
  ExploreOptions explore;
  InjectOptions inject;
  ReplayOptions replay;
  MergeOptions merge;
  ScenarioOptions scenario;
};

/// Understands ARGUMENTS (without the program's name). Errors are kUsage and name the nearest
/// option.
[[nodiscard]] Result<Invocation> parse_arguments(std::vector<std::string> arguments);

/// "90", "90s", "5m", "1h", "250ms". Errors are kUsage and name OPTION.
[[nodiscard]] Result<std::chrono::milliseconds> parse_duration(std::string_view text,
                                                               std::string_view option);

/// A shard "I/N" as {I - 1, N}; {0, 1} for "". Falls back on TEST_SHARD_INDEX and
/// TEST_TOTAL_SHARDS.
struct Shard {
  uint32_t index = 0;
  uint32_t count = 1;
};
[[nodiscard]] Result<Shard> parse_shard(std::string_view text);

}  // namespace everycrash::cli
