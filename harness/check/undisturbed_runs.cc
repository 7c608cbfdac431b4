#include "harness/check/undisturbed_runs.h"

#include <utility>

#include "harness/check/oracles/resume.h"

namespace everycrash {

StateView final_state(const History& history) {
  return {.tree = &history.final_tree(), .printed = history.printed(), .events = history.events()};
}

NextRun next_run_of(const Grounds& grounds, const StateView& state, const RunAgain& again) {
  NextRun next;
  if (again.tree) next = compare_next_run(grounds, state, *again.tree);
  next.events = again.events;
  next.unseen = again.unseen;
  return next;
}

Result<UndisturbedRun> RunsInSandbox::run_again() {
  return run(final_state(grounds_.history));
}

Result<UndisturbedRun> RunsInSandbox::run_from_start() {
  const StateView start{.tree = &grounds_.history.initial_tree(), .record = 0};
  if (!set_clock_) return run(start);
  Status done = set_clock_(true);
  Result<UndisturbedRun> made;
  if (done) made = run(start);
  const Status restored = set_clock_(false);
  if (!done) return tl::unexpected(done.error());
  if (made && !restored) return tl::unexpected(restored.error());
  return made;
}

Result<UndisturbedRun> RunsInSandbox::run(const StateView& state) {
  Result<RunAgain> again = runner_.run_again(state, grounds_.options.limit_ms);
  if (!again) return tl::unexpected(again.error());
  NextRun left = next_run_of(grounds_, state, *again);
  return UndisturbedRun{std::move(again->recovery_failed), std::move(again->failed),
                        std::move(left)};
}

}  // namespace everycrash
