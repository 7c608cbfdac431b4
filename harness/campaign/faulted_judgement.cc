#include "harness/campaign/faulted_judgement.h"

#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>

#include "harness/campaign/workload.h"
#include "harness/inject/fault_text.h"

namespace everycrash {
namespace {

bool is_violated(const std::vector<Complaint>& complaints) {
  return worst_of(complaints) >= Verdict::kViolated;
}

/// True if FOUND holds less of the file PATH than EXPECTED, and what it holds is its beginning.
bool is_cut(const FileSystem& expected, const FileSystem& found, const std::string& path) {
  const NodeId whole = expected.find(path);
  const NodeId part = found.find(path);
  if (whole == kNoNode || part == kNoNode) return false;
  const std::string bytes = found.content(part);
  const std::string all = expected.content(whole);
  return bytes.size() < all.size() && all.starts_with(bytes);
}

}  // namespace

bool never_came(const std::vector<Complaint>& complaints) {
  return complaints.size() == 1 && complaints.front().verdict == Verdict::kNotMeasured &&
         complaints.front().wrong == Wrong::kNeverCame;
}

Result<StateView> FaultMaker::make(size_t number) {
  fault_ = &sweep_[chosen_[number]];
  std::vector<std::string> faults = grounds_.base_faults;
  faults.push_back(fault_->text);
  const Result<std::string> plan = plan_of(faults, grounds_.seed);
  if (!plan) return tl::unexpected(plan.error());
  Result<FaultedRun> run = runs_->run(*plan);
  if (!run) return tl::unexpected(run.error());
  run_ = std::move(*run);
  StateView view{.tree = &run_.tree, .printed = run_.printed, .events = run_.events};
  if (run_.faults.fired[faults.size() - 1] == 0) {
    unavailable_ =
        fmt::format("this run of the workload never came to {}: it does not do the same each time",
                    fault_->text);
    view.unavailable = unavailable_;
  }
  return view;
}

Result<std::vector<Complaint>> FaultedJudgement::judge(const StateView& /*state*/) {
  const FaultedRun& run = maker_.run();
  if (run.endless) {
    return Complaints{{.judge = Judge::kEndless,
                       .message = "the run does not end: it was killed when it had done many times "
                                  "what an undisturbed one does",
                       .wrong = Wrong::kEndless}};
  }
  judge_.set_for_commands("EVERYCRASH_FAULT", maker_.fault().text);
  Complaints complaints;
  if (run.succeeded() && !grounds_.has_checker) complaints = find_silent_loss();
  Result<Complaints> said = judge_tree(run.tree);
  if (!said) return said;
  std::move(said->begin(), said->end(), std::back_inserter(complaints));
  if (!is_violated(complaints) && grounds_.restarts) {
    said = judge_restart();
    if (!said) return said;
    std::move(said->begin(), said->end(), std::back_inserter(complaints));
  }
  if (is_violated(complaints) || !run.without_dropped) return complaints;
  said = judge_tree(run.without_dropped->tree);
  if (!said) return said;
  for (Complaint& complaint : *said) {
    complaint.message = fmt::format(
        "without the data of {}, which the failed sync has not brought to disk and no later one "
        "will:\n{}",
        run.without_dropped->files, complaint.message);
    complaints.push_back(std::move(complaint));
  }
  return complaints;
}

Result<std::vector<Complaint>> FaultedJudgement::judge_tree(const FileSystem& tree) {
  const FaultedRun& run = maker_.run();
  const FoundEffects done{.sink_before = run.sink};
  StateView view{.tree = &tree, .printed = run.printed, .events = run.events, .effects = &done};
  // A run that reported the failure need not have finished what it was at.
  if (!run.succeeded()) view.record = maker_.fault().record;
  if (run.succeeded()) view.finished = &run.tree;
  Result<Complaints> said = judge_.judge(view);
  if (!said) return said;
  std::erase_if(*said, [&](const Complaint& complaint) { return is_excused(complaint); });
  for (Complaint& complaint : *said) {
    if (!is_violation(complaint)) continue;
    if (!is_comparable(complaint, tree)) {
      complaint.verdict = Verdict::kNotMeasured;
      complaint.wrong = Wrong::kIncomparable;
      complaint.message = fmt::format(
          "{} is not as in the undisturbed run after a call failed, which may be right; give a "
          "checker",
          complaint.path);
      continue;
    }
    complaint.run_end = describe(run.end);
    complaint.message = fmt::format("{}; then {}", how_it_ended(), complaint.message);
  }
  return said;
}

bool FaultedJudgement::is_excused(const Complaint& complaint) const {
  if (complaint.judge != Judge::kHalfFile || maker_.run().succeeded()) return false;
  const auto judged = grounds_.history->judged().find(complaint.path);
  if (judged == grounds_.history->judged().end()) return false;
  const auto& versions = judged->second.versions;
  return std::none_of(versions.begin(), versions.end(), [&](const Version& version) {
    return version.content && version.since < maker_.fault().record;
  });
}

bool FaultedJudgement::is_comparable(const Complaint& complaint, const FileSystem& tree) const {
  if (complaint.judge != Judge::kHalfFile && complaint.judge != Judge::kAcknowledged) return true;
  if (grounds_.wandering.contains(complaint.path)) return false;
  if (complaint.judge == Judge::kAcknowledged) {
    return grounds_.history->printed().starts_with(maker_.run().printed);
  }
  return is_cut(grounds_.history->final_tree(), tree, complaint.path);
}

std::vector<Complaint> FaultedJudgement::find_silent_loss() const {
  const FileSystem& expected = grounds_.history->final_tree();
  const FileSystem& found = maker_.run().tree;
  Complaints complaints;
  std::string unclear;
  for (const Difference& difference : find_differences(expected, found, *grounds_.ignore)) {
    if (grounds_.wandering.contains(difference.path)) continue;
    const bool missing = difference.kind == Difference::Kind::kMissing;
    const bool cut =
        difference.kind == Difference::Kind::kContent && is_cut(expected, found, difference.path);
    if (missing || cut) {
      complaints.push_back(
          {.judge = Judge::kSilentSuccess,
           .path = difference.path,
           .message = fmt::format("the run ends with exit status 0, but {}", difference.text),
           .wrong = Wrong::kSilentLoss,
           .run_end = describe(maker_.run().end)});
    } else if (difference.kind == Difference::Kind::kContent && unclear.empty()) {
      unclear = difference.path;
    }
  }
  if (complaints.empty() && !unclear.empty()) {
    complaints.push_back(
        {.judge = Judge::kSilentSuccess,
         .verdict = Verdict::kNotMeasured,
         .path = unclear,
         .message = fmt::format("{} differs from that of an undisturbed run although the run with "
                                "the failed call succeeded, which may be right; give a checker",
                                unclear),
         .wrong = Wrong::kIncomparable});
  }
  return complaints;
}

Result<std::vector<Complaint>> FaultedJudgement::judge_restart() {
  const FaultedRun& run = maker_.run();
  if (Status ok = maker_.runs().tell_past(run.printed, run.events); !ok) {
    return tl::unexpected(ok.error());
  }
  const Result<FaultedRun> again = maker_.runs().run_on(run.tree, "", run.sink);
  if (Status ok = maker_.runs().tell_past("", ""); !ok) return tl::unexpected(ok.error());
  if (!again) return tl::unexpected(again.error());
  if (again->succeeded()) return Complaints{};
  return Complaints{
      {.judge = Judge::kResume,
       .message = fmt::format("{}; running it again then fails: {}{}", how_it_ended(),
                              again->endless ? "it does not end" : describe(again->end),
                              last_words(again->stderr_tail)),
       .wrong = again->endless ? Wrong::kEndless : Wrong::kRejected,
       .run_end = describe(run.end)}};
}

std::string FaultedJudgement::how_it_ended() const {
  return fmt::format("the run with the failed call ended with {}", describe(maker_.run().end));
}

}  // namespace everycrash
