#include "harness/cli/plan_of.h"

#include <algorithm>
#include <thread>
#include <utility>

#include "harness/check/oracles/all_oracles.h"
#include "harness/inject/fault_text.h"

namespace everycrash::cli {
namespace {

size_t worker_count(const TestOptions& options) {
  if (options.jobs != 0) return options.jobs;
  return std::max(1u, std::thread::hardware_concurrency());
}

LyingDisk lying_disk_of(const std::string& text) {
  if (text == "all") return {};
  if (text == "one") return {.which = LyingDisk::Which::kOneAtATime};
  return {.which = LyingDisk::Which::kOneFile, .path = text};
}

Result<RealDiskPlan> real_disk_plan_of(const TestOptions& options) {
  RealDiskPlan plan{.schedules = options.schedules,
                    .images = options.images,
                    .in_place = options.on_disk,
                    .keep = options.keep,
                    .size_mb = options.disk.size_mb,
                    .mkfs_arguments = options.disk.mkfs_arguments};
  for (const std::string& name : options.on) {
    Result<DiskFileSystem> real = parse_disk_file_system(name);
    if (!real) return tl::unexpected(real.error());
    plan.file_systems.push_back(std::move(*real));
  }
  return plan;
}

/// True where somebody said what counts as a promise, or that promises are to be judged.
bool asks_for_promises(const TestOptions& options) {
  return !options.acknowledgement.empty() ||
         std::any_of(options.oracles.begin(), options.oracles.end(), [](const std::string& name) {
           return oracle_named(name) == Judge::kAcknowledged;
         });
}

}  // namespace

std::vector<std::string> faults_of(const TestOptions& options) {
  std::vector<std::string> faults;
  for (const std::string& glob : options.lose_fsync) {
    faults.push_back(lost_syncs_of(glob));
  }
  faults.insert(faults.end(), options.faults.begin(), options.faults.end());
  return faults;
}

Result<RunPlan> run_plan_of(const TestOptions& options) {
  const Result<std::chrono::milliseconds> timeout = parse_duration(options.timeout, "--timeout");
  if (!timeout) return tl::unexpected(timeout.error());
  RunPlan plan{.argv = options.workload,
               .base = options.base,
               .directory = options.directory,
               .init = parse_command(options.init, options.base),
               .init_text = options.init,
               .faults = faults_of(options),
               .seed = options.seed,
               .timeout = *timeout,
               .trace_capacity = options.trace_size_mb << 20};
  if (!options.init.empty() && plan.init.empty()) {
    return fail(ErrorKind::kUsage, "--init is empty");
  }
  if (options.effects.sink.empty()) return plan;
  const Result<SinkOptions> sink = parse_sink(options.effects.sink);
  if (!sink) return tl::unexpected(sink.error());
  plan.sink = *sink;
  return plan;
}

Result<CampaignPlan> campaign_plan_of(const TestOptions& options) {
  Result<RunPlan> run = run_plan_of(options);
  if (!run) return tl::unexpected(run.error());
  Result<RealDiskPlan> real = real_disk_plan_of(options);
  if (!real) return tl::unexpected(real.error());
  const Result<Shard> shard = parse_shard(options.shard);
  if (!shard) return tl::unexpected(shard.error());
  CampaignPlan plan{.run = std::move(*run),
                    .crash = crash_kinds_of(options),
                    .lying = lying_disk_of(options.lost_fsync),
                    .real = std::move(*real),
                    .seed = options.seed,
                    .depth = options.depth,
                    .again_depth = options.again_depth,
                    .preemptions = options.preemptions,
                    .tear_bytes = options.tear,
                    .shard = *shard,
                    .all_points = options.all_points,
                    .live = options.live,
                    .require_complete = options.require_complete,
                    .fail_fast = options.fail_fast,
                    .prints_are_promises = asks_for_promises(options),
                    .plain = options.plain,
                    .check_server = options.check_server,
                    .workers = worker_count(options)};
  for (const std::string& name : options.models) {
    const Result<const PersistenceRules*> model = find_model(name);
    if (!model) return tl::unexpected(model.error());
    plan.models.push_back(*model);
  }
  if (options.states_max != kStatesMaxNotSaid) plan.states_max = options.states_max;
  if (options.budget.empty()) return plan;
  const Result<std::chrono::milliseconds> budget = parse_duration(options.budget, "--budget");
  if (!budget) return tl::unexpected(budget.error());
  plan.budget = *budget;
  return plan;
}

}  // namespace everycrash::cli
