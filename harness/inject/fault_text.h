// The language of faults (faults/plan.h) for the tool itself: strings and errors as values.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "harness/base/error.h"
#include "harness/inject/faults/plan.h"

namespace everycrash {

/// Reads one fault. kUsage with what is wrong and where the language is described.
[[nodiscard]] Result<faults::Fault> read_fault(const std::string& text);

/// What read_fault() reads as the same.
[[nodiscard]] std::string text_of(const faults::Fault& fault);

/// GLOB as it stands between the parentheses of a fault.
[[nodiscard]] std::string escaped_glob(const std::string& glob);

/// The fault by which all syncs of the files that GLOB names are lost.
[[nodiscard]] std::string lost_syncs_of(const std::string& glob);

/// The whole plan of a run, for RecordOptions::faults: "" without faults. Each process of the run
/// can be reached by fiu-ctrl if the user wants that (fault_pipes_prefix()). kUsage where a fault
/// is not understood, or they are too many or too long.
[[nodiscard]] Result<std::string> plan_of(const std::vector<std::string>& faults, uint64_t seed);

}  // namespace everycrash
