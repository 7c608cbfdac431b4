#include "harness/inject/recovery_runs.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

#include "harness/check/difference.h"
#include "harness/check/given_file.h"
#include "harness/explore/state_builder.h"

namespace everycrash {
namespace {

/// Why TRACE tells less than the run did; "" if it tells all.
std::string incomplete(const Trace& trace) {
  if (trace.full() != 0) {
    return fmt::format("its trace could not be written to its end: {}",
                       std::strerror(trace.full()));
  }
  for (const Operation& record : trace.records()) {
    if (record.kind != Kind::kUnsupported) continue;
    if (static_cast<Unsupported>(record.mode) == Unsupported::kIoUring) continue;
    return explain_unsupported(record);
  }
  return "";
}

}  // namespace

Status empty_folder(const std::filesystem::path& folder) {
  std::error_code error;
  for (std::filesystem::directory_iterator it(folder, error), end; !error && it != end;
       it.increment(error)) {
    std::filesystem::remove_all(it->path(), error);
    if (error) break;
  }
  if (error)
    return harness_error(fmt::format("cannot empty {}: {}", folder.string(), error.message()));
  return {};
}

RecoveryRuns::RecoveryRuns(RecordOptions options, std::filesystem::path folder)
    : options_(std::move(options)),
      folder_(std::move(folder)),
      directory_(options_.state_directory) {}

Result<std::unique_ptr<RecoveryRuns>> RecoveryRuns::create(RecordOptions options,
                                                           std::filesystem::path folder) {
  if (Status ok = empty_folder(options.state_directory); !ok) return tl::unexpected(ok.error());
  options.environment["EVERYCRASH_STDOUT"] = (folder / "printed").string();
  options.environment["EVERYCRASH_EFFECTS"] = (folder / "effects").string();
  return std::unique_ptr<RecoveryRuns>(new RecoveryRuns(std::move(options), std::move(folder)));
}

Status RecoveryRuns::restore(const FileSystem& tree) {
  if (Result<bool> changed = directory_.note_changes(); !changed)
    return tl::unexpected(changed.error());
  return directory_.become(tree);
}

Result<RecoveryRun> RecoveryRuns::run(const FileSystem& tree, std::string_view printed,
                                      std::string_view events) {
  Status prepared = restore(tree);
  if (prepared) prepared = write_file(folder_ / "printed", printed);
  if (prepared) prepared = write_file(folder_ / "effects", effect_lines(events));
  if (!prepared) return tl::unexpected(prepared.error());
  options_.trace_file = folder_ / fmt::format("{}.trace", ++runs_);
  Result<RecordOutcome> outcome = record(options_);
  if (!outcome) return tl::unexpected(outcome.error());
  RecoveryRun run{.trace_file = options_.trace_file, .end = outcome->end};
  if (outcome->leftover_processes > 0) run.unusable = "it left processes behind";
  const Result<Trace> trace = Trace::open(run.trace_file);
  if (!trace) return tl::unexpected(trace.error());
  if (run.unusable.empty()) run.unusable = incomplete(*trace);
  if (Status ok = check_against_disk(*trace, run); !ok) return tl::unexpected(ok.error());
  return run;
}

/// A recovery may do what no recorded call did, as any run may.
Status RecoveryRuns::check_against_disk(const Trace& trace, RecoveryRun& run) {
  if (!run.succeeded()) return {};
  const Result<StateBuilder> builder = StateBuilder::at_end(trace);
  if (!builder) return tl::unexpected(builder.error());
  const Result<FileSystem> found = read_tree(options_.state_directory);
  if (!found) return tl::unexpected(found.error());
  std::vector<Difference> differences = find_differences(builder->tree(), *found, {});
  std::erase_if(differences, [](const Difference& difference) {
    return difference.kind == Difference::Kind::kAttributes;
  });
  if (!differences.empty()) {
    run.unusable = fmt::format("what it left is not what its recorded calls leave: {}",
                               describe(differences, 1));
  }
  return {};
}

}  // namespace everycrash
