// The oracle "half file": after a crash a name holds a content that it held, whole, at some moment
// when nobody was writing, or is absent where it could be absent.
//
// It judges names that the workload makes or replaces whole (harness/check/history.h).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "harness/check/oracles/oracle.h"

namespace everycrash {

/// On what it depends whether a half file is held against a program.
enum class HalfFileFact : uint8_t {
  kIgnored,        ///< --ignore covers it
  kOriginalWhole,  ///< it is a spare copy, and the file itself is whole (spare_copy.h)
  kNeverFinished,  ///< the workload had not finished it once by then
  kMadeWhole,      ///< the next run led to the result of an undisturbed run
  kNextRunTells,   ///< what the next run leaves is compared with that
  kAsked,          ///< this oracle was asked for by name
};

/// A new file that is half written harms nobody if the next run makes it whole. Where no next run
/// can tell, it is held against the program only if somebody asked for that: what `git init` copies
/// into place is made anew when it is missing, and nothing here could know.
inline constexpr TruthRow<HalfFileFact, bool> kHalfFileForgives[] = {
    {.holds = {HalfFileFact::kIgnored}, .then = true},
    {.holds = {HalfFileFact::kOriginalWhole}, .then = true},
    {.lacks = {HalfFileFact::kNeverFinished}, .then = false},
    {.holds = {HalfFileFact::kMadeWhole}, .then = true},
    {.holds = {HalfFileFact::kNextRunTells}, .then = false},
    {.holds = {HalfFileFact::kAsked}, .then = false},
    {.then = true},
};
static_assert(is_sound(kHalfFileForgives));

/// Judged names that hold none of their versions, or are missing though they never could be, and
/// are not forgiven. KNOWN are facts that hold of all of them.
[[nodiscard]] std::vector<Complaint> find_half_files(const History& history,
                                                     const FileSystem& state, uint64_t record,
                                                     const IgnoreGlobs& ignore,
                                                     Facts<HalfFileFact> known);

/// Adds the files whose versions say nothing, some of them, each with the reason.
void tell_written_so(const Grounds& grounds, Judge judge, std::vector<NotJudged>& not_judged);

class HalfFileOracle : public Oracle {
 public:
  [[nodiscard]] Judge name() const override { return Judge::kHalfFile; }
  [[nodiscard]] Sees sees() const override { return Sees::kState; }
  [[nodiscard]] std::span<const ApplicabilityRow> when() const override;
  void leave_out(const Grounds& grounds, const Selection& selection,
                 std::vector<NotJudged>& not_judged) const override;
  [[nodiscard]] std::vector<Complaint> judge(const Seen& seen) const override;
};

}  // namespace everycrash
