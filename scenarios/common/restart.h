// For checkers: the job started again on what a crash has left. Nothing is written outside of the
// state directory, and nothing is left where the checker is killed.
#pragma once

#include <string>
#include <vector>

#include "scenarios/common/failure.h"
#include "scenarios/common/file_io.h"

namespace scenarios {

/// A file in memory that gets the events of a job which is started again.
[[nodiscard]] Expected<FileDescriptor> make_event_file();

/// Runs `PROGRAM run ARGUMENTS` in the current directory to its end. A failure is one sentence on
/// how it ended, with its standard error, or that it did not within LIMIT_S seconds; it is killed
/// then. What it and its children tell of events is appended to EVENTS.
[[nodiscard]] Outcome restart_job(const std::string& program,
                                  const std::vector<std::string>& arguments, int limit_s,
                                  const FileDescriptor& events);

}  // namespace scenarios
