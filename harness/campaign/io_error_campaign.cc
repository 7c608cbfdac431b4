#include "harness/campaign/io_error_campaign.h"

#include <map>
#include <utility>

#include "harness/base/digest.h"
#include "harness/campaign/choice.h"
#include "harness/campaign/fault_places.h"
#include "harness/campaign/lent_judge.h"
#include "harness/campaign/panel.h"
#include "harness/campaign/seat.h"
#include "harness/explain/fault_clusters.h"
#include "harness/inject/fault_pipes.h"
#include "harness/inject/fault_sweep.h"

namespace everycrash {
namespace {

DigestOf faults_of(const std::vector<SweptFault>& sweep) {
  return [&sweep](uint32_t fault) { return digest_of(sweep[fault].text); };
}

Result<Examined> examine_faults(Campaign& campaign, const std::vector<SweptFault>& sweep,
                                const Choice& choice) {
  const DigestOf fault_of = faults_of(sweep);
  if (campaign.verdicts.told()) return told_by_shards(campaign, choice, fault_of, fault_of);
  const Grounds& judged_by = campaign.grounds();
  const FaultPipes pipes;
  Result<FaultPlaces> made = make_fault_places({.run = campaign.plan().run,
                                                .workload = campaign.input.workload,
                                                .trace = campaign.trace(),
                                                .judged_by = judged_by,
                                                .workspace = campaign.input.workspace,
                                                .stop = campaign.input.stop,
                                                .plain = campaign.plan().plain,
                                                .workers = campaign.panel().seats.size(),
                                                .runs = campaign.input.runs});
  if (!made) return tl::unexpected(made.error());
  if (made->limitation) campaign.facts.limitations.emplace_back(*made->limitation);
  limit_restarts(judged_by.selection.judges, made->grounds);
  std::vector<Worker> workers;
  for (size_t i = 0; i < made->places.size(); ++i) {
    auto maker = std::make_unique<FaultMaker>(std::move(made->places[i]), sweep, choice.numbers,
                                              made->grounds);
    auto judgement =
        std::make_unique<FaultedJudgement>(*campaign.panel().seats[i], *maker, made->grounds);
    workers.push_back({std::move(maker), std::move(judgement)});
  }
  Result<Examined> examined =
      examine(choice.numbers.size(), workers,
              campaign.examination(CrashKind::kIoError, "", choice.numbers.size()));
  campaign.input.progress.end();
  for (const auto& seat : campaign.panel().seats) seat->set_for_commands("EVERYCRASH_FAULT", "");
  if (examined) remember_for_merge(choice, *examined, fault_of, campaign);
  return examined;
}

/// Files and peers of which not one fault was met, though some were meant for them.
std::vector<std::string> paths_never_met(const std::vector<SweptFault>& sweep, const Choice& choice,
                                         const Examined& examined) {
  std::map<std::string, bool> met;
  for (size_t i = 0; i < choice.numbers.size(); ++i) {
    if (!examined.judged[i]) continue;
    met[sweep[choice.numbers[i]].fault.path] |= !never_came(examined.complaints[i]);
  }
  std::vector<std::string> never;
  for (const auto& [path, was_met] : met) {
    if (!was_met) never.push_back(path);
  }
  return never;
}

CoverageFacts coverage_of(const Campaign& campaign, const std::vector<SweptFault>& sweep,
                          const Choice& choice, const Examined& examined) {
  CoverageFacts coverage{.crash = CrashKind::kIoError,
                         .crash_points = count_swept_calls(sweep),
                         .considered = sweep.size(),
                         .distinct = sweep.size()};
  count_choice(campaign, choice, examined, InOrder::What::kCalls, coverage);
  if (const FullDisks full = count_full_disks(campaign.trace()); full.tried < full.writes) {
    coverage.bounds.emplace_back(SomeFullDisks{full.tried, full.writes});
  }
  if (std::vector<std::string> never = paths_never_met(sweep, choice, examined); !never.empty()) {
    coverage.bounds.emplace_back(NeverMet{std::move(never)});
  }
  coverage.exhaustive = coverage.bounds.empty();
  return coverage;
}

void add_finding(Campaign& campaign, FaultCluster cluster) {
  FindingFacts finding{.id = cluster.id(),
                       .crash = CrashKind::kIoError,
                       .state = {.record = cluster.example.record},
                       .states = cluster.faults.size()};
  finding.blame(cluster.complaints);
  finding.cause = std::move(cluster);
  campaign.facts.findings.push_back(std::move(finding));
}

}  // namespace

Status explore_io_errors(Campaign& campaign) {
  const std::vector<SweptFault> sweep = sweep_of(campaign.trace());
  const Choice choice = choose(campaign, sweep.size(), faults_of(sweep));
  Result<Examined> examined = examine_faults(campaign, sweep, choice);
  if (!examined) return tl::unexpected(examined.error());
  campaign.facts.coverage.push_back(coverage_of(campaign, sweep, choice, *examined));
  campaign.tell_unjudged(reasons_of(*examined));
  campaign.facts.effects.begin(CrashKind::kIoError, "");
  std::vector<std::vector<Complaint>> complaints(sweep.size());
  for (size_t i = 0; i < choice.numbers.size(); ++i) {
    campaign.facts.effects.add(examined->complaints[i]);
    complaints[choice.numbers[i]] = std::move(examined->complaints[i]);
    if (examined->judged[i]) campaign.facts.crashed.insert(sweep[choice.numbers[i]].record);
  }
  for (FaultCluster& cluster :
       cluster_faults(campaign.trace(), sweep, complaints, campaign.sites())) {
    add_finding(campaign, std::move(cluster));
  }
  return {};
}

}  // namespace everycrash
