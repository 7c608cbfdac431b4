#include "harness/cli/campaign.h"

#include <utility>

#include "harness/cli/interrupt.h"
#include "harness/cli/status.h"

namespace everycrash::cli {

Result<Campaign> make_campaign(const Exploration& exploration, Panel& panel,
                               DocumentBuilder& builder, reports::Terminal& terminal,
                               const Shard& shard) {
  Campaign campaign{.exploration = exploration,
                    .panel = panel,
                    .builder = builder,
                    .terminal = terminal,
                    .shard = shard,
                    .evidence = EvidenceCollector(exploration.trace, panel.grounds->history,
                                                  *panel.judges.front())};
  if (exploration.shards != nullptr) {
    Result<Verdicts> told = Verdicts::told_by(exploration.shards->shards);
    if (!told) return tl::unexpected(told.error());
    campaign.verdicts = std::move(*told);
  }
  const std::string& budget = exploration.options.budget;
  if (!budget.empty()) {
    const Result<std::chrono::milliseconds> limit = parse_duration(budget, "--budget");
    if (!limit) return tl::unexpected(limit.error());
    campaign.deadline = std::chrono::steady_clock::now() + *limit;
  }
  return campaign;
}

ExaminationOptions Campaign::examination(const std::string& what, size_t total) const {
  ExaminationOptions options;
  options.deadline = deadline;
  options.interrupted = &interrupted();
  begin_states(what, total, deadline);
  if (exploration.options.quiet) return options;
  options.progress = [this](size_t done, size_t violated) {
    tell_progress(terminal, done, violated);
  };
  return options;
}

bool Campaign::wants_evidence(const reports::Finding& finding) const {
  return !interrupted() && (!shows || shows(finding));
}

bool Campaign::is_over() const {
  return interrupted() || (deadline && std::chrono::steady_clock::now() >= *deadline);
}

bool Campaign::ends_at_finding() const {
  return exploration.options.fail_fast && !builder.document().findings.empty();
}

bool Campaign::was_interrupted() const {
  return interrupted() || (exploration.shards != nullptr && exploration.shards->run.interrupted);
}

}  // namespace everycrash::cli
