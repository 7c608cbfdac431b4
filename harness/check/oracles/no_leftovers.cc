#include "harness/check/oracles/no_leftovers.h"

#include <fmt/format.h>

#include <algorithm>

namespace everycrash {
namespace {

using enum Applies;
using enum Circumstance;

// Where a run cannot be compared with an undisturbed one, the oracle "resume" says why.
constexpr ApplicabilityRow kApplies[] = {
    {.lacks = {kByDefault, kAsked}, .then = {kNo}},
    {.holds = {kResumeAsked}, .then = {kYes}},
    {.holds = {kAsked}, .then = {kYes}},
    {.holds = {kSendsOutside}, .then = {kNo}},
    {.holds = {kRanAgain}, .lacks = {kSucceeded}, .then = {kNo}},
    {.holds = {kRanAgain}, .lacks = {kSame}, .then = {kNo}},
    {.holds = {kRanAgain, kRepeated}, .then = {kNo}},
    {.lacks = {kStartRecovered}, .then = {kYes}},
    {.lacks = {kStartSucceeded}, .then = {kNo}},
    {.lacks = {kStartSameNames}, .then = {kNo}},
    {.then = {kYes}},
};
static_assert(is_sound(kApplies));

bool is_asked(const JudgeOptions& options) {
  return options.resume_asked || options.asks_for(Judge::kNoLeftovers);
}

}  // namespace

Facts<LeftoverFact> facts_of_leftover(const std::string& path, const Grounds& grounds) {
  Facts<LeftoverFact> facts;
  return facts.set(LeftoverFact::kTemporary, grounds.history.temporary().contains(path))
      .set(LeftoverFact::kAsked, is_asked(grounds.options));
}

std::span<const ApplicabilityRow> NoLeftoversOracle::when() const {
  return kApplies;
}

void NoLeftoversOracle::leave_out(const Grounds& grounds, const Selection& selection,
                                  std::vector<NotJudged>& not_judged) const {
  if (!selection.has(name()) || is_asked(grounds.options)) return;
  const auto& names = grounds.history.temporary().names();
  const auto shown = std::find_if(names.begin(), names.end(), [&](const std::string& path) {
    return !is_ignored(path, grounds.options.ignore);
  });
  if (shown == names.end()) return;
  not_judged.push_back({.why = Unjudged::kTemporaryLeftovers, .judge = name(), .names = {*shown}});
}

std::vector<Complaint> NoLeftoversOracle::judge(const Seen& seen) const {
  const std::vector<Difference>& leftovers = seen.next->leftovers;
  if (leftovers.empty()) return {};
  return {{.judge = name(),
           .path = leftovers.front().path,
           .message = fmt::format("running it again leaves what an undisturbed run does not:\n{}",
                                  describe(leftovers)),
           .wrong = Wrong::kLeftover}};
}

}  // namespace everycrash
