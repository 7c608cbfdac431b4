// How the counts of a run of random faults are told: to a person, and to Prometheus.
#pragma once

#include <string>

#include "harness/campaign/chaos_counts.h"

namespace everycrash::cli {

[[nodiscard]] std::string chaos_text(const ChaosCounts& counts);
/// In the text format of Prometheus, version 0.0.4.
[[nodiscard]] std::string prometheus_text(const ChaosCounts& counts);

}  // namespace everycrash::cli
