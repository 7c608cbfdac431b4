// What a program is told of the life before the crash that it, or its checker, comes after.
#pragma once

#include <string>

#include "scenarios/common/failure.h"

namespace scenarios {

/// What was printed, from the file that $EVERYCRASH_STDOUT names; "" if it is not given.
[[nodiscard]] Expected<std::string> printed_before_the_crash();

/// The lines of effects, from the file that $EVERYCRASH_EFFECTS names; "" if it is not given, of
/// which effects_are_known() tells.
[[nodiscard]] Expected<std::string> effects_before_the_crash();
[[nodiscard]] bool effects_are_known();

/// The lines of steps and effects since then, from the file that $EVERYCRASH_EVENTS names; "" if it
/// is not given.
[[nodiscard]] Expected<std::string> events_since_the_crash();

/// A call of that life has failed: everycrash names the fault.
[[nodiscard]] bool a_call_failed();

}  // namespace scenarios
