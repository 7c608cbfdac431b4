#include "harness/explain/power_clusters.h"

#include <algorithm>
#include <utility>

#include "harness/explore/power_states.h"
#include "harness/model/unit.h"
#include "harness/trace/trace.h"

namespace everycrash {
PowerClusters::PowerClusters(const Trace& trace, const UnitHistory& history, SiteOf site_of,
                             Limits limits)
    : trace_(trace),
      history_(history),
      words_(trace, std::move(site_of), NameGrain::kSuffix),
      limits_(limits),
      barriers_(history.units().size()),
      kept_(trace.records().size() + 1) {}

uint32_t PowerClusters::number_of(std::string text) {
  return numbers_.try_emplace(std::move(text), static_cast<uint32_t>(numbers_.size()) + 1)
      .first->second;
}

uint32_t PowerClusters::barrier_number(UnitId unit) {
  if (barriers_[unit] == 0) barriers_[unit] = number_of(barrier_of(trace_, history_, unit, words_));
  return barriers_[unit];
}

uint32_t PowerClusters::kept_number(uint64_t record) {
  if (kept_[record] == 0) kept_[record] = number_of(kept_half(trace_, record, words_));
  return kept_[record];
}

/// Something that the cause names is lost in STATE, and an operation like its kept half comes after
/// that and is there (or was promised).
bool PowerClusters::explains(size_t cluster, const PowerState& state) {
  const PowerCause& cause = clusters_[cluster].cause;
  const Halves& halves = halves_[cluster];
  const bool forwards = cause.kept_record >= cause.lost_record();
  uint64_t lost_record = 0;
  for (const UnitId unit : state.lost) {
    const uint32_t barrier = barrier_number(unit);
    if (std::find(halves.barriers.begin(), halves.barriers.end(), barrier) ==
        halves.barriers.end()) {
      continue;
    }
    lost_record = history_.unit(unit).record;
    if (forwards) break;
  }
  if (lost_record == 0) return false;
  if (cause.kept_record == 0) return true;
  const Kind kind = trace_.find(cause.kept_record)->kind;
  const uint64_t begin = forwards ? lost_record : 1;
  const uint64_t end = forwards ? state.point.record : lost_record;
  for (uint64_t record = begin; record <= end; ++record) {
    if (trace_.find(record)->kind != kind || kept_number(record) != halves.kept) continue;
    const auto [first, last] = history_.units_of(record);
    bool kept = first == last;  // a print
    for (UnitId unit = first; unit < last && !kept; ++unit) {
      kept = !std::binary_search(state.lost.begin(), state.lost.end(), unit);
    }
    if (kept) return true;
  }
  return false;
}

/// The cluster whose cause explains STATE, and is known for SYMPTOM unless that is nullptr.
PowerCluster* PowerClusters::known(const PowerState& state, const std::string* symptom) {
  for (size_t i = 0; i < clusters_.size(); ++i) {
    const bool alike = symptom == nullptr || clusters_[i].symptoms.contains(*symptom);
    if (alike && explains(i, state)) return &clusters_[i];
  }
  return nullptr;
}

std::vector<size_t> PowerClusters::owners() const {
  std::vector<size_t> owners;
  for (size_t i = 0; i < clusters_.size(); ++i) {
    size_t owner = i;
    for (size_t j = 0; j < clusters_.size(); ++j) {
      const std::vector<uint32_t>& fewest = halves_[owner].barriers;
      const std::vector<uint32_t>& fewer = halves_[j].barriers;
      if (fewer.empty() || fewer.size() >= fewest.size() || halves_[j].kept != halves_[i].kept) {
        continue;
      }
      const std::vector<uint32_t>& own = halves_[i].barriers;
      if (std::includes(own.begin(), own.end(), fewer.begin(), fewer.end())) owner = j;
    }
    owners.push_back(owner);
  }
  return owners;
}

PowerCluster& PowerClusters::cluster_for(PowerCause cause) {
  for (PowerCluster& cluster : clusters_) {
    if (cluster.cause.key != cause.key) continue;
    if (cause.lost.size() < cluster.cause.lost.size()) cluster.cause = std::move(cause);
    return cluster;
  }
  Halves halves{{}, cause.kept_record == 0 ? 0 : kept_number(cause.kept_record)};
  for (const UnitId root : cause.roots) {
    halves.barriers.push_back(barrier_number(root));
  }
  std::sort(halves.barriers.begin(), halves.barriers.end());
  halves.barriers.erase(std::unique(halves.barriers.begin(), halves.barriers.end()),
                        halves.barriers.end());
  halves_.push_back(std::move(halves));
  clusters_.push_back({std::move(cause), {}, {}});
  return clusters_.back();
}

Result<size_t> PowerClusters::add(uint32_t number, const PowerState& state,
                                  const std::string& symptom, const StateFails& fails) {
  const bool may_shrink = checks_ < limits_.checks;
  PowerCluster* cluster = nullptr;
  if (!may_shrink) {
    cluster = known(state, nullptr);
  } else if (state.lost.size() > limits_.always_shrunk) {
    cluster = known(state, &symptom);
  }
  if (cluster == nullptr) {
    const uint64_t most = may_shrink ? limits_.checks_per_state : 0;
    Result<PowerCause> cause = minimise(trace_, history_, state, fails, words_, most);
    if (!cause) return tl::unexpected(cause.error());
    checks_ += cause->checks;
    cluster = &cluster_for(std::move(*cause));
    cluster->symptoms.insert(symptom);
  }
  cluster->states.push_back(number);
  return static_cast<size_t>(cluster - clusters_.data());
}

}  // namespace everycrash
