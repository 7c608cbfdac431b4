// Which oracles apply to a workload, and the undisturbed run as the measure of all others.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "harness/check/judge.h"
#include "harness/check/spare_copy.h"

namespace everycrash {
namespace {

constexpr Judge kOracles[] = {Judge::kHalfFile,    Judge::kAcknowledged, Judge::kResume,
                              Judge::kNoLeftovers, Judge::kExactlyOnce,  Judge::kRecoveryTwice};

/// The judges that run the workload again.
constexpr Judge kResuming[] = {Judge::kResume, Judge::kNoLeftovers, Judge::kExactlyOnce};

StateView final_state(const History& history) {
  return {.tree = &history.final_tree(), .printed = history.printed(), .events = history.events()};
}

StateView first_state(const History& history) {
  return {.tree = &history.initial_tree(), .record = 0};
}

/// "running it again: exit status 1: no such file": a complaint as a part of a sentence.
std::string in_one_line(const std::string& message) {
  std::string text = message;
  const size_t first = text.find('\n');
  if (first == std::string::npos) return text;
  text.replace(first, 1, first > 0 && text[first - 1] == ':' ? " " : ": ");
  const size_t second = text.find('\n', first);
  return second == std::string::npos ? text : text.substr(0, second) + " ...";
}

/// "a, b, c and 7 more"
std::string first_of(std::vector<std::string> names) {
  constexpr size_t kShown = 3;
  const size_t count = names.size();
  names.resize(std::min(count, kShown));
  return fmt::format("{}{}", fmt::join(names, ", "),
                     count > kShown ? fmt::format(" and {} more", count - kShown) : "");
}

/// "half file, acknowledged: app.log is appended to; give a checker"
void explain_names(const History& history, const IgnoreGlobs& ignore, Selection& selection) {
  constexpr size_t kShown = 10;
  size_t shown = 0;
  for (const auto& [path, reason] : history.not_judged()) {
    if (is_ignored(path, ignore)) continue;
    if (shown++ == kShown) {
      selection.not_measured.push_back(
          fmt::format("and {} more files like these", history.not_judged().size() - kShown));
      return;
    }
    selection.not_measured.push_back(fmt::format("{} {}; give a checker", path, reason));
  }
}

/// New files under their own names, where no second run can show whether half of one does harm.
void explain_new_names(const History& history, const IgnoreGlobs& ignore, Selection& selection) {
  std::vector<std::string> names;
  for (const auto& [path, versions] : history.judged()) {
    if (versions.absent_first && versions.contents() == 1 && !is_ignored(path, ignore))
      names.push_back(path);
  }
  if (names.empty()) return;
  selection.not_measured.push_back(fmt::format(
      "half file of {}, until it was whole for the first time: nothing tells whether that does "
      "harm; give a checker, or --oracle half-file",
      first_of(std::move(names))));
}

/// Spare copies, which nobody needs as long as the file itself is whole.
void explain_spare_copies(const History& history, const IgnoreGlobs& ignore, Selection& selection) {
  std::vector<std::string> names;
  for (const auto& [path, versions] : history.judged()) {
    const bool spare = versions.versions.size() > 1 && history.judged().contains(original_of(path));
    if (spare && !is_ignored(path, ignore)) names.push_back(path);
  }
  if (names.empty()) return;
  selection.not_measured.push_back(
      fmt::format("spare copies ({}) while the file itself is whole; give a checker if they matter",
                  first_of(std::move(names))));
}

/// Temporary files, which may stay behind for ever.
void explain_temporary(const History& history, const IgnoreGlobs& ignore, Selection& selection) {
  const auto& names = history.temporary().names();
  const auto shown = std::find_if(names.begin(), names.end(), [&ignore](const std::string& path) {
    return !is_ignored(path, ignore);
  });
  if (shown == names.end()) return;
  selection.not_measured.push_back(
      fmt::format("no leftovers of temporary files ({}): give --resume or --oracle no-leftovers if "
                  "the next run is meant to clear them away",
                  *shown));
}

/// What was sent and is no effect, or may be one.
void explain_sends(const FoundEffects& found, Selection& selection) {
  selection.not_measured.insert(selection.not_measured.end(), found.not_counted.begin(),
                                found.not_counted.end());
  if (found.assumes_keys) {
    selection.not_measured.push_back(
        "whether the receiver knows an Idempotency-Key again: requests that have one may be "
        "repeated; --sink has a receiver that shows it");
  }
}

}  // namespace

std::optional<Judge> oracle_named(std::string_view name) {
  std::string blanks(name);
  std::replace(blanks.begin(), blanks.end(), '-', ' ');
  for (const Judge judge : kOracles) {
    if (blanks == name_of(judge)) return judge;
  }
  return std::nullopt;
}

Result<Selection> StateJudge::decide(const std::function<Status(bool other)>& set_clock) {
  Result<Selection> selection = select();
  if (!selection || !selection->judges.contains(Judge::kResume)) return selection;
  Status done = set_clock ? set_clock(true) : Status();
  if (done) done = forgive_varying(*selection);
  const Status restored = set_clock ? set_clock(false) : Status();
  if (!done) return tl::unexpected(done.error());
  if (!restored) return tl::unexpected(restored.error());
  return selection;
}

Result<Selection> StateJudge::select() {
  const JudgeOptions& options = grounds_.options;
  Selection selection;
  selection.judges = options.oracles;
  if (options.check.empty() && options.oracles.empty()) {
    selection.judges.insert(std::begin(kOracles), std::end(kOracles));
  }
  if (!options.check.empty()) selection.judges.insert(Judge::kChecker);
  if (!options.recover.empty()) selection.judges.insert(Judge::kRecovery);
  if (options.resume_asked) selection.judges.insert(Judge::kResume);

  const auto drop = [&](Judge judge, const std::string& why) {
    if (selection.judges.erase(judge) == 0 || why.empty()) return;
    selection.not_measured.push_back(fmt::format("{}: {}", name_of(judge), why));
  };
  if (options.recover.empty()) {
    drop(Judge::kRecoveryTwice,
         options.oracles.contains(Judge::kRecoveryTwice) ? "give a recovery command" : "");
  }
  if (!has_effects(grounds_.history.events())) {
    drop(Judge::kExactlyOnce,
         options.oracles.contains(Judge::kExactlyOnce) || !options.effects.empty()
             ? "the workload had no effects"
             : "");
  }
  explain_sends(grounds_.effects, selection);
  if (grounds_.promises.empty()) drop(Judge::kAcknowledged, "nothing was promised");
  if (selection.judges.contains(Judge::kHalfFile) ||
      selection.judges.contains(Judge::kAcknowledged)) {
    explain_names(grounds_.history, options.ignore, selection);
  }
  const auto resumes = [&selection] {
    return std::any_of(std::begin(kResuming), std::end(kResuming),
                       [&](Judge judge) { return selection.judges.contains(judge); });
  };
  if (grounds_.effects.outside_peer && !options.resume_asked && options.oracles.empty() &&
      resumes()) {
    for (const Judge judge : kResuming) selection.judges.erase(judge);
    selection.not_measured.push_back(
        "resume: the workload sends to other machines, and would do so again for each crash state; "
        "give --resume if it may");
  }
  if (resumes()) {
    Result<Attempt> second = attempt_resume(final_state(grounds_.history), options.limit_ms);
    if (!second) return tl::unexpected(second.error());
    if (!options.resume_asked) select_resume(selection, *second);
    if (selection.judges.contains(Judge::kExactlyOnce)) select_effects(selection, *second);
  }
  if (selection.judges.contains(Judge::kNoLeftovers) && forgives_temporary()) {
    explain_temporary(grounds_.history, options.ignore, selection);
  }
  const bool wanted = options.oracles.contains(Judge::kHalfFile);
  if (selection.judges.contains(Judge::kHalfFile) && !selection.judges.contains(Judge::kResume) &&
      !wanted) {
    explain_new_names(grounds_.history, options.ignore, selection);
  }
  if (selection.judges.contains(Judge::kHalfFile)) {
    explain_spare_copies(grounds_.history, options.ignore, selection);
  }
  return selection;
}

/// Resuming applies where a second undisturbed run changes nothing; effects can be counted wherever
/// it succeeds. What was asked for by name stays in any case.
void StateJudge::select_resume(Selection& selection, const Attempt& second) const {
  std::string why;
  bool counts_effects = true;
  if (!second.recovery_failed.empty()) {
    why = in_one_line(second.recovery_failed);
    counts_effects = false;
  } else if (!second.complaints.empty()) {
    why = in_one_line(second.complaints.front().message);
    counts_effects = false;
  } else if (!second.clean) {
    why = fmt::format("a second run changes something ({})", second.changes.front().text);
  } else if (!HabitualEffects(grounds_.history.events(), second.events).empty()) {
    why = "a second run has the same effects again";
  }
  if (why.empty()) return;
  withdraw_resume(selection, counts_effects);
  selection.not_measured.push_back(fmt::format(
      "resume: {}; give --resume if the workload is meant to go on after a crash", why));
}

Status StateJudge::forgive_varying(Selection& selection) {
  const JudgeOptions& options = grounds_.options;
  const bool asked = options.resume_asked || options.oracles.contains(Judge::kResume);
  const Result<Attempt> other = attempt_resume(first_state(grounds_.history), options.limit_ms);
  if (!other) return tl::unexpected(other.error());
  if (!other->recovery_failed.empty()) return {};  // of a state that recovery is not made for
  if (asked && !other->complaints.empty()) {
    return harness_error(fmt::format(
        "the workload cannot be run again here, even without a crash: {}\n"
        "What it needs may be out of reach: only the state directory and /tmp can be written to.",
        other->complaints.front().message));
  }
  if (asked || (other->complaints.empty() && other->clean)) return {};
  const auto named =
      std::find_if(other->changes.begin(), other->changes.end(), [](const Difference& difference) {
        return difference.kind == Difference::Kind::kMissing ||
               difference.kind == Difference::Kind::kExtra;
      });
  if (other->complaints.empty() && named == other->changes.end()) {
    for (const Difference& difference : other->changes) selection.varying.insert(difference.path);
    selection.not_measured.push_back(fmt::format(
        "the content of {} after a resumed run: no two undisturbed runs leave the same; give a "
        "checker",
        first_of({selection.varying.begin(), selection.varying.end()})));
    return {};
  }
  withdraw_resume(selection, other->complaints.empty());
  selection.not_measured.push_back(fmt::format(
      "resume: no two undisturbed runs leave the same ({}); give --ignore for what "
      "differs, or a checker",
      other->complaints.empty() ? named->text : in_one_line(other->complaints.front().message)));
  return {};
}

void StateJudge::withdraw_resume(Selection& selection, bool counts_effects) const {
  for (const Judge judge : kResuming) {
    const bool stays = judge == Judge::kExactlyOnce && counts_effects;
    if (!stays && !grounds_.options.oracles.contains(judge)) selection.judges.erase(judge);
  }
}

/// What each run does anew is not meant to happen once, unless somebody says so.
void StateJudge::select_effects(Selection& selection, const Attempt& second) const {
  if (grounds_.options.oracles.contains(Judge::kExactlyOnce)) return;
  selection.habitual = HabitualEffects(grounds_.history.events(), second.events);
  if (selection.habitual.empty()) return;
  selection.not_measured.push_back(
      fmt::format("exactly once of {}: a second run does that again, also without a crash; give "
                  "--oracle exactly-once if it must not",
                  selection.habitual.describe()));
  const EffectRuns nothing{.undisturbed = grounds_.history.events(), .before = {}, .after = {}};
  if (find_effect_faults(nothing, Occurrence::kExactlyOnce, selection.habitual).empty()) {
    selection.judges.erase(Judge::kExactlyOnce);
  }
}

Status StateJudge::check_undisturbed() {
  undisturbed_ = true;
  Result<Complaints> complaints = judge(final_state(grounds_.history));
  undisturbed_ = false;
  if (!complaints) return tl::unexpected(complaints.error());
  if (complaints->empty()) return {};
  const Complaint& complaint = complaints->front();
  switch (complaint.verdict) {
    case Verdict::kHarnessBroken:
      return harness_error(complaint.message);
    case Verdict::kNotMeasured:
      return harness_error("even without a crash the state cannot be judged: " + complaint.message);
    default:
      return harness_error(
          fmt::format("even without a crash the state is rejected: {}\n"
                      "Nothing can be said of crash states before that is right.",
                      complaint.message));
  }
}

}  // namespace everycrash
