#include "harness/inject/recovery_runs.h"

#include <utility>

#include "harness/check/whole_trace.h"
#include "harness/inject/run_place.h"
#include "harness/trace/trace.h"

namespace everycrash {
namespace {

/// In a state directory on disk.
class PlacedRecoveries final : public RecoveryRuns {
 public:
  explicit PlacedRecoveries(std::unique_ptr<RunPlace> place) : place_(std::move(place)) {}
  Result<RecoveryRun> run(const FileSystem& tree, std::string_view printed,
                          std::string_view events) override;
  Status restore(const FileSystem& tree) override { return place_->become(tree); }

 private:
  Status check(const Trace& trace, RecoveryRun& run);

  std::unique_ptr<RunPlace> place_;
};

Result<RecoveryRun> PlacedRecoveries::run(const FileSystem& tree, std::string_view printed,
                                          std::string_view events) {
  Status prepared = restore(tree);
  if (prepared) prepared = place_->tell(printed, events);
  if (!prepared) return tl::unexpected(prepared.error());
  RecoveryRun run{.trace_file = place_->begin_trace()};
  Result<RecordOutcome> outcome = record(place_->options());
  if (!outcome) return tl::unexpected(outcome.error());
  run.end = outcome->end;
  if (outcome->leftover_processes > 0) run.unusable = "it left processes behind";
  const Result<Trace> trace = Trace::open(run.trace_file);
  if (!trace) return tl::unexpected(trace.error());
  if (Status ok = check(*trace, run); !ok) return tl::unexpected(ok.error());
  return run;
}

/// A recovery may do what no recorded call did, as any run may.
Status PlacedRecoveries::check(const Trace& trace, RecoveryRun& run) {
  if (run.unusable.empty()) run.unusable = find_missing_calls(trace);
  if (!run.succeeded()) return {};
  const Result<std::string> changes =
      find_unrecorded_changes(trace, place_->options().state_directory);
  if (!changes) return tl::unexpected(changes.error());
  if (!changes->empty())
    run.unusable = "what it left is not what its recorded calls leave: " + *changes;
  return {};
}

}  // namespace

Result<std::unique_ptr<RecoveryRuns>> RecoveryRuns::create(RecordOptions options,
                                                           std::filesystem::path folder) {
  Result<std::unique_ptr<RunPlace>> place = RunPlace::create(std::move(options), std::move(folder));
  if (!place) return tl::unexpected(place.error());
  return std::make_unique<PlacedRecoveries>(std::move(*place));
}

}  // namespace everycrash
