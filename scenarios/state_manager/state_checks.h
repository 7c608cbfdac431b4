// The single questions that the checker asks of a state directory. None of them changes anything.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "scenarios/state_manager/job_options.h"
#include "scenarios/state_manager/mail_receiver.h"
#include "scenarios/state_manager/state_document.h"

namespace scenarios::state_manager {

/// The document holds the steps of this job, and each has the fields that its status needs.
[[nodiscard]] Outcome check_consistent(const StateDocument& document, const JobOptions& options);

/// Each whole line `done STEP` that was printed is true: the step is done.
[[nodiscard]] Outcome check_acknowledged(const StateDocument& document, std::string_view printed);

/// Each done step has its output, whole, with each line once.
[[nodiscard]] Outcome check_outputs(int state_directory_fd, const StateDocument& document);

/// Every step is done, or stopped where it had to be, and after the right number of retries. After
/// a run in which a call failed, `before_restart` is what it left, and a step may have been stopped
/// by that: at once if the error cannot heal, else after all retries. Otherwise it is null.
[[nodiscard]] Outcome check_finished(const StateDocument& document, const JobOptions& options,
                                     const StateDocument* before_restart);

/// No file that a finished job does not have.
[[nodiscard]] Outcome check_no_leftovers(int state_directory_fd, const StateDocument& document);

/// The mail of each done step was accepted once. `before` is null when it is not known what was
/// accepted before the crash.
[[nodiscard]] Outcome check_mails(const StateDocument& document, const std::vector<Mail>* before,
                                  const std::vector<Mail>& after);

/// Steps that another runner seemed to be at were left to it for kStaleMs, and not for hours.
/// `restarted_at_ms` is by the job's own clock.
[[nodiscard]] Outcome check_takeover_times(const StateDocument& before, const StateDocument& after,
                                           int64_t restarted_at_ms);

}  // namespace scenarios::state_manager
