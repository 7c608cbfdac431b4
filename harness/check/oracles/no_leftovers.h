// The oracle "no leftovers": the next run leaves no file that an undisturbed run does not leave.
// It looks at the run that the oracle "resume" looks at.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "harness/check/oracles/oracle.h"

namespace everycrash {

/// On what it depends whether a leftover is held against the next run.
enum class LeftoverFact : uint8_t {
  kTemporary,  ///< the recorded run makes it, and takes it away again
  kAsked,      ///< --resume or this oracle, by name
};

/// Nearly every program that replaces files through mktemp(3) leaves the temporary one when it is
/// killed. That is a fault only where somebody expects the next run to clear it away.
inline constexpr TruthRow<LeftoverFact, bool> kLeftoverForgives[] = {
    {.lacks = {LeftoverFact::kTemporary}, .then = false},
    {.holds = {LeftoverFact::kAsked}, .then = false},
    {.then = true},
};
static_assert(is_sound(kLeftoverForgives));

[[nodiscard]] Facts<LeftoverFact> facts_of_leftover(const std::string& path,
                                                    const Grounds& grounds);

class NoLeftoversOracle : public Oracle {
 public:
  [[nodiscard]] Judge name() const override { return Judge::kNoLeftovers; }
  [[nodiscard]] Sees sees() const override { return Sees::kNextRun; }
  [[nodiscard]] std::span<const ApplicabilityRow> when() const override;
  void leave_out(const Grounds& grounds, const Selection& selection,
                 std::vector<NotJudged>& not_judged) const override;
  [[nodiscard]] std::vector<Complaint> judge(const Seen& seen) const override;
};

}  // namespace everycrash
