// The oracle "exactly once": over a crash and the run after it, each effect happens once.
#pragma once

#include <string_view>
#include <vector>

#include "harness/check/verdict.h"

namespace everycrash {

/// True if EVENTS hold an effect.
[[nodiscard]] bool has_effects(std::string_view events);

/// Compares the effects BEFORE a crash and AFTER it, together, with those of the UNDISTURBED run;
/// all are lines of $EVERYCRASH_EVENTS. An effect is its kind and key: more often than undisturbed
/// is "twice", never is "lost". Keys that no undisturbed run has (random ones) are not held against
/// the program as long as the number of effects of their kind is right.
[[nodiscard]] std::vector<Complaint> find_effect_faults(std::string_view undisturbed,
                                                        std::string_view before,
                                                        std::string_view after);

}  // namespace everycrash
