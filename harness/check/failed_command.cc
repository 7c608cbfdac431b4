#include "harness/check/failed_command.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <string_view>
#include <system_error>

#include "harness/base/exit_status.h"

namespace everycrash {
namespace {

using How = Ending::How;

/// What to do about a PROGRAM that could not be started, "" if nobody knows.
std::string start_advice(int problem, const std::string& program) {
  std::error_code error;
  const bool exists = std::filesystem::exists(program, error);
  if (problem == EACCES && exists && !std::filesystem::is_directory(program, error))
    return fmt::format("Make it a program: chmod +x {}", program);
  if (problem == ENOENT && exists)
    return "Its first line, #!, names an interpreter that is not there.";
  if (problem == ENOEXEC) return "A script begins with a line such as #!/bin/sh.";
  return "";
}

/// What happened, in one line.
std::string headline_of(const FailedCommand& failed) {
  const char* who = who_is(failed.judge);
  switch (failed.ending.how) {
    case How::kNotStarted:
      return fmt::format("{} cannot be started: {}: {}", who, failed.program,
                         strerror(failed.ending.value));
    case How::kTimedOut:
      return fmt::format("{} does not end: it was killed after {} s{}", who,
                         failed.ending.value / 1000,
                         failed.undisturbed ? "" : "; on an undisturbed state it ends");
    case How::kExited:
    case How::kSignaled:
      break;
  }
  return fmt::format("{}: {}{}", who, describe(failed.ending),
                     failed.left_processes ? "; it left processes behind, which were killed" : "");
}

/// What there is to say besides: what it printed, and what may help. "" if nothing.
std::string details_of(const FailedCommand& failed) {
  if (failed.ending.how == How::kNotStarted) {
    return start_advice(failed.ending.value, failed.program);
  }
  std::string text = failed.said;
  if (failed.hit_protection && failed.ending.how != How::kTimedOut) {
    text += fmt::format(
        "{}(only the state directory and /tmp can be written to; what is outside is protected)",
        text.empty() ? "" : "\n");
  }
  return text;
}

Wrong wrong_of(const FailedCommand& failed) {
  switch (failed.ending.how) {
    case How::kNotStarted:
      return Wrong::kNotStarted;
    case How::kTimedOut:
      return Wrong::kTimedOut;
    case How::kSignaled:
      return Wrong::kRejected;
    case How::kExited:
      break;
  }
  if (failed.ending.succeeded()) return Wrong::kLeavesProcesses;
  const bool cannot_tell =
      failed.judge == Judge::kChecker && failed.ending.value == kExitUnavailable;
  return cannot_tell ? Wrong::kCannotTell : Wrong::kRejected;
}

Verdict verdict_of(Wrong wrong) {
  if (wrong == Wrong::kNotStarted) return Verdict::kHarnessBroken;
  // What it left may have been the check itself.
  const bool unsure = wrong == Wrong::kCannotTell || wrong == Wrong::kLeavesProcesses;
  return unsure ? Verdict::kNotMeasured : Verdict::kViolated;
}

}  // namespace

const char* who_is(Judge judge) {
  if (judge == Judge::kRecovery) return "recovery";
  return judge == Judge::kChecker ? "the checker" : "running it again";
}

std::optional<FailedCommand> failure_of(Judge judge, const Command& command,
                                        const CommandRun& run) {
  const bool well = run.ending.succeeded() && (judge != Judge::kChecker || !run.left_processes);
  if (well) return std::nullopt;
  return FailedCommand{
      .judge = judge,
      .ending = run.ending,
      .left_processes = run.left_processes,
      .hit_protection = run.output.find("Read-only file system") != std::string::npos,
      .program = command.argv.front(),
      .said = run.output};
}

Complaint complaint_of(const FailedCommand& failed) {
  constexpr size_t kSaidMax = 160;  // enough to tell one failure from another
  const Wrong wrong = wrong_of(failed);
  const std::string details = details_of(failed);
  return {
      .judge = failed.judge,
      .verdict = verdict_of(wrong),
      .message = fmt::format("{}{}{}", headline_of(failed), details.empty() ? "" : "\n", details),
      .wrong = wrong,
      .signal = failed.ending.how == How::kSignaled ? failed.ending.value : 0,
      .said = failed.said.substr(0, kSaidMax)};
}

std::string in_one_line(const FailedCommand& failed) {
  const std::string details = details_of(failed);
  if (details.empty()) return headline_of(failed);
  const size_t end = details.find('\n');
  return fmt::format("{}: {}{}", headline_of(failed), details.substr(0, end),
                     end == std::string::npos ? "" : " ...");
}

}  // namespace everycrash
