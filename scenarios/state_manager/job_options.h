// What `run` and `check` are told: check must restart the job with what run was given.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "scenarios/state_manager/break_table.h"
#include "scenarios/state_manager/skip_clock.h"
#include "scenarios/state_manager/step_work.h"

namespace scenarios::state_manager {

struct JobOptions {
  int steps = 100;
  Break mistake = Break::kNone;
  WorkOptions work;
  int64_t clock_offset_s = 0;  ///< how far the wall clock is off, as after it was set
  /// The clock begins here (seconds since 1970) and moves only when the job sleeps, so that two
  /// runs write the same bytes.
  std::optional<int64_t> start_time_s;
  bool mark_calls = false;  ///< step markers for each call of a save too
  int restart_limit_s = 5;  ///< of check: how long the restarted job may take
};

/// The clock that these options ask for.
[[nodiscard]] SkipClock make_clock(const JobOptions& options);

[[nodiscard]] Expected<JobOptions> parse_job_options(std::span<const std::string> arguments);
/// The arguments that make `run` do what these options say.
[[nodiscard]] std::vector<std::string> to_arguments(const JobOptions& options);

}  // namespace scenarios::state_manager
