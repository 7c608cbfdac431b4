// What an operation did to the outside, as a result document tells it. Pure functions, thread-safe.
#pragma once

#include <string>
#include <vector>

#include "harness/trace/operation.h"
#include "reports/result.h"

namespace everycrash::cli {

/// The events of OPERATION in their order, at most reports::kEventsMax.
[[nodiscard]] std::vector<reports::OutsideEvent> outside_events(const Operation& operation);

/// Adds the effects of OPERATION that are not in EFFECTS yet: "charge order-17". At most
/// reports::kPointsMax in all.
void add_effects(const Operation& operation, std::vector<std::string>& effects);

}  // namespace everycrash::cli
