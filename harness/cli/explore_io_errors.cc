#include <fmt/format.h>

#include <set>
#include <utility>

#include "harness/base/digest.h"
#include "harness/cli/exploration.h"
#include "harness/cli/fault_campaign.h"
#include "harness/cli/fault_clusters.h"
#include "harness/inject/fault_pipes.h"
#include "harness/inject/fault_sweep.h"

namespace everycrash::cli {
namespace {

/// The faults that belong to this shard and fit under --max-states, as positions in the sweep.
struct Choice {
  std::vector<uint32_t> faults;
  uint64_t other_shards = 0;
  uint64_t over_limit = 0;
};

Choice choose(const std::vector<SweptFault>& sweep, const Campaign& campaign) {
  Choice choice;
  const uint64_t limit = campaign.exploration.options.states_max;
  for (uint32_t i = 0; i < sweep.size(); ++i) {
    if (limit != 0 && i >= limit) {
      ++choice.over_limit;
    } else if (digest_of(sweep[i].text).high % campaign.shard.count != campaign.shard.index) {
      ++choice.other_shards;
    } else {
      choice.faults.push_back(i);
    }
  }
  return choice;
}

Examined told_by_shards(const Campaign& campaign, const std::vector<SweptFault>& sweep,
                        const Choice& choice) {
  Examined examined;
  for (const uint32_t fault : choice.faults) {
    const Digest digest = digest_of(sweep[fault].text);
    const std::vector<Complaint>* complaints = campaign.verdicts.find(digest, digest.high);
    examined.judged.push_back(complaints != nullptr);
    examined.complaints.push_back(complaints != nullptr ? *complaints : std::vector<Complaint>());
  }
  return examined;
}

Result<Examined> examine_faults(Campaign& campaign, const std::vector<SweptFault>& sweep,
                                const Choice& choice) {
  if (campaign.verdicts.told()) return told_by_shards(campaign, sweep, choice);
  const Exploration& exploration = campaign.exploration;
  const Grounds& judged_by = *campaign.panel.grounds;
  const FaultPipes pipes;
  Result<FaultPlaces> made =
      make_fault_places(exploration.options, exploration.workload, exploration.trace,
                        judged_by.history, exploration.workspace, campaign.panel.judges.size());
  if (!made) return tl::unexpected(made.error());
  if (!made->limitation.empty()) {
    campaign.builder.document().capabilities.push_back(made->limitation);
  }
  limit_restarts(judged_by.selection.judges, made->grounds);
  std::vector<Worker> workers;
  for (size_t i = 0; i < made->places.size(); ++i) {
    auto maker = std::make_unique<FaultMaker>(std::move(made->places[i]), sweep, choice.faults,
                                              made->grounds);
    auto judgement =
        std::make_unique<FaultedJudgement>(*campaign.panel.judges[i], *maker, made->grounds);
    workers.push_back({std::move(maker), std::move(judgement)});
  }
  Result<Examined> examined = examine(choice.faults.size(), workers,
                                      campaign.examination("io-error", choice.faults.size()));
  campaign.terminal.clear_progress();
  for (const auto& judge : campaign.panel.judges) judge->set_for_commands("EVERYCRASH_FAULT", "");
  if (!examined || campaign.shard.count == 1) return examined;
  for (size_t i = 0; i < choice.faults.size(); ++i) {
    if (!examined->judged[i]) continue;
    campaign.verdicts.remember(digest_of(sweep[choice.faults[i]].text), examined->complaints[i]);
  }
  return examined;
}

reports::Coverage coverage_of(const Campaign& campaign, const std::vector<SweptFault>& sweep,
                              const Choice& choice, const Examined& examined) {
  reports::Coverage coverage{.crash = "io-error",
                             .crash_points = count_swept_calls(sweep),
                             .considered = sweep.size(),
                             .distinct = sweep.size(),
                             .skipped_by_shard = choice.other_shards};
  count_verdicts(examined, coverage);
  coverage.skipped_by_budget += choice.over_limit;
  coverage.exhaustive = coverage.skipped_by_budget == 0;
  if (!coverage.exhaustive) {
    coverage.bound = campaign.was_interrupted()
                         ? "until it was interrupted, in the order of the run"
                         : "the first calls in the order of the run";
  }
  return coverage;
}

}  // namespace

Status explore_io_errors(Campaign& campaign) {
  const Exploration& exploration = campaign.exploration;
  const std::vector<SweptFault> sweep = sweep_of(exploration.trace);
  const Choice choice = choose(sweep, campaign);
  Result<Examined> examined = examine_faults(campaign, sweep, choice);
  if (!examined) return tl::unexpected(examined.error());
  campaign.builder.document().coverage.push_back(coverage_of(campaign, sweep, choice, *examined));
  tell_not_measured(*examined, campaign.builder.document());
  std::vector<std::vector<Complaint>> complaints(sweep.size());
  for (size_t i = 0; i < choice.faults.size(); ++i) {
    complaints[choice.faults[i]] = std::move(examined->complaints[i]);
    if (examined->judged[i]) campaign.crashed.insert(sweep[choice.faults[i]].record);
  }
  for (const FaultCluster& cluster :
       cluster_faults(exploration.trace, sweep, complaints,
                      [&](uint64_t stack) { return campaign.builder.site_of(stack); })) {
    campaign.builder.add_fault_finding(cluster);
  }
  return {};
}

}  // namespace everycrash::cli
