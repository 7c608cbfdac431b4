// `everycrash merge`: the whole run, told again from the trace and from the verdicts of all shards.
// Nothing that a shard judged is judged again; a smaller variant of a failing state, which no shard
// needed, is.
#include <fmt/format.h>

#include <utility>

#include "harness/base/quoting.h"
#include "harness/check/effect_counts.h"
#include "harness/cli/commands.h"
#include "harness/cli/exploration.h"
#include "harness/cli/judge_plan.h"
#include "harness/cli/plan_of.h"
#include "harness/cli/sharding.h"
#include "harness/cli/version.h"
#include "reports/merge.h"
#include "reports/result_json.h"

namespace everycrash::cli {
namespace {

Result<std::vector<reports::NamedDocument>> read_all(
    const std::vector<std::filesystem::path>& files) {
  std::vector<reports::NamedDocument> documents;
  for (const std::filesystem::path& file : files) {
    Result<reports::ResultDocument> document = reports::read_document(file);
    if (!document) return tl::unexpected(document.error());
    documents.push_back({printable(file.string()), std::move(*document)});
  }
  return documents;
}

/// The options of the run that RUN describes.
TestOptions options_of(const reports::ResultDocument& run, const reports::Bounds& bounds,
                       const TestOptions& given) {
  TestOptions options = given;
  apply_bounds(bounds, options);
  options.base = run.judging.base;
  options.check = run.judging.check;
  options.recover = run.judging.recover;
  options.resume = run.judging.resume;
  options.oracles = run.judging.oracles;
  options.acknowledgement = run.judging.acknowledgement;
  options.ignore = run.judging.ignore;
  options.effects.commands = run.judging.effects.commands;
  options.effects.folders = run.judging.effects.folders;
  options.effects.peers = run.judging.effects.peers;
  options.effects.sink = run.judging.effects.sink;
  const Occurrence right = occurrence_named(run.judging.effects.times);
  options.effects.at_least_once = right == Occurrence::kAtLeastOnce;
  options.effects.at_most_once = right == Occurrence::kAtMostOnce;
  options.check_timeout = fmt::format("{}ms", run.judging.limit_ms);
  options.crash.clear();
  for (const CrashKind kind : run.crash_kinds) options.crash.emplace_back(name_of(kind));
  if (!run.models.empty()) options.models = run.models;
  options.seed = run.seed;
  options.shard = "1/1";  // whatever the environment says
  options.jobs = 1;
  return options;
}

/// The trace that lies beside one of the documents.
Result<std::filesystem::path> find_trace(const std::vector<std::filesystem::path>& documents,
                                         const std::string& name, const std::string& identity) {
  for (const std::filesystem::path& document : documents) {
    std::filesystem::path file = document.parent_path() / name;
    const Result<Trace> trace = Trace::open(file);
    if (trace && trace->identity() == identity) return file;
  }
  return fail(ErrorKind::kUsage,
              fmt::format("the trace of these results is not beside any of them, as {}\n"
                          "Keep both files of at least the first shard together.",
                          printable(name)));
}

}  // namespace

Result<int> run_merge(const MergeOptions& options) {
  Result<std::vector<reports::NamedDocument>> documents = read_all(options.results);
  if (!documents) return tl::unexpected(documents.error());
  const Result<reports::JoinedShards> shards = reports::join_shards(std::move(*documents));
  if (!shards) return tl::unexpected(shards.error());
  const reports::ResultDocument& run = shards->run;
  if (run.tool_version != kVersion) {
    return fail(ErrorKind::kUsage, fmt::format("these results are of everycrash {}, this is {}\n"
                                               "Merge with the everycrash that explored.",
                                               printable(run.tool_version), kVersion));
  }
  const Result<std::filesystem::path> file =
      find_trace(options.results, run.trace.file, run.trace.identity);
  if (!file) return tl::unexpected(file.error());
  Result<Trace> trace = Trace::open(*file);
  if (!trace) return tl::unexpected(trace.error());
  const auto marked = mark_effects_of(run.judging.effects, *trace);
  if (!marked) return tl::unexpected(marked.error());
  Result<Workspace> workspace = Workspace::create();
  if (!workspace) return tl::unexpected(workspace.error());
  Workload workload;
  workload.argv = run.workload;
  workload.state_directory = run.state_directory;
  const TestOptions whole = options_of(run, shards->shards.front().bounds, options.common);
  const Result<CampaignPlan> plan = campaign_plan_of(whole);
  if (!plan) return tl::unexpected(plan.error());
  return explore({whole, *plan, workload, *workspace, *trace, *file, run.command, &*shards});
}

}  // namespace everycrash::cli
