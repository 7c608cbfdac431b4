// From a pair of runners that left something bad to a finding: whose operation undid whose.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "harness/check/verdict.h"
#include "harness/cli/document/document_builder.h"
#include "harness/inject/two_runners.h"
#include "harness/trace/trace.h"
#include "reports/result.h"

namespace everycrash::cli {

/// What stands behind a bad end. Refers to the trace.
struct PairCause {
  const Operation* stood = nullptr;   ///< the last operation of the first runner before it stood
  const Operation* undone = nullptr;  ///< of the one that ran meanwhile
  const Operation* undoes = nullptr;  ///< of the one that went on after it
  bool killed = false;
  std::string key;  ///< stable over runs

  /// 12 hexadecimal digits.
  [[nodiscard]] std::string id() const;
};

/// The cause of SAID, found in the order of the operations: the first one that touches, right after
/// a runner had stood still, what the other had changed meanwhile.
[[nodiscard]] PairCause find_pair_cause(const Trace& trace, const PairRun& run,
                                        const Complaint& said, DocumentBuilder& builder);

/// "after open(state.tmp)#2": where RUNNER stood when RECORD was the next one, counted over its own
/// operations.
[[nodiscard]] std::string place_of(const PointNames& names, const Trace& trace, uint32_t runner,
                                   uint64_t record);

/// A finding about the end of TRACE, which BUILDER is of; without its files and earlier crashes.
[[nodiscard]] reports::Finding pair_finding(const Trace& trace, const PairRun& run,
                                            const PairCause& cause,
                                            const std::vector<Complaint>& complaints,
                                            DocumentBuilder& builder);

}  // namespace everycrash::cli
