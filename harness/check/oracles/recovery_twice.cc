#include "harness/check/oracles/recovery_twice.h"

#include <fmt/format.h>

namespace everycrash {
namespace {

using enum Circumstance;

constexpr ApplicabilityRow kApplies[] = {
    {.lacks = {kByDefault, kAsked}, .then = {Applies::kNo}},
    {.holds = {kRecovery}, .then = {Applies::kYes}},
    {.holds = {kAsked}, .then = {Applies::kNo, Unjudged::kNoRecovery}},
    {.then = {Applies::kNo}},
};
static_assert(is_sound(kApplies));

}  // namespace

std::span<const ApplicabilityRow> RecoveryTwiceOracle::when() const {
  return kApplies;
}

std::vector<Complaint> RecoveryTwiceOracle::judge(const Seen& seen) const {
  const std::vector<Difference> differences =
      find_differences(*seen.recovered, *seen.recovered_twice, seen.grounds.options.ignore);
  if (differences.empty()) return {};
  return {{.judge = name(),
           .path = differences.front().path,
           .message = fmt::format("a second recovery changes what the first one left:\n{}",
                                  describe(differences)),
           .wrong = Wrong::kChangedAgain}};
}

}  // namespace everycrash
