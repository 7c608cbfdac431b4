#include "harness/explain/fault_clusters.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "harness/base/digest.h"
#include "harness/explain/cause_words.h"
#include "harness/trace/trace.h"

namespace everycrash {
namespace {

/// In keys.
std::string_view word_of(FaultWay way) {
  switch (way) {
    case FaultWay::kDiskFull:
      return "disk-full";
    case FaultWay::kNoAnswer:
      return "no-answer";
    case FaultWay::kCutShort:
      return "short";
    case FaultWay::kFailsForGood:
      return "for-good";
    case FaultWay::kFails:
      return "once";
  }
  return "";
}

}  // namespace

FaultWay way_of(const SweptFault& swept) {
  if (swept.fills_disk) return FaultWay::kDiskFull;
  if (swept.fault.call == preload::FaultQuery::kReceive) return FaultWay::kNoAnswer;
  if (swept.fault.action == faults::Action::kShort) return FaultWay::kCutShort;
  return swept.for_good() ? FaultWay::kFailsForGood : FaultWay::kFails;
}

std::string FaultCluster::id() const {
  return short_id_of(key);
}

std::vector<FaultCluster> cluster_faults(const Trace& trace, const std::vector<SweptFault>& sweep,
                                         const std::vector<std::vector<Complaint>>& complaints,
                                         const SiteOf& site_of) {
  std::vector<FaultCluster> clusters;
  std::map<std::string, size_t> by_key;
  const CauseWords words(trace, site_of);
  for (size_t i = 0; i < sweep.size(); ++i) {
    const Complaint* violation = first_violation(complaints[i]);
    if (violation == nullptr) continue;
    const Operation& call = *trace.find(sweep[i].record);
    const FaultWay way = way_of(sweep[i]);
    std::string key = fmt::format("io-error; {}; {} {}", name_of(violation->judge),
                                  words.call_of(call), word_of(way));
    const auto [it, fresh] = by_key.try_emplace(key, clusters.size());
    if (fresh) {
      clusters.push_back({.key = std::move(key),
                          .example = sweep[i],
                          .way = way,
                          .judge = violation->judge,
                          .complaints = complaints[i]});
    }
    clusters[it->second].faults.push_back(sweep[i].text);
  }
  return clusters;
}

}  // namespace everycrash
