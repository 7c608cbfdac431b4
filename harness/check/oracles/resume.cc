#include "harness/check/oracles/resume.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "harness/check/oracles/no_leftovers.h"

namespace everycrash {
namespace {

using enum Applies;
using enum Circumstance;

// What undisturbed runs leave differently cannot be held against a run after a crash. Why the
// workload cannot be run again is told here, whichever oracle needs it.
constexpr ApplicabilityRow kApplies[] = {
    {.holds = {kResumeAsked}, .then = {kYes}},
    {.holds = {kRanAgain}, .lacks = {kRecovered}, .then = {kIfAsked, Unjudged::kRecoveryFails}},
    {.holds = {kRanAgain}, .lacks = {kSucceeded}, .then = {kIfAsked, Unjudged::kSecondRunFails}},
    {.holds = {kRanAgain}, .lacks = {kSame}, .then = {kIfAsked, Unjudged::kSecondRunChanges}},
    {.holds = {kRanAgain, kRepeated}, .then = {kIfAsked, Unjudged::kSecondRunRepeats}},
    {.lacks = {kByDefault, kAsked}, .then = {kNo}},
    {.holds = {kAsked}, .then = {kYes}},
    {.holds = {kSendsOutside}, .then = {kNo, Unjudged::kSendsOutside}},
    // A state that recovery is not made for says nothing.
    {.lacks = {kStartRecovered}, .then = {kYes}},
    {.lacks = {kStartSucceeded}, .then = {kNo, Unjudged::kFirstRunFails}},
    {.lacks = {kStartSameNames}, .then = {kNo, Unjudged::kNamesVary}},
    {.lacks = {kStartSame}, .then = {kYes, Unjudged::kContentsVary}},
    {.then = {kYes}},
};
static_assert(is_sound(kApplies));

bool is_of_content(const Difference& difference) {
  return difference.kind == Difference::Kind::kContent;
}

/// True if PATH is in both trees, with the same content.
bool is_same(const std::string& path, const FileSystem& one, const FileSystem& other) {
  const NodeId first = one.find(path), second = other.find(path);
  return first != kNoNode && second != kNoNode &&
         content_of(one.node(first)) == content_of(other.node(second));
}

/// True if FOUND has that file as another run has finished it. That run may have met a failing
/// call: what has another size may be half of it.
bool is_other_end(const std::string& path, const FileSystem* finished, const FileSystem& expected,
                  const FileSystem& found) {
  return finished != nullptr && is_same(path, *finished, found) &&
         expected.content(expected.find(path)).size() == found.content(found.find(path)).size();
}

Facts<ResumeFact> facts_of(const Difference& difference, const Grounds& grounds,
                           const StateView& state, const FileSystem& found) {
  Facts<ResumeFact> facts;
  if (!is_of_content(difference)) return facts;
  const std::string& path = difference.path;
  const JudgeOptions& options = grounds.options;
  facts.set(ResumeFact::kContent)
      .set(ResumeFact::kUpdatedInPlace, grounds.history.is_updated_in_place(path))
      .set(ResumeFact::kAsked, options.resume_asked || options.asks_for(Judge::kResume));
  if (!grounds.selection.varying.contains(path)) return facts;
  return facts.set(ResumeFact::kVaries)
      .set(ResumeFact::kRewritten, !is_same(path, *state.tree, found))
      .set(ResumeFact::kAsCrashedRun,
           state.history != nullptr && is_same(path, state.history->final_tree(), found))
      .set(ResumeFact::kAsFinishedRun,
           is_other_end(path, state.finished, grounds.history.final_tree(), found));
}

}  // namespace

NextRun compare_next_run(const Grounds& grounds, const StateView& state, const FileSystem& found) {
  NextRun next;
  for (Difference& difference :
       find_differences(grounds.history.final_tree(), found, grounds.options.ignore)) {
    if (difference.kind == Difference::Kind::kExtra) {
      if (!decide(kLeftoverForgives, facts_of_leftover(difference.path, grounds))) {
        next.leftovers.push_back(std::move(difference));
      }
      continue;
    }
    const ResumeVerdict verdict =
        decide(kResumeForgives, facts_of(difference, grounds, state, found));
    if (verdict == ResumeVerdict::kForgiven) continue;
    const bool moved = verdict == ResumeVerdict::kOtherLayout;
    if (moved && next.other_layout.empty()) next.other_layout = difference.path;
    next.others.push_back(std::move(difference));
  }
  // Only a judge that is asked can leave the question open.
  if (!grounds.selection.has(Judge::kResume)) next.other_layout.clear();
  if (!next.other_layout.empty()) std::erase_if(next.others, is_of_content);
  return next;
}

std::span<const ApplicabilityRow> ResumeOracle::when() const {
  return kApplies;
}

std::vector<Complaint> ResumeOracle::judge(const Seen& seen) const {
  std::vector<Complaint> complaints;
  const NextRun& next = *seen.next;
  if (!next.other_layout.empty()) {
    complaints.push_back(
        {.judge = name(),
         .verdict = Verdict::kNotMeasured,
         .path = next.other_layout,
         .message = fmt::format("running it again leaves other bytes in {}, which is updated in "
                                "place: whether they are as good, only a checker can tell",
                                next.other_layout),
         .wrong = Wrong::kOtherLayout});
  }
  if (!next.others.empty()) {
    complaints.push_back(
        {.judge = name(),
         .path = next.others.front().path,
         .message =
             fmt::format("running it again does not lead to the result of an undisturbed run:\n{}",
                         describe(next.others)),
         .wrong = Wrong::kDiffers});
  }
  return complaints;
}

}  // namespace everycrash
