// The oracle "resume": running the workload again on a crash state succeeds, and ends in the same
// tree as an undisturbed run.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "harness/check/oracles/oracle.h"

namespace everycrash {

/// On what it depends whether a difference from an undisturbed run is held against the next run.
enum class ResumeFact : uint8_t {
  kContent,         ///< it is another content of a file that both leave
  kVaries,          ///< no two undisturbed runs leave the same in it
  kRewritten,       ///< the next run wrote it
  kAsCrashedRun,    ///< it holds what the run that crashed had come to in the end
  kAsFinishedRun,   ///< or what another run than the recorded one finished, in the same size
  kUpdatedInPlace,  ///< as databases are
  kAsked,           ///< --resume or this oracle, by name: the same bytes are wanted
};

enum class ResumeVerdict : uint8_t {
  kHeld,
  kForgiven,
  /// A database that holds the same may do so in other bytes: pages that are free, records that
  /// are dead. Where one file has another layout, others may point into it: no content counts.
  kOtherLayout,
};

inline constexpr TruthRow<ResumeFact, ResumeVerdict> kResumeForgives[] = {
    {.lacks = {ResumeFact::kContent}, .then = ResumeVerdict::kHeld},
    {.holds = {ResumeFact::kVaries, ResumeFact::kRewritten}, .then = ResumeVerdict::kForgiven},
    // What the run that crashed had come to may be as good.
    {.holds = {ResumeFact::kVaries, ResumeFact::kAsCrashedRun}, .then = ResumeVerdict::kForgiven},
    {.holds = {ResumeFact::kVaries, ResumeFact::kAsFinishedRun}, .then = ResumeVerdict::kForgiven},
    {.holds = {ResumeFact::kUpdatedInPlace},
     .lacks = {ResumeFact::kAsked},
     .then = ResumeVerdict::kOtherLayout},
    {.then = ResumeVerdict::kHeld},
};
static_assert(is_sound(kResumeForgives));

/// What the next run on STATE has left, FOUND, against what an undisturbed run leaves.
[[nodiscard]] NextRun compare_next_run(const Grounds& grounds, const StateView& state,
                                       const FileSystem& found);

class ResumeOracle : public Oracle {
 public:
  [[nodiscard]] Judge name() const override { return Judge::kResume; }
  [[nodiscard]] Sees sees() const override { return Sees::kNextRun; }
  [[nodiscard]] std::span<const ApplicabilityRow> when() const override;
  [[nodiscard]] std::vector<Complaint> judge(const Seen& seen) const override;
};

}  // namespace everycrash
