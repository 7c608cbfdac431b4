// The findings as SARIF 2.1.0 (OASIS standard), which code scanning services and editors read.
#pragma once

#include <string>
#include <string_view>

#include "reports/result.h"

namespace everycrash::reports {

/// A whole SARIF log with one run. A result for each finding, with rule_of() as rule, its id as
/// fingerprint, the line to look at as location and the other operations as related locations;
/// known findings are suppressed. What rules noticed without exploring (notes) comes as level
/// "note". Paths are relative to ROOT, as code scanning wants them, where they lie below it. Equal
/// input, equal bytes. Pure, thread-safe.
[[nodiscard]] std::string sarif_report(const ResultDocument& document, std::string_view root);

}  // namespace everycrash::reports
