#include "harness/explain/power_clusters.h"

#include <algorithm>
#include <utility>

namespace everycrash {
namespace {

/// The part of a cause's key in front of its kept half: what the barriers are missing for.
std::string_view barriers_of(const PowerCause& cause) {
  return std::string_view(cause.key).substr(0, cause.key.rfind("before "));
}

}  // namespace

PowerClusters::PowerClusters(const Trace& trace, const UnitHistory& history, SiteOf site_of,
                             Limits limits)
    : trace_(trace), history_(history), site_of_(std::move(site_of)), limits_(limits) {}

/// Something that CAUSE names is lost in STATE, and an operation like its kept half comes after
/// that and is there (or was promised).
bool PowerClusters::explains(const PowerCause& cause, const PowerState& state) const {
  const std::string_view barriers = barriers_of(cause);
  const bool forwards = cause.kept_record >= cause.lost_record;
  uint64_t lost_record = 0;
  for (const UnitId unit : state.lost) {
    const uint64_t record = history_.unit(unit).record;
    if (record == lost_record) continue;
    if (barriers.find(barrier_of(trace_, history_, unit) + ";") == std::string_view::npos) continue;
    lost_record = record;
    if (forwards) break;
  }
  if (lost_record == 0) return false;
  if (cause.kept_record == 0) return true;
  const std::string half = kept_half(trace_, cause.kept_record, site_of_);
  const Kind kind = trace_.find(cause.kept_record)->kind;
  const uint64_t begin = forwards ? lost_record : 1;
  const uint64_t end = forwards ? state.point.record : lost_record;
  for (uint64_t record = begin; record <= end; ++record) {
    if (trace_.find(record)->kind != kind || kept_half(trace_, record, site_of_) != half) continue;
    const auto [first, last] = history_.units_of(record);
    bool kept = first == last;  // a print
    for (UnitId unit = first; unit < last && !kept; ++unit) {
      kept = !std::binary_search(state.lost.begin(), state.lost.end(), unit);
    }
    if (kept) return true;
  }
  return false;
}

PowerCluster* PowerClusters::known(const PowerState& state) {
  for (PowerCluster& cluster : clusters_) {
    if (explains(cluster.cause, state)) return &cluster;
  }
  return nullptr;
}

PowerCluster& PowerClusters::cluster_for(PowerCause cause) {
  for (PowerCluster& cluster : clusters_) {
    if (cluster.cause.key != cause.key) continue;
    if (cause.lost.size() < cluster.cause.lost.size()) cluster.cause = std::move(cause);
    return cluster;
  }
  clusters_.push_back({std::move(cause), {}});
  return clusters_.back();
}

Status PowerClusters::add(uint32_t number, const PowerState& state, const StateFails& fails) {
  const bool may_shrink = checks_ < limits_.checks;
  PowerCluster* cluster = nullptr;
  if (!may_shrink || state.lost.size() > limits_.always_shrunk) cluster = known(state);
  if (cluster == nullptr) {
    const uint64_t most = may_shrink ? limits_.checks_per_state : 0;
    Result<PowerCause> cause = minimise(trace_, history_, state, fails, site_of_, most);
    if (!cause) return tl::unexpected(cause.error());
    checks_ += cause->checks;
    cluster = &cluster_for(std::move(*cause));
  }
  cluster->states.push_back(number);
  return {};
}

}  // namespace everycrash
