// What `run` and `check` are told: check must restart the job with what run was given.
#pragma once

#include <cstdint>
#include <optional>

#include "scenarios/common/option_set.h"
#include "scenarios/state_manager/break_table.h"
#include "scenarios/state_manager/skip_clock.h"
#include "scenarios/state_manager/step_work.h"

namespace scenarios::state_manager {

struct JobOptions : CommonOptions {
  int steps = 100;
  Break mistake = Break::kNone;
  WorkOptions work;
  /// The clock begins here (seconds since 1970) and moves only when the job sleeps, so that two
  /// runs write the same bytes.
  std::optional<int64_t> start_time_s;
  bool mark_calls = false;  ///< step markers for each call of a save too
};

/// The clock that these options ask for.
[[nodiscard]] SkipClock make_clock(const JobOptions& options);

void add_options(OptionSet& set, JobOptions& options);

}  // namespace scenarios::state_manager
