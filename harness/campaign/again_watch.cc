#include "harness/campaign/again_watch.h"

#include <algorithm>
#include <array>
#include <tuple>

#include "harness/base/crash_kind.h"
#include "harness/campaign/seat.h"
#include "harness/trace/event.h"

namespace everycrash {
namespace {

/// What recovery can tell states apart by: the tree, and what had happened outside.
Digest start_key(const Digest& tree, std::string_view events) {
  Digest effects;
  for (const Event& event : parse_events(events)) {
    if (event.is_effect()) effects += digest_of(event.line);
  }
  return digest_of_words(std::array{tree.low, tree.high, effects.low, effects.high}, 0);
}

auto order_of(const RecoveryStart& start) {
  const ChainLink& link = *start.link;
  return std::tie(link.crash, link.model, link.point.record, link.point.cut, link.lost);
}

}  // namespace

void AgainWatch::begin(std::shared_ptr<const CrashedRun> run, CrashKind crash, std::string model,
                       bool collect) {
  run_ = std::move(run);
  crash_ = crash;
  model_ = std::move(model);
  collect_ = collect;
}

Result<std::vector<Complaint>> AgainWatch::judge(Seat& judge, const StateView& state) {
  StateView view = state;
  std::string printed(state.printed);
  std::string events(state.events);
  if (run_ != nullptr) {
    printed.insert(0, run_->printed);
    events.insert(0, run_->events);
    view.history = &run_->history;
    view.promises = &run_->promises;
    view.effects = &run_->effects;
    view.printed_before = run_->printed.size();
  }
  view.printed = printed;
  view.events = events;
  const Digest start = start_key(state.tree->digest(), events);
  const Digest text = digest_of(printed);
  const Digest state_key =
      digest_of_words(std::array{start.low, start.high, text.low, text.high}, 1);
  // What the recorded run promised, no recovery did.
  const uint64_t promised_by = run_ == nullptr ? 0 : 1 + view.printed_before;
  const uint64_t stage = (run_ == nullptr ? recorded_ : run_->stages).of(state.record);
  const Digest key =
      digest_of_words(std::array{state_key.low, state_key.high, promised_by, stage}, 2);
  {
    const std::lock_guard guard(mutex_);
    if (const auto known = known_.find(key); known != known_.end()) return known->second;
  }
  Result<std::vector<Complaint>> complaints = judge.judge(view);
  if (!complaints) return complaints;
  const std::lock_guard guard(mutex_);
  if (known_.try_emplace(key, *complaints).second) {
    if (seen_.insert(state_key).second) ++new_;
    note(view, judge.sink_memory(view), start, *complaints);
  }
  return complaints;
}

/// Under the lock.
void AgainWatch::note(const StateView& state, const SinkMemory& sink, const Digest& start,
                      std::vector<Complaint> complaints) {
  if (crash_ == CrashKind::kPower) complaints = promises_.held_against(std::move(complaints));
  if (worst_of(complaints) != Verdict::kSurvived) return;
  if (!started_.insert(start).second) return;
  if (!collect_ || starts_.size() == kStartsMax) {
    ++(collect_ ? dropped_ : deeper_);
    return;
  }
  auto link =
      std::make_shared<ChainLink>(ChainLink{run_, crash_, model_, {state.record, state.cut}, {}});
  if (state.lost != nullptr) link->lost = *state.lost;
  starts_.push_back(
      {*state.tree, std::string(state.printed), std::string(state.events), sink, std::move(link)});
}

std::vector<RecoveryStart> AgainWatch::take_starts() {
  std::vector<RecoveryStart> taken = std::exchange(starts_, {});
  std::sort(taken.begin(), taken.end(), [](const RecoveryStart& a, const RecoveryStart& b) {
    return order_of(a) < order_of(b);
  });
  return taken;
}

}  // namespace everycrash
