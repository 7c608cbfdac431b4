// What `run` and `check` are told: check must restart the job with what run was given.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "scenarios/job_ledger/break_table.h"

namespace scenarios::job_ledger {

struct JobOptions {
  int days = 5;  ///< how many days are due
  Break mistake = Break::kNone;
  int64_t clock_offset_s = 0;  ///< how far the wall clock is off, or how much later it is
  int restart_limit_s = 5;     ///< of check: how long a restarted job may take
};

/// The wall clock, in milliseconds since 1970, with that offset.
[[nodiscard]] int64_t now_ms(const JobOptions& options);

[[nodiscard]] Expected<JobOptions> parse_job_options(std::span<const std::string> arguments);
/// The arguments that make `run` do what these options say.
[[nodiscard]] std::vector<std::string> to_arguments(const JobOptions& options);

}  // namespace scenarios::job_ledger
