// The table of the oracles that judge crash states. (The one of two runners at once, serial.h,
// judges runs.)
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "harness/check/oracles/oracle.h"

namespace everycrash {

/// In the order in which they are asked, and told of.
[[nodiscard]] std::span<const Oracle* const> all_oracles();

/// What users call them: "half-file", "recovery-twice".
[[nodiscard]] std::vector<std::string> oracle_names();

/// The oracle that a user names so (blanks and '-' are the same); nullopt for anything else.
[[nodiscard]] std::optional<Judge> oracle_named(std::string_view name);

/// Adds to COMPLAINTS what those oracles say that apply and see what SEES says, which SEEN has.
void ask_oracles(Oracle::Sees sees, const Seen& seen, std::vector<Complaint>& complaints);

}  // namespace everycrash
