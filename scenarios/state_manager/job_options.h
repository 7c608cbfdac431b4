// What `run` and `check` are told: check must restart the job with what run was given.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "scenarios/state_manager/break_table.h"
#include "scenarios/state_manager/step_work.h"

namespace state_manager {

struct JobOptions {
  int steps = 100;
  Break mistake = Break::kNone;
  WorkOptions work;
  int64_t clock_offset_s = 0;  ///< how far the wall clock is off, as after it was set
  bool mark_calls = false;     ///< step markers for each call of a save too
  int restart_limit_s = 5;     ///< of check: how long the restarted job may take
};

[[nodiscard]] Expected<JobOptions> parse_job_options(std::span<const std::string> arguments);
/// The arguments that make `run` do what these options say.
[[nodiscard]] std::vector<std::string> to_arguments(const JobOptions& options);

}  // namespace state_manager
