// The table of the oracles that judge crash states. (The one of two runners at once, serial.h,
// judges runs.)
#pragma once

#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "harness/check/oracles/oracle.h"

namespace everycrash {

/// In the order in which their complaints come.
[[nodiscard]] std::span<const Oracle* const> all_oracles();

/// The oracle that a user names: "half-file", "acknowledged", "resume", "no-leftovers",
/// "exactly-once", "recovery-twice" (blanks and '-' are the same); nullopt for anything else.
[[nodiscard]] std::optional<Judge> oracle_named(std::string_view name);

/// Adds to COMPLAINTS what those oracles say that apply and see what SEES says, which SEEN has.
void ask_oracles(Oracle::Sees sees, const Seen& seen, std::vector<Complaint>& complaints);

}  // namespace everycrash
