#include "harness/check/selection.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "harness/check/oracles/all_oracles.h"
#include "harness/check/oracles/exactly_once.h"

namespace everycrash {
namespace {

/// A folder or file that one of two runs left and the other did not; null if there is none.
const Difference* find_other_name(const NextRun& left) {
  const auto missing = std::find_if(
      left.others.begin(), left.others.end(),
      [](const Difference& difference) { return difference.kind == Difference::Kind::kMissing; });
  if (missing != left.others.end()) return &*missing;
  return left.leftovers.empty() ? nullptr : &left.leftovers.front();
}

const Difference& first_difference(const NextRun& left) {
  return left.others.empty() ? left.leftovers.front() : left.others.front();
}

/// Takes up what is known of a workload step by step, and asks all oracles each time.
class Selector {
 public:
  explicit Selector(const Grounds& grounds) : grounds_(grounds) {
    const JudgeOptions& options = grounds.options;
    known_.set(Circumstance::kByDefault, options.check.empty() && options.oracles.empty())
        .set(Circumstance::kResumeAsked, options.resume_asked)
        .set(Circumstance::kRecovery, !options.recover.empty())
        .set(Circumstance::kEffects, has_effects(grounds.history.events()))
        .set(Circumstance::kEffectRules, !options.effects.empty())
        .set(Circumstance::kPromises, !grounds.promises.empty())
        .set(Circumstance::kSendsOutside, grounds.effects.outside_peer);
    ask();
  }

  void take_second_run(const UndisturbedRun& run);
  void take_run_from_start(const UndisturbedRun& run);
  /// Notes what oracles that apply leave out all the same.
  void leave_out();
  [[nodiscard]] const Selection& selection() const { return selection_; }
  [[nodiscard]] Selection finish();

 private:
  void ask();
  void tell(const Oracle& oracle, Unjudged why);

  const Grounds& grounds_;
  Circumstances known_;
  HabitualEffects habitual_;
  std::optional<UndisturbedRun> second_, from_start_;
  Selection selection_;
};

void Selector::ask() {
  const JudgeOptions& options = grounds_.options;
  selection_.judges.clear();
  if (!options.check.empty()) selection_.judges.insert(Judge::kChecker);
  if (!options.recover.empty()) selection_.judges.insert(Judge::kRecovery);
  for (const Oracle* oracle : all_oracles()) {
    const bool asked = options.asks_for(oracle->name());
    Circumstances circumstances = known_;
    const Applicability given = oracle->applies(circumstances.set(Circumstance::kAsked, asked));
    const bool applies =
        given.applies == Applies::kYes || (given.applies == Applies::kIfAsked && asked);
    if (applies) selection_.judges.insert(oracle->name());
    if (given.told != Unjudged::kNothing) tell(*oracle, given.told);
  }
}

void Selector::tell(const Oracle& oracle, Unjudged why) {
  NotJudged fact{.why = why, .judge = oracle.name()};
  switch (why) {
    case Unjudged::kRecoveryFails:
      fact.text = in_one_line(*second_->recovery_failed);
      break;
    case Unjudged::kSecondRunFails:
      fact.text = in_one_line(*second_->failed);
      break;
    case Unjudged::kSecondRunChanges:
      fact.text = first_difference(second_->left).text;
      break;
    case Unjudged::kEffectOfEachRun:
      selection_.habitual = habitual_;
      fact.names = habitual_.names();
      break;
    case Unjudged::kFirstRunFails:
      fact.text = in_one_line(*from_start_->failed);
      break;
    case Unjudged::kNamesVary:
      fact.text = find_other_name(from_start_->left)->text;
      break;
    case Unjudged::kContentsVary:
      for (const Difference& difference : from_start_->left.others) {
        selection_.varying.insert(difference.path);
      }
      fact.names = {selection_.varying.begin(), selection_.varying.end()};
      break;
    default:
      break;
  }
  const auto& told = selection_.not_judged;
  if (std::find(told.begin(), told.end(), fact) == told.end()) {
    selection_.not_judged.push_back(std::move(fact));
  }
}

void Selector::take_second_run(const UndisturbedRun& run) {
  second_ = run;
  const std::string& events = grounds_.history.events();
  habitual_ = HabitualEffects(events, run.left.events);
  const EffectRuns nothing{.undisturbed = events, .before = {}, .after = {}};
  const bool recovered = !run.recovery_failed;
  const bool succeeded = recovered && !run.failed;
  known_.set(Circumstance::kRanAgain)
      .set(Circumstance::kRecovered, recovered)
      .set(Circumstance::kSucceeded, succeeded)
      .set(Circumstance::kSame, succeeded && run.left.clean())
      .set(Circumstance::kRepeated, !habitual_.empty())
      .set(Circumstance::kRepeatedAll,
           !habitual_.empty() &&
               find_effect_faults(nothing, Occurrence::kExactlyOnce, habitual_).empty());
  ask();
}

void Selector::take_run_from_start(const UndisturbedRun& run) {
  from_start_ = run;
  const bool recovered = !run.recovery_failed;
  const bool succeeded = recovered && !run.failed;
  known_.set(Circumstance::kStartRecovered, recovered)
      .set(Circumstance::kStartSucceeded, succeeded)
      .set(Circumstance::kStartSame, succeeded && run.left.clean())
      .set(Circumstance::kStartSameNames, succeeded && find_other_name(run.left) == nullptr);
  ask();
}

void Selector::leave_out() {
  for (const Oracle* oracle : all_oracles()) {
    oracle->leave_out(grounds_, selection_, selection_.not_judged);
  }
}

Selection Selector::finish() {
  std::stable_sort(selection_.not_judged.begin(), selection_.not_judged.end(),
                   [](const NotJudged& a, const NotJudged& b) { return a.why < b.why; });
  return std::move(selection_);
}

tl::unexpected<Error> cannot_run(const FailedCommand& failed) {
  return harness_error(fmt::format(
      "the workload cannot be run again here, even without a crash: {}\n"
      "What it needs may be out of reach: only the state directory and /tmp can be written to.",
      complaint_of(failed).message));
}

}  // namespace

Result<Selection> select_oracles(const Grounds& grounds, UndisturbedRuns& runs) {
  Selector selector(grounds);
  if (selector.selection().resumes()) {
    const Result<UndisturbedRun> second = runs.run_again();
    if (!second) return tl::unexpected(second.error());
    selector.take_second_run(*second);
  }
  selector.leave_out();
  if (!selector.selection().has(Judge::kResume)) return selector.finish();
  const Result<UndisturbedRun> from_start = runs.run_from_start();
  if (!from_start) return tl::unexpected(from_start.error());
  const JudgeOptions& options = grounds.options;
  const bool asked = options.resume_asked || options.asks_for(Judge::kResume);
  if (asked && from_start->failed) return cannot_run(*from_start->failed);
  selector.take_run_from_start(*from_start);
  return selector.finish();
}

}  // namespace everycrash
