// The commands of everycrash: each takes its options and returns the exit status.
#pragma once

#include "harness/base/error.h"
#include "harness/cli/options/options.h"

namespace everycrash::cli {

// Errors that they return are printed by main(), which also turns their kind into an exit status.
[[nodiscard]] Result<int> run_test(const TestOptions& options);
[[nodiscard]] Result<int> run_record(const RecordOptions& options);
[[nodiscard]] Result<int> run_explore(const ExploreOptions& options);
[[nodiscard]] Result<int> run_inject(const InjectOptions& options);
[[nodiscard]] Result<int> run_chaos(const ChaosOptions& options);
[[nodiscard]] Result<int> run_replay(const ReplayOptions& options);
[[nodiscard]] Result<int> run_report(const ReportOptions& options);
[[nodiscard]] Result<int> run_merge(const MergeOptions& options);
[[nodiscard]] Result<int> run_scenario(const ScenarioOptions& options);
[[nodiscard]] Result<int> run_export(const ExportOptions& options);
[[nodiscard]] Result<int> run_baseline_update(const BaselineOptions& options);
[[nodiscard]] Result<int> run_init_command(const InitOptions& options);
[[nodiscard]] Result<int> run_doctor(bool clean);
[[nodiscard]] Result<int> run_disk(const DiskShellOptions& options);
[[nodiscard]] Result<int> run_validate(const ValidateOptions& options);
[[nodiscard]] Result<int> run_sink(const SinkCommandOptions& options);

/// The exit status that stands for an error of that kind.
[[nodiscard]] int exit_status(ErrorKind kind);

}  // namespace everycrash::cli
