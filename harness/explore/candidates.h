// Which states of a window are looked at first, and which at all when there are too many.
//
// Round 1 is the likeliest of every window: nothing lost, everything lost. Round 2 is what else is
// likely: one unit lost, names lost, a torn last write, prefixes, one unit kept; all states, where
// there are few. Round 3 is completeness: all states where they can be counted, else pairs, and all
// sets that lose or keep at most `depth` units against a prefix. Round 4 are random sets from a
// seed. A later round may name sets of an earlier one again.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "harness/explore/strategy.h"
#include "harness/explore/window.h"

namespace everycrash {

/// Produces the sets of one window. Refers to what it is given. One thread.
class Candidates {
 public:
  /// MUST_LACK: of these units (local, ascending) at least one must be lost, if there are any.
  /// SALT tells windows apart for the random sets.
  Candidates(const UnitHistory& history, const Window& window, std::vector<uint32_t> must_lack,
             const CandidateBounds& bounds, uint64_t salt);

  using Sink = std::function<void(const Window::Kept& kept, uint64_t hash, Strategy strategy)>;
  /// Hands each set to SINK, with its hash.
  void round(int number, const Sink& sink);

  /// After round 3: every state was produced.
  [[nodiscard]] bool exhausted() const { return exhausted_; }
  /// A limit ended a round early.
  [[nodiscard]] bool cut() const { return cut_; }

 private:
  void ends();
  void likely();
  void bounded();
  void random();
  void all();
  void prefixes();
  void names_lost();
  void torn();
  void depth_against_prefix(const Window::Kept& prefix, uint32_t first, uint32_t depth, bool lose);
  bool give(const Window::Kept& kept, Strategy strategy);
  [[nodiscard]] bool lacks(const Window::Kept& kept) const;
  /// The units whose loss can make a set lack what it must.
  [[nodiscard]] std::vector<uint32_t> losable() const;
  [[nodiscard]] std::vector<uint32_t> operation_ends() const;

  const UnitHistory& history_;
  const Window& window_;
  std::vector<uint32_t> must_lack_;
  CandidateBounds bounds_;
  uint64_t salt_;
  uint64_t left_ = 0;
  const Sink* sink_ = nullptr;
  bool exhausted_ = false;
  bool cut_ = false;
};

}  // namespace everycrash
