// `--crash clock`: clocks by which a program may find itself when it is started after a crash.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "harness/base/error.h"

namespace everycrash {

/// A value.
struct ClockVariant {
  std::string name;   ///< for reports: "2 hours back"
  std::string fault;  ///< what sets the clock, in the language of faults; "" = nothing
  std::string zone;   ///< TZ; "" = as it is
};

/// Two hours back and on, and a place east of Greenwich, where local time is ahead.
[[nodiscard]] const std::vector<ClockVariant>& clock_variants();

/// The variant of that name, null if there is none.
[[nodiscard]] const ClockVariant* find_clock_variant(const std::string& name);

/// Sets a variable in the environment of the commands that a judge runs.
using SetForCommands = std::function<void(std::string_view name, std::string_view value)>;

/// Lets the commands of a judge run by that clock; null = by the real one again.
[[nodiscard]] Status set_clock(const ClockVariant* variant, const SetForCommands& set);

}  // namespace everycrash
