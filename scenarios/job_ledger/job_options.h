// What `run` and `check` are told: check must restart the job with what run was given.
#pragma once

#include <cstdint>

#include "scenarios/common/option_set.h"
#include "scenarios/job_ledger/break_table.h"

namespace scenarios::job_ledger {

struct JobOptions : CommonOptions {
  int days = 5;  ///< how many days are due
  Break mistake = Break::kNone;
};

/// The wall clock, in milliseconds since 1970, with that offset.
[[nodiscard]] int64_t now_ms(const JobOptions& options);

void add_options(OptionSet& set, JobOptions& options);

}  // namespace scenarios::job_ledger
