// The outcome as "key=value" lines, for test frameworks that put properties on a test case.
#pragma once

#include <string>

#include "reports/result.h"

namespace everycrash::reports {

/// verdict, exit_code, seed, states, crash_points, exhaustive, findings, and of the first finding
/// that fails the run: finding, point, state, reproduce. Values are on one line, printable. Pure,
/// thread-safe.
[[nodiscard]] std::string properties_report(const ResultDocument& document);

}  // namespace everycrash::reports
