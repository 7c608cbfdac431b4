// For tests: the trial of scenarios/common/crash_trial.h with this job.
#pragma once

#include "scenarios/common/crash_trial.h"

namespace scenarios::state_manager {

class CrashTrial : public scenarios::CrashTrial {
 public:
  CrashTrial() : scenarios::CrashTrial(STATE_MANAGER_PROGRAM) {}
};

[[nodiscard]] inline std::string complaints_after_kills(const std::vector<std::string>& run,
                                                        const std::vector<std::string>& check,
                                                        const std::string& words) {
  return scenarios::complaints_after_kills(STATE_MANAGER_PROGRAM, run, check, words);
}

}  // namespace scenarios::state_manager
