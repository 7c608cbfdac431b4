// All that a campaign hands out. Plain values; sentences and documents are made of them elsewhere.
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "harness/base/crash_kind.h"
#include "harness/campaign/coverage_facts.h"
#include "harness/campaign/effect_tally.h"
#include "harness/campaign/finding_facts.h"
#include "harness/campaign/gaps.h"

namespace everycrash {

class Trace;

/// From when on records are safe from a power loss under one model.
struct DurabilityFacts {
  CrashKind crash = CrashKind::kPower;
  std::string model;
  /// For each record of the trace the one after which all of it is on disk for certain; 0 = it has
  /// nothing to lose, kNeverDurable = not within the run.
  std::vector<int64_t> since;
};
inline constexpr int64_t kNeverDurable = -1;

/// Printed lines that a power loss belied, where nobody said that they are promises.
struct BeliedPrints {
  CrashKind crash = CrashKind::kPower;
  std::string model;
  std::string message;  ///< about the first of them
  uint64_t states = 0;
};

struct CampaignFacts {
  std::vector<CoverageFacts> coverage;
  std::vector<FindingFacts> findings;
  std::vector<Gap> gaps;
  std::vector<Limitation> limitations;
  std::vector<DurabilityFacts> durability;
  std::vector<BeliedPrints> belied;
  EffectTally effects;
  std::set<uint64_t> crashed;      ///< records at which, or right after which, a crash was judged
  bool compared_serially = false;  ///< two runners were held against one after the other
  bool interrupted = false;
};

/// Aborts where FACTS contradict themselves, or name a record that its run does not have: a bug
/// here. RECORDED is the run that the campaign started from.
void assert_sound(const CampaignFacts& facts, const Trace& recorded);

}  // namespace everycrash
