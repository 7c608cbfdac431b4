// The run as JUnit XML, which every CI system shows: a test case for each judge under each crash
// kind and model, never one for each state.
#pragma once

#include <string>
#include <string_view>

#include "reports/result.h"

namespace everycrash::reports {

/// A whole XML document. One test suite, named after the workload; a case for each crash kind,
/// model and judge, and one, "run", for the run as a whole, which fails or errs whenever the exit
/// status is not 0 and no finding says why. Known findings make a case skipped, with the reason.
/// Files of source lines are relative to ROOT. Characters that XML cannot hold are written as \xNN.
/// Equal input, equal bytes; no clock. Pure, thread-safe.
[[nodiscard]] std::string junit_report(const ResultDocument& document, std::string_view root);

}  // namespace everycrash::reports
