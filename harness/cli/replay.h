// Judging one state, and telling the outcome.
#pragma once

#include <vector>

#include "harness/check/verdict.h"

namespace everycrash::cli {

/// Prints what was said against a state, or that it survived; returns the exit status: 1 for a
/// violation, 0 otherwise.
[[nodiscard]] int print_complaints(const std::vector<Complaint>& complaints);

}  // namespace everycrash::cli
