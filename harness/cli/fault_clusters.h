// From runs with a failing call to findings: those that one missing check explains are one.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "harness/check/verdict.h"
#include "harness/explain/call_stacks.h"
#include "harness/inject/fault_sweep.h"
#include "harness/trace/trace.h"

namespace everycrash::cli {

/// Bad ends of runs in which calls of one kind, on one kind of file, made at one place of the
/// program, failed. A value.
struct FaultCluster {
  std::string key;  ///< what the cause is; its hash names the finding
  std::string title;
  SweptFault example;
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

}  // namespace everycrash::cli
