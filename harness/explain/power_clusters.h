// From failing states of a power loss to findings: states with one missing barrier are one finding.
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

#include "harness/base/error.h"
#include "harness/explain/cause_words.h"
#include "harness/explain/minimise.h"
#include "harness/explain/power_cause.h"

namespace everycrash {

/// All failing states that one cause explains.
struct PowerCluster {
  PowerCause cause;                ///< of the smallest example
  std::vector<uint32_t> states;    ///< numbers of the failing states, ascending
  std::set<std::string> symptoms;  ///< what was said of the states that were shrunk
};

/// Sorts failing states into clusters as they come. A state is shrunk, unless it has lost what a
/// known cause names, kept the other half of it, and fails in a way that this cause is known for;
/// small states are always shrunk, since they can have a cause of their own beside a known one.
/// Refers to trace and history. Not thread-safe.
class PowerClusters {
 public:
  struct Limits {
    uint64_t checks = 2000;  ///< states judged for explaining, in all
    uint64_t checks_per_state = 120;
    size_t always_shrunk = 3;  ///< states with at most so many lost units
  };
  PowerClusters(const Trace& trace, const UnitHistory& history, SiteOf site_of)
      : PowerClusters(trace, history, std::move(site_of), Limits{}) {}
  PowerClusters(const Trace& trace, const UnitHistory& history, SiteOf site_of, Limits limits);

  /// Adds the failing state number NUMBER. SYMPTOM says who rejects it and where, alike for states
  /// that fail alike. FAILS judges variants of it. Returns the position of its cluster in
  /// clusters(). Fails if judging fails.
  Result<size_t> add(uint32_t number, const PowerState& state, const std::string& symptom,
                     const StateFails& fails);

  /// In the order in which they were found.
  [[nodiscard]] const std::vector<PowerCluster>& clusters() const { return clusters_; }

  /// For each cluster the position of the one that it belongs to, mostly itself: whoever puts the
  /// barrier of a cause in place also rules out every state that has lost the same and more.
  [[nodiscard]] std::vector<size_t> owners() const;

 private:
  /// The texts of a cause's two halves as numbers, to compare many.
  struct Halves {
    std::vector<uint32_t> barriers;  ///< ascending, each once
    uint32_t kept;
  };
  [[nodiscard]] bool explains(size_t cluster, const PowerState& state);
  PowerCluster* known(const PowerState& state, const std::string* symptom);
  PowerCluster& cluster_for(PowerCause cause);
  uint32_t number_of(std::string text);
  uint32_t barrier_number(UnitId unit);
  uint32_t kept_number(uint64_t record);

  const Trace& trace_;
  const UnitHistory& history_;
  CauseWords words_;
  Limits limits_;
  uint64_t checks_ = 0;
  std::vector<PowerCluster> clusters_;
  std::vector<Halves> halves_;  // by cluster
  std::unordered_map<std::string, uint32_t> numbers_;
  std::vector<uint32_t> barriers_;  // by unit, 0 = not asked yet
  std::vector<uint32_t> kept_;      // by record, the same
};

}  // namespace everycrash
