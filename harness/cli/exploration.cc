#include "harness/cli/exploration.h"

#include <unistd.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "harness/base/exit_status.h"
#include "harness/campaign/panel.h"
#include "harness/campaign/run_campaign.h"
#include "harness/cli/conclude.h"
#include "harness/cli/document/run_document.h"
#include "harness/cli/document/shards.h"
#include "harness/cli/interrupt.h"
#include "harness/cli/judge_plan.h"
#include "harness/cli/keep.h"
#include "harness/cli/report_files.h"
#include "harness/cli/sharding.h"
#include "harness/cli/terminal_progress.h"
#include "harness/explain/run_names.h"
#include "reports/text_report.h"

namespace everycrash::cli {
namespace {

Result<Panel> panel_of(const Exploration& exploration, const reports::Judging& judging) {
  Result<JudgeOptions> options = judge_options_of(judging, exploration.workload.argv);
  if (!options) return tl::unexpected(options.error());
  return make_panel(exploration.trace,
                    {.judging = std::move(*options),
                     .recorded_path = exploration.workload.state_directory,
                     .plain = exploration.plan.plain,
                     .check_server = exploration.plan.check_server,
                     .workers = exploration.plan.workers,
                     .host_sink = host_sink_of(exploration.workload),
                     .stop = asked_to_stop()},
                    exploration.workspace);
}

/// What shards have said, where they are merged.
Result<std::optional<ToldShards>> told_by(const reports::JoinedShards* shards) {
  if (shards == nullptr) return std::nullopt;
  Result<std::vector<ToldShard>> told = read_shards(shards->shards);
  if (!told) return tl::unexpected(told.error());
  return ToldShards{std::move(*told), shards->run.interrupted};
}

/// What a merge needs to tell the whole run.
void describe_shard(const Exploration& exploration, const Verdicts& verdicts,
                    reports::ResultDocument& document) {
  document.shard = shard_text(exploration.plan.shard);
  if (document.shard.empty()) return;
  const bool complete =
      std::all_of(document.coverage.begin(), document.coverage.end(),
                  [](const auto& coverage) { return coverage.skipped_by_budget == 0; });
  reports::ShardMaterial& material = document.shard_material.emplace();
  material.bounds = bounds_of(exploration.options);
  write_shard(verdicts.tell(complete && !document.interrupted), material);
}

/// Prints the report and writes all others; the exit status.
Result<int> report(const Exploration& exploration, reports::ResultDocument& document,
                   reports::ColourChoice colour) {
  const TestOptions& options = exploration.options;
  const Status kept = keep_and_draw(document, options, exploration.trace_file);
  reports::Terminal out(STDOUT_FILENO, colour);
  reports::TextOptions text{.colour = out.colour()};
  if (options.quiet) text.detail = reports::Detail::kQuiet;
  if (options.verbose > 0) text.detail = reports::Detail::kVerbose;
  out.print(without_commands(reports::text_report(document, text)));
  const Status written = write_reports(options, document);
  if (!kept) return tl::unexpected(kept.error());
  if (!written) return tl::unexpected(written.error());
  return document.exit_code;
}

}  // namespace

Result<int> explore(const Exploration& exploration) {
  const TestOptions& options = exploration.options;
  const CampaignPlan& plan = exploration.plan;
  const Result<reports::ColourChoice> colour = reports::parse_colour(options.color);
  if (!colour) return tl::unexpected(colour.error());
  if (Status ok = announce_sharding(); !ok) return tl::unexpected(ok.error());
  Result<reports::Judging> judging = judging_of(options, exploration.workload);
  if (!judging) return tl::unexpected(judging.error());
  if (Status ok = check_changes(exploration.trace, exploration.workload); !ok) {
    return tl::unexpected(ok.error());
  }
  const Result<std::optional<ToldShards>> told = told_by(exploration.shards);
  if (!told) return tl::unexpected(told.error());
  reports::Terminal terminal(STDERR_FILENO, *colour);
  TerminalProgress progress(terminal, options.quiet);
  progress.judging_undisturbed();
  Result<Panel> panel = panel_of(exploration, *judging);
  if (!panel) return tl::unexpected(panel.error());
  const RunNames names(exploration.trace);
  const Result<CampaignResult> result =
      run_campaign({plan, exploration.workload, exploration.workspace, exploration.trace, *panel,
                    names, progress, asked_to_stop(), *told ? &**told : nullptr});
  if (!result) return tl::unexpected(result.error());

  const CampaignFacts& facts = result->facts;
  const std::string identity = exploration.trace.identity();
  reports::ResultDocument document =
      make_document({.plan = plan,
                     .workload = exploration.workload,
                     .trace = exploration.trace,
                     .names = names,
                     .judged_by = *panel->grounds,
                     .facts = facts,
                     .judging = std::move(*judging),
                     .command = exploration.command,
                     .kept = place_of_result(options, identity, !facts.findings.empty())});
  if (Status ok = waive(options, document); !ok) return tl::unexpected(ok.error());
  conclude({.is_shard = plan.shard.count > 1,
            .has_budget = plan.budget.has_value(),
            .strict = options.strict,
            .require_complete = options.require_complete,
            .expects_finding = options.expect == "finding"},
           document);
  describe_shard(exploration, result->verdicts, document);
  Result<int> code = report(exploration, document, *colour);
  if (code && *code != kExitFinding && !result->deferred) {
    return tl::unexpected(result->deferred.error());
  }
  return code;
}

}  // namespace everycrash::cli
