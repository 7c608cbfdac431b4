// The user's verdict on a crash state: may the job have left this, and can it go on from it?
//
// Looks at the state directory as it is (state.json whole, nothing acknowledged is lost), restarts
// the job on it, and looks again (all steps finished, outputs whole, nothing left over, each mail
// accepted once over both lives).
#pragma once

#include <string>

#include "scenarios/common/failure.h"
#include "scenarios/state_manager/job_options.h"

namespace scenarios::state_manager {

/// Checks the current directory; the failure's message is one sentence that says what is wrong.
/// `program` is restarted as `program run ...` with the same options. Reads what was printed before
/// the crash from the file that $EVERYCRASH_STDOUT names, and the mails accepted before it from
/// $EVERYCRASH_EFFECTS; what is not given is not checked. Changes the directory, as a restart does.
[[nodiscard]] Outcome check_job(const std::string& program, const JobOptions& options);

}  // namespace scenarios::state_manager
