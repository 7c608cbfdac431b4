// The legal states of a workload, found the slow way.
#pragma once

#include <string>
#include <vector>

#include "harness/base/error.h"
#include "harness/model/persistence_model.h"
#include "harness/trace/trace.h"

namespace everycrash {

/// All states at the end of the trace that are legal by the definition in persistence_model.h,
/// found by trying every set of units; sorted, as tree_text(). Fails if there are too many sets.
[[nodiscard]] Result<std::vector<std::string>> legal_states(const Trace& trace,
                                                            const PersistenceRules& rules,
                                                            const ExpandOptions& options = {});

}  // namespace everycrash
