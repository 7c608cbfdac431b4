// From runs with a failing call to findings: those that one missing check explains are one.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "harness/check/verdict.h"
#include "harness/explain/call_site.h"
#include "harness/inject/fault_sweep.h"

namespace everycrash {

/// What happens to the call, without the errno: who does not look at one looks at none.
enum class FaultWay : uint8_t {
  kFails,         ///< once
  kFailsForGood,  ///< and every later one on that file
  kCutShort,      ///< a part of it is done
  kNoAnswer,      ///< what was sent is done, and no answer comes
  kDiskFull,      ///< from then on, whatever the file
};
[[nodiscard]] FaultWay way_of(const SweptFault& swept);

/// Bad ends of runs in which calls of one kind, on one kind of file, made at one place of the
/// program, failed. A value.
struct FaultCluster {
  std::string key;                    ///< what the cause is; its hash names the finding
  SweptFault example;                 ///< it names the call
  FaultWay way = FaultWay::kFails;    ///< of the example, as of all
  Judge judge = Judge::kChecker;      ///< of the first violation of it
  std::vector<Complaint> complaints;  ///< against the example
  std::vector<std::string> faults;    ///< all, as text, in the order of the trace

  /// 12 hexadecimal digits, stable as long as the cause is.
  [[nodiscard]] std::string id() const;
};

/// COMPLAINTS holds what was said of each fault of SWEEP (empty = nothing). Clusters come in the
/// order of the trace.
[[nodiscard]] std::vector<FaultCluster> cluster_faults(
    const Trace& trace, const std::vector<SweptFault>& sweep,
    const std::vector<std::vector<Complaint>>& complaints, const SiteOf& site_of);

}  // namespace everycrash
