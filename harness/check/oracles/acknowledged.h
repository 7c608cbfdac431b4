// The oracle "acknowledged": what the workload had finished writing when it acknowledged is still
// there, in that version or a later one.
#pragma once

#include <cstdint>
#include <vector>

#include "harness/check/oracles/oracle.h"

namespace everycrash {

/// On what it depends whether a broken promise is held against a program.
enum class PromiseFact : uint8_t {
  kIgnored,        ///< --ignore covers the file
  kOriginalWhole,  ///< it is a spare copy, and the file itself is whole (spare_copy.h)
};

inline constexpr TruthRow<PromiseFact, bool> kBrokenPromiseForgives[] = {
    {.holds = {PromiseFact::kIgnored}, .then = true},
    {.holds = {PromiseFact::kOriginalWhole}, .then = true},
    {.then = false},
};
static_assert(is_sound(kBrokenPromiseForgives));

/// Judged names whose promised version is gone: they hold an older one, or are absent. (What is no
/// version at all is the half-file oracle's affair.)
[[nodiscard]] std::vector<Complaint> find_broken_promises(const History& history,
                                                          const Promises& promises,
                                                          const FileSystem& state, uint64_t record,
                                                          size_t printed_bytes,
                                                          const IgnoreGlobs& ignore);

class AcknowledgedOracle : public Oracle {
 public:
  [[nodiscard]] Judge name() const override { return Judge::kAcknowledged; }
  [[nodiscard]] Sees sees() const override { return Sees::kState; }
  [[nodiscard]] std::span<const ApplicabilityRow> when() const override;
  void leave_out(const Grounds& grounds, const Selection& selection,
                 std::vector<NotJudged>& not_judged) const override;
  [[nodiscard]] std::vector<Complaint> judge(const Seen& seen) const override;
};

}  // namespace everycrash
