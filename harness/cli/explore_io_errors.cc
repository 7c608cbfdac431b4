#include <fmt/format.h>

#include <map>
#include <utility>

#include "harness/base/crash_kind.h"
#include "harness/base/digest.h"
#include "harness/cli/choice.h"
#include "harness/cli/explorations.h"
#include "harness/cli/fault_campaign.h"
#include "harness/cli/not_measured.h"
#include "harness/explain/fault_clusters.h"
#include "harness/inject/fault_pipes.h"
#include "harness/inject/fault_sweep.h"

namespace everycrash::cli {
namespace {

DigestOf faults_of(const std::vector<SweptFault>& sweep) {
  return [&sweep](uint32_t fault) { return digest_of(sweep[fault].text); };
}

Result<Examined> examine_faults(Campaign& campaign, const std::vector<SweptFault>& sweep,
                                const Choice& choice) {
  const DigestOf fault_of = faults_of(sweep);
  if (campaign.verdicts.told()) return told_by_shards(campaign, choice, fault_of, fault_of);
  const Exploration& exploration = campaign.exploration;
  const Grounds& judged_by = *campaign.panel.grounds;
  const FaultPipes pipes;
  Result<FaultPlaces> made =
      make_fault_places(exploration.options, exploration.workload, exploration.trace, judged_by,
                        exploration.workspace, campaign.panel.judges.size());
  if (!made) return tl::unexpected(made.error());
  if (!made->limitation.empty()) {
    campaign.builder.document().capabilities.push_back(made->limitation);
  }
  limit_restarts(judged_by.selection.judges, made->grounds);
  std::vector<Worker> workers;
  for (size_t i = 0; i < made->places.size(); ++i) {
    auto maker = std::make_unique<FaultMaker>(std::move(made->places[i]), sweep, choice.numbers,
                                              made->grounds);
    auto judgement =
        std::make_unique<FaultedJudgement>(*campaign.panel.judges[i], *maker, made->grounds);
    workers.push_back({std::move(maker), std::move(judgement)});
  }
  Result<Examined> examined = examine(
      choice.numbers.size(), workers,
      campaign.examination(std::string(name_of(CrashKind::kIoError)), choice.numbers.size()));
  campaign.terminal.clear_progress();
  for (const auto& judge : campaign.panel.judges) judge->set_for_commands("EVERYCRASH_FAULT", "");
  if (examined) remember_for_merge(choice, *examined, fault_of, campaign);
  return examined;
}

/// Files and peers of which not one fault was met, though some were meant for them; "" if there are
/// none. For a person.
std::string files_never_met(const std::vector<SweptFault>& sweep, const Choice& choice,
                            const Examined& examined) {
  constexpr size_t kShown = 3;
  std::map<std::string, bool> met;
  for (size_t i = 0; i < choice.numbers.size(); ++i) {
    if (!examined.judged[i]) continue;
    met[sweep[choice.numbers[i]].fault.path] |= !never_came(examined.complaints[i]);
  }
  std::erase_if(met, [](const auto& entry) { return entry.second; });
  if (met.empty()) return "";
  std::string names;
  size_t shown = 0;
  for (const auto& entry : met) {
    if (shown == kShown) break;
    names += (shown++ == 0 ? "" : ", ") + entry.first;
  }
  if (met.size() > kShown) names += fmt::format(" and {} more", met.size() - kShown);
  return fmt::format("no call on {} could be made to fail: other runs do not call it so", names);
}

void add_bound(const std::string& bound, reports::Coverage& coverage) {
  if (bound.empty()) return;
  coverage.exhaustive = false;
  coverage.bound += (coverage.bound.empty() ? "" : "; ") + bound;
}

reports::Coverage coverage_of(const Campaign& campaign, const std::vector<SweptFault>& sweep,
                              const Choice& choice, const Examined& examined) {
  reports::Coverage coverage{.crash = CrashKind::kIoError,
                             .crash_points = count_swept_calls(sweep),
                             .considered = sweep.size(),
                             .distinct = sweep.size()};
  count_choice(campaign, choice, examined, "calls", coverage);
  add_bound(bound_of_full_disks(campaign.exploration.trace), coverage);
  add_bound(files_never_met(sweep, choice, examined), coverage);
  return coverage;
}

}  // namespace

Status explore_io_errors(Campaign& campaign) {
  const Exploration& exploration = campaign.exploration;
  const std::vector<SweptFault> sweep = sweep_of(exploration.trace);
  const Choice choice = choose(campaign, sweep.size(), faults_of(sweep));
  Result<Examined> examined = examine_faults(campaign, sweep, choice);
  if (!examined) return tl::unexpected(examined.error());
  campaign.builder.document().coverage.push_back(coverage_of(campaign, sweep, choice, *examined));
  if (const std::string unmet = files_never_met(sweep, choice, *examined); !unmet.empty()) {
    campaign.builder.document().recorded.warnings.push_back(unmet);
  }
  tell_not_measured(*examined, campaign.builder.document());
  campaign.effects.begin(CrashKind::kIoError, "");
  std::vector<std::vector<Complaint>> complaints(sweep.size());
  for (size_t i = 0; i < choice.numbers.size(); ++i) {
    campaign.effects.add(examined->complaints[i]);
    complaints[choice.numbers[i]] = std::move(examined->complaints[i]);
    if (examined->judged[i]) campaign.crashed.insert(sweep[choice.numbers[i]].record);
  }
  for (const FaultCluster& cluster :
       cluster_faults(exploration.trace, sweep, complaints,
                      [&](uint64_t stack) { return campaign.builder.site_of(stack); })) {
    campaign.builder.add_fault_finding(cluster);
  }
  return {};
}

}  // namespace everycrash::cli
