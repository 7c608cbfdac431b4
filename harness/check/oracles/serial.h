// The oracle of two runners at once: what they leave must be what one leaves after the other.
//
// It applies to files that the workload makes or replaces whole, where two runs one after the other
// leave the same each time. The order of words in a file does not count, since two that take turns
// as they should may come in any order. Where one of the two changed nothing (it found a lock and
// went away), what one runner alone leaves is as good. Where one was refused (refusal.h) before it
// had touched the file, also what the second of two in a row leaves half done. One that was refused
// after it had changed something leaves what cannot be judged without a checker, unless it took
// away or emptied the file itself.
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "harness/check/history.h"
#include "harness/check/truth_table.h"
#include "harness/check/verdict.h"
#include "harness/model/difference.h"
#include "harness/trace/trace.h"

namespace everycrash {

/// On what it depends whether a file can be compared.
enum class SerialFileFact : uint8_t {
  kIgnored,       ///< --ignore covers it
  kWhole,         ///< one runner alone makes or replaces it whole, as two in a row do
  kSameEachTime,  ///< two in a row leave the same in it each time
};
enum class SerialFile : uint8_t { kLeftOut, kVarying, kJudged };

inline constexpr TruthRow<SerialFileFact, SerialFile> kSerialApplies[] = {
    {.holds = {SerialFileFact::kIgnored}, .then = SerialFile::kLeftOut},
    {.lacks = {SerialFileFact::kWhole}, .then = SerialFile::kLeftOut},
    {.lacks = {SerialFileFact::kSameEachTime}, .then = SerialFile::kVarying},
    {.then = SerialFile::kJudged},
};
static_assert(is_sound(kSerialApplies));

/// On what it depends whether what two at once leave in a file is held against the program.
enum class SerialFact : uint8_t {
  kAsBoth,         ///< it is what one after the other leaves
  kAsOneAlone,     ///< it is what one alone leaves
  kChangedByBoth,  ///< both changed it
  kRefused,        ///< a runner was refused before it had touched it
  kOnTheWay,       ///< two in a row hold this on the way, once as many are done as were not refused
  kHalfway,        ///< a runner was refused after it had changed something
  kSpoilt,         ///< one that was refused took it away or emptied it, as its last change
};
enum class SerialVerdict : uint8_t { kFine, kNotMeasured, kHeld };

inline constexpr TruthRow<SerialFact, SerialVerdict> kSerialForgives[] = {
    {.holds = {SerialFact::kAsBoth}, .then = SerialVerdict::kFine},
    {.holds = {SerialFact::kAsOneAlone, SerialFact::kRefused}, .then = SerialVerdict::kFine},
    {.holds = {SerialFact::kAsOneAlone},
     .lacks = {SerialFact::kChangedByBoth},
     .then = SerialVerdict::kFine},
    {.holds = {SerialFact::kRefused, SerialFact::kOnTheWay}, .then = SerialVerdict::kFine},
    {.holds = {SerialFact::kHalfway},
     .lacks = {SerialFact::kSpoilt},
     .then = SerialVerdict::kNotMeasured},
    {.then = SerialVerdict::kHeld},
};
static_assert(is_sound(kSerialForgives));

/// Undisturbed runs. A value.
struct SerialRuns {
  History alone;                  ///< one runner
  History both;                   ///< one after the other
  std::set<std::string> judged;   ///< the files that can be compared
  std::set<std::string> varying;  ///< made or replaced whole, but not the same each time
};

/// AGAIN is a second run of what BOTH is one of. Files that IGNORE covers are left out.
[[nodiscard]] SerialRuns compare_serial_runs(History alone, History both, const History& again,
                                             const IgnoreGlobs& ignore);

/// What is wrong with the end of TRACE, whose history is PAIR: files that no order of the two
/// leaves, and effects that happened more often than one after the other.
[[nodiscard]] std::vector<Complaint> find_serial_faults(const SerialRuns& serial,
                                                        const Trace& trace, const History& pair);

}  // namespace everycrash
