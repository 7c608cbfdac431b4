// What the way in which a command ended says about a state, as facts and in words.
#pragma once

#include <optional>
#include <string>

#include "harness/check/run/command.h"
#include "harness/check/run/ending.h"
#include "harness/check/run/helper.h"
#include "harness/check/verdict.h"

namespace everycrash {

/// A checker, a recovery or a run again that did not do what it should. A value.
struct FailedCommand {
  Judge judge = Judge::kChecker;  ///< kChecker, kRecovery, or kResume for the run again
  Ending ending;
  bool left_processes = false;
  bool hit_protection = false;  ///< it tried to write where nothing can be written to
  bool undisturbed = false;     ///< it ran on the state without a crash
  std::string program;
  std::string said;  ///< what it printed, bounded and tidied
};

/// What JUDGE's command says by ending so, nothing if all is well. What it said is as it came, for
/// the caller to tidy.
[[nodiscard]] std::optional<FailedCommand> failure_of(Judge judge, const Command& command,
                                                      const CommandRun& run);

/// How commands are named to people: "the checker", "recovery", "running it again".
[[nodiscard]] const char* who_is(Judge judge);

[[nodiscard]] Complaint complaint_of(const FailedCommand& failed);

/// "running it again: exit status 1: no such file": as a part of a sentence.
[[nodiscard]] std::string in_one_line(const FailedCommand& failed);

}  // namespace everycrash
