// The verdict on a crash state: exit status of `job_ledger check`.
#pragma once

#include <string>

#include "scenarios/job_ledger/job_options.h"

namespace scenarios::job_ledger {

/// Judges the current directory as a crash left it, runs `program` there as it would be run a day
/// later, and judges again. Where there was a lock, runs it once more, on a machine on which the
/// pid of the dead runner now belongs to another process. A failure says what is wrong.
[[nodiscard]] Outcome check_job(const std::string& program, const JobOptions& options);

}  // namespace scenarios::job_ledger
