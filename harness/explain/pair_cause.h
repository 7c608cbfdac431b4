// Why two runners at once left something bad: whose operation undid whose.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "harness/explain/call_site.h"

namespace everycrash {

class PointNames;
class Trace;
struct Complaint;
struct PairRun;

/// What stands behind a bad end: records of the trace, 0 = none.
struct PairCause {
  uint64_t stood = 0;   ///< the last operation of the first runner before it stood
  uint64_t undone = 0;  ///< of the one that ran meanwhile
  uint64_t undoes = 0;  ///< of the one that went on after it
  bool killed = false;  ///< the first one is, where it stands
  std::string key;      ///< stable over runs

  /// 12 hexadecimal digits.
  [[nodiscard]] std::string id() const;
};

/// The cause of SAID, found in the order of the operations: the first one that touches, right after
/// a runner had stood still, what the other had changed meanwhile. NAMES are those of TRACE.
[[nodiscard]] PairCause find_pair_cause(const Trace& trace, const PairRun& run,
                                        const Complaint& said, const PointNames& names,
                                        const SiteOf& site_of);

/// Where a runner stands still.
struct PairPlace {
  std::string after;        ///< the name of its last operation that has one; "": before its first
  uint64_t occurrence = 0;  ///< of that name, counted over its own operations
  std::optional<std::string> lock;  ///< it asks for a lock next: on the file with this path
  friend bool operator==(const PairPlace&, const PairPlace&) = default;
};

/// Where RUNNER stood when RECORD was the next one.
[[nodiscard]] PairPlace place_of(const PointNames& names, const Trace& trace, uint32_t runner,
                                 uint64_t record);

}  // namespace everycrash
