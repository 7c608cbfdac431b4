// Small workloads that tell file systems apart.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace everycrash {

/// A workload as lines of harness/trace/workload_text.h.
struct Litmus {
  std::string name;
  std::vector<std::string> script;
};

/// From litmus runs on Linux 6.18, the papers Ferrite and ALICE, and one for each rule that a
/// persistence model states.
[[nodiscard]] const std::vector<Litmus>& litmus_workloads();

/// Workload NUMBER of the sequence that SEED begins: 2 to 6 operations over few names. The same on
/// every machine; every script is one that can happen.
[[nodiscard]] Litmus random_workload(uint64_t seed, uint64_t number);

/// SCRIPT without one line, for each line that can be left out; what cannot happen any more is
/// among them.
[[nodiscard]] std::vector<std::vector<std::string>> smaller_scripts(
    const std::vector<std::string>& script);

}  // namespace everycrash
