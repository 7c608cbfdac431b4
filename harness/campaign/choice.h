// What one run examines of a list of states or faults that each has a number, where shards and
// --max-states leave some of it out; and what was said of them.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <utility>
#include <vector>

#include "harness/base/digest.h"
#include "harness/campaign/campaign.h"
#include "harness/check/examination.h"

namespace everycrash {

/// The numbers that belong to this shard and fit under --max-states, in order. A value.
struct Choice {
  std::vector<uint32_t> numbers;
  uint64_t other_shards = 0;
  uint64_t over_limit = 0;
};

/// Gives a maker only the chosen states, numbered from 0. CHOSEN must outlive it and may change
/// between examinations.
class ChosenStates : public StateMaker {
 public:
  ChosenStates(std::unique_ptr<StateMaker> maker, const std::vector<uint32_t>& chosen)
      : maker_(std::move(maker)), chosen_(chosen) {}
  Result<StateView> make(size_t number) override { return maker_->make(chosen_[number]); }

 private:
  std::unique_ptr<StateMaker> maker_;
  const std::vector<uint32_t>& chosen_;
};

/// What names the member of a list with that number, in any run.
using DigestOf = std::function<Digest(uint32_t number)>;

/// Chooses from COUNT; SPLIT_BY decides which shard has one.
[[nodiscard]] Choice choose(const Campaign& campaign, size_t count, const DigestOf& split_by);

/// What shards said about the chosen; VERDICT_OF names the verdict of one.
[[nodiscard]] Examined told_by_shards(const Campaign& campaign, const Choice& choice,
                                      const DigestOf& split_by, const DigestOf& verdict_of);

/// Keeps what this shard found, for the merge.
void remember_for_merge(const Choice& choice, const Examined& examined, const DigestOf& verdict_of,
                        Campaign& campaign);

/// Adds one judged state, or all states in EXAMINED, to the numbers of COVERAGE.
void count_verdict(Verdict verdict, CoverageFacts& coverage);
void count_verdicts(const Examined& examined, CoverageFacts& coverage);

/// Counts verdicts and what was left out; WHAT is what a bounded run has looked at.
void count_choice(const Campaign& campaign, const Choice& choice, const Examined& examined,
                  InOrder::What what, CoverageFacts& coverage);

}  // namespace everycrash
