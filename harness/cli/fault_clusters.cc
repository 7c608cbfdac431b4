#include "harness/cli/fault_clusters.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "harness/base/crash_kind.h"
#include "harness/base/digest.h"
#include "harness/cli/document_builder.h"
#include "harness/explain/cluster.h"

namespace everycrash::cli {
namespace {

const Complaint* first_violation(const std::vector<Complaint>& complaints) {
  const auto found = std::find_if(complaints.begin(), complaints.end(), [](const Complaint& each) {
    return each.verdict == Verdict::kViolated;
  });
  return found == complaints.end() ? nullptr : &*found;
}

/// What happens to the call, without the errno: who does not look at one looks at none.
std::string_view way_of(const SweptFault& swept) {
  if (swept.fills_disk) return "meets a disk that is full from then on";
  if (swept.fault.call == preload::FaultQuery::kReceive) return "gets no answer";
  if (swept.fault.action == faults::Action::kShort) return "is cut short";
  return swept.for_good() ? "fails for good" : "fails";
}

std::string_view outcome_of(Judge judge) {
  switch (judge) {
    case Judge::kSilentSuccess:
      return "and the run says that all is well";
    case Judge::kEndless:
      return "and the run does not end";
    case Judge::kResume:
      return "and the run cannot be taken up again";
    default:
      return "and what is left is not good";
  }
}

std::string title_of(const Operation& call, const SweptFault& swept, Judge judge) {
  const std::string_view path = point_path(call);
  return fmt::format("{} of {} {}, {}", name_of(call.kind),
                     path.empty() ? "the state directory" : path, way_of(swept), outcome_of(judge));
}

}  // namespace

std::string FaultCluster::id() const {
  return digest_of(key).hex().substr(0, 12);
}

std::vector<FaultCluster> cluster_faults(const Trace& trace, const std::vector<SweptFault>& sweep,
                                         const std::vector<std::vector<Complaint>>& complaints,
                                         const SiteOf& site_of) {
  std::vector<FaultCluster> clusters;
  std::map<std::string, size_t> by_key;
  const ChanceNames chance(trace.records());
  for (size_t i = 0; i < sweep.size(); ++i) {
    const Complaint* violation = first_violation(complaints[i]);
    if (violation == nullptr) continue;
    const Operation& call = *trace.find(sweep[i].record);
    std::string key = fmt::format("io-error {} {} at {} {} {}", name_of(call.kind),
                                  path_pattern(point_path(call), call.process, chance),
                                  site_of(call.stack), way_of(sweep[i]), name_of(violation->judge));
    const auto [it, fresh] = by_key.try_emplace(key, clusters.size());
    if (fresh) {
      clusters.push_back({.key = std::move(key),
                          .title = title_of(call, sweep[i], violation->judge),
                          .example = sweep[i],
                          .complaints = complaints[i]});
    }
    clusters[it->second].faults.push_back(sweep[i].text);
  }
  return clusters;
}

void DocumentBuilder::add_fault_finding(const FaultCluster& cluster) {
  const Operation& call = *trace_.find(cluster.example.record);
  const Complaint* violation = first_violation(cluster.complaints);
  EVERYCRASH_ASSERT(violation != nullptr);
  reports::Finding finding;
  finding.id = cluster.id();
  finding.title = cluster.title;
  finding.judge = name_of(violation->judge);
  finding.path = std::string(point_path(call));
  finding.run_end = violation->run_end;
  for (const Complaint& complaint : cluster.complaints) {
    if (complaint.verdict == Verdict::kViolated) finding.complaints.push_back(complaint.message);
  }
  finding.crash = CrashKind::kIoError;
  finding.point = cluster.example.text;
  finding.sequence = call.sequence;
  finding.state.record = call.sequence;
  finding.crash_operation = involve(call);
  finding.states = cluster.faults.size();
  finding.points_total = cluster.faults.size();
  for (const std::string& fault : cluster.faults) {
    if (finding.points.size() < reports::kPointsMax) finding.points.push_back(fault);
  }
  finding.first_point = cluster.faults.front();
  finding.last_point = cluster.faults.back();
  document_.findings.push_back(std::move(finding));
}

}  // namespace everycrash::cli
