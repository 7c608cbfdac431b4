// What one run examines of a list of states or faults that each has a number, where shards and
// --max-states leave some of it out; and what was said of them.
#pragma once

#include <cstdint>
#include <functional>
#include <string_view>
#include <vector>

#include "harness/base/digest.h"
#include "harness/cli/exploration.h"

namespace everycrash::cli {

/// The numbers that belong to this shard and fit under --max-states, in order. A value.
struct Choice {
  std::vector<uint32_t> numbers;
  uint64_t other_shards = 0;
  uint64_t over_limit = 0;
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

/// Counts verdicts and what was left out; MEMBERS says what a bounded run has looked at: "states".
void count_choice(const Campaign& campaign, const Choice& choice, const Examined& examined,
                  std::string_view members, reports::Coverage& coverage);

}  // namespace everycrash::cli
