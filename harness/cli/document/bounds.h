// In words: what was covered, and what was not judged and why. Pure functions, thread-safe.
#pragma once

#include <string>
#include <vector>

#include "harness/campaign/coverage_facts.h"
#include "harness/campaign/gaps.h"

namespace everycrash::cli {

/// What BOUNDS have covered, in a line; "" of none.
[[nodiscard]] std::string words_for(const std::vector<Bound>& bounds);
[[nodiscard]] std::string words_for(const Gap& gap);
[[nodiscard]] std::string words_for(const Limitation& limitation);
/// What is to be told of files of which no call could be made to fail.
[[nodiscard]] std::string words_for(const NeverMet& never);

}  // namespace everycrash::cli
