// A finding of the document about two runners at once.
#pragma once

#include <vector>

#include "harness/explain/pair_cause.h"
#include "reports/result.h"

namespace everycrash::cli {

class DocumentBuilder;

/// A finding about the end of TRACE, which BUILDER is of; without its files and earlier crashes.
[[nodiscard]] reports::Finding pair_finding(const Trace& trace, const PairRun& run,
                                            const PairCause& cause,
                                            const std::vector<Complaint>& complaints,
                                            DocumentBuilder& builder);

}  // namespace everycrash::cli
