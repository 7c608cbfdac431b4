// The cause of a failing state of a power loss: what is lost, and what makes its loss matter.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "harness/model/unit_id.h"

namespace everycrash {

class CauseWords;
class Trace;
class UnitHistory;

/// When the loss does harm.
enum class PowerHarm : uint8_t {
  kFromTheStart,  ///< it fails from the beginning, with nothing lost
  kNothingLost,   ///< it fails with nothing lost, right after the kept operation
  kLost,          ///< from the start: no later operation is known to make it matter
  kEnded,         ///< only once the run is over
  kPromised,      ///< once a line is printed
  kEffectDone,    ///< once an effect has happened
  kTorn,          ///< another part of the same operation is on disk
  kReordered,     ///< a later operation is on disk
};

/// A state that fails, in its smallest form, and the pair of operations behind it.
struct PowerCause {
  uint64_t point = 0;          ///< record after which the smallest example crashes
  std::vector<UnitId> lost;    ///< what it has lost, ascending
  std::vector<UnitId> roots;   ///< of these, where the loss begins: they miss nothing they need
  uint64_t kept_record = 0;    ///< the operation or print that makes it matter; 0 = none
  UnitId kept_unit = kNoUnit;  ///< the first part of it that is on disk, if any is
  PowerHarm harm = PowerHarm::kFromTheStart;
  /// The operations of which something is lost: first those where the loss begins.
  std::vector<uint64_t> lost_records;
  std::string key;      ///< the cause as text: cause_words.h
  uint64_t checks = 0;  ///< states that were judged to find it

  /// The first operation of which something is lost; 0 = none.
  [[nodiscard]] uint64_t lost_record() const {
    return lost_records.empty() ? 0 : lost_records.front();
  }
  /// 12 hexadecimal digits, the same for the same cause in another run.
  [[nodiscard]] std::string id() const;
};

/// The cause of a state right after POINT that fails since LOST is missing, from KEPT on; 0: from
/// the start. AT_END: only once the run is over.
struct SmallestLoss {
  uint64_t point = 0;
  std::vector<UnitId> lost;
  uint64_t kept = 0;
  bool at_end = false;
};
[[nodiscard]] PowerCause cause_of(const Trace& trace, const UnitHistory& history,
                                  SmallestLoss smallest, const CauseWords& words);

/// The bytes of one write that are lost, from the first to the last.
struct LostBytes {
  int64_t begin = 0, end = 0;
};
/// Those of the write that ROOT is a part of; nothing where none of its bytes are.
[[nodiscard]] std::optional<LostBytes> lost_bytes_of(const UnitHistory& history, UnitId root,
                                                     const std::vector<UnitId>& lost);

/// Of kTorn: a size that is on disk, without some of the bytes before it.
struct TornSize {
  int64_t size = 0;         ///< bytes
  int64_t lost = 0;         ///< bytes of the operation that are not on disk
  int64_t first_lost = -1;  ///< their first; -1 = none
};
[[nodiscard]] std::optional<TornSize> torn_size_of(const UnitHistory& history,
                                                   const PowerCause& cause);

/// What of UNIT a barrier is missing for, stable over runs and the same under all models: "content
/// of" or "name of" and CauseWords::file_of().
[[nodiscard]] std::string barrier_of(const Trace& trace, const UnitHistory& history, UnitId unit,
                                     const CauseWords& words);
/// The kept half of a cause: CauseWords::call_of() of RECORD.
[[nodiscard]] std::string kept_half(const Trace& trace, uint64_t record, const CauseWords& words);

}  // namespace everycrash
