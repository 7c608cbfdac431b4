// What was said about crash states, by what separates verdicts: so that a state that comes again,
// under another model or while a cause is looked for, is not judged again.
//
// `everycrash merge` tells a run from verdicts alone: those of all shards are put in, and what they
// do not hold was judged by no shard.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "harness/base/digest.h"
#include "harness/base/error.h"
#include "harness/check/verdict.h"

namespace everycrash {

/// What one shard has said: for `everycrash merge`.
struct ToldShard {
  bool complete = false;  ///< every state of the shard was judged: those not in `states` survived
  std::vector<std::vector<Complaint>> complaints;   ///< each distinct list once
  std::vector<std::pair<Digest, uint32_t>> states;  ///< with a position in `complaints`
};
/// All shards of one run, by number.
struct ToldShards {
  std::vector<ToldShard> shards;
  bool interrupted = false;  ///< one of them was
};

/// Not thread-safe. Memory is bounded: when it is full, what comes later is not remembered, which
/// costs a second look at it and changes no result. What a run says does not depend on what is
/// remembered.
class Verdicts {
 public:
  /// About 60 bytes a state; a million is 60 MB.
  static constexpr size_t kStatesMax = 1'000'000;
  /// Of distinct texts, which are kept once each.
  static constexpr size_t kTextMaxBytes = 32 << 20;

  Verdicts() : lists_(1) {}
  /// The verdicts of all shards of one run, by number. Fails with kHarness where one is damaged.
  static Result<Verdicts> told_by(const std::vector<ToldShard>& shards);

  void remember(const Digest& state, const std::vector<Complaint>& complaints);
  /// Complaints against STATE, or null if it is not known. SPLIT is the number that sorts states
  /// into shards. Valid until the next call of remember().
  [[nodiscard]] const std::vector<Complaint>* find(const Digest& state, uint64_t split) const;
  /// The same where it is not to be taken from a shard's word that all others survived.
  [[nodiscard]] const std::vector<Complaint>* find(const Digest& state) const;
  /// True if shards told them: what find() does not know is not to be judged, but was left out.
  [[nodiscard]] bool told() const { return !complete_.empty(); }

  /// For a merge: the states with complaints, and, unless COMPLETE, all others too; in the order of
  /// their digests.
  [[nodiscard]] ToldShard tell(bool complete) const;

 private:
  [[nodiscard]] uint32_t list_of(const std::vector<Complaint>& complaints);

  std::unordered_map<Digest, uint32_t> states_;   // position in lists_
  std::vector<std::vector<Complaint>> lists_;     // the first is empty: survived
  std::map<std::string, uint32_t> list_by_text_;  // finds equal lists
  size_t text_bytes_ = 0;
  bool full_ = false;
  std::vector<bool> complete_;  // by shard, where shards told
};

}  // namespace everycrash
