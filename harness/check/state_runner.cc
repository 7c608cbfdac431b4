#include "harness/check/state_runner.h"

#include <fmt/format.h>

#include <utility>

#include "harness/base/file.h"
#include "harness/check/run/given_file.h"
#include "harness/record/unsupported.h"
#include "harness/trace/point_name.h"

namespace everycrash {
namespace {

void replace_all(std::string& text, const std::string& from, const std::string& to) {
  if (from.empty()) return;
  for (size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size()) {
    text.replace(at, from.size(), to);
  }
}

bool timed_out(const std::optional<FailedCommand>& failed) {
  return failed && failed->ending.how == Ending::How::kTimedOut;
}

}  // namespace

bool RunAgain::timed_out() const {
  return everycrash::timed_out(recovery_failed) || everycrash::timed_out(failed);
}

StateRunner::StateRunner(std::unique_ptr<Sandbox> sandbox, const Grounds& grounds)
    : sandbox_(std::move(sandbox)),
      grounds_(grounds),
      states_(*sandbox_),
      check_(prepared(grounds.options.check)),
      recover_(prepared(grounds.options.recover)),
      resume_(prepared(grounds.options.resume)) {
  // These look at pids in lock files; a checker seldom does, and it runs the most.
  recover_.own_proc = true;
  resume_.own_proc = true;
  set_variable(resume_.environment, "EVERYCRASH_EVENTS", events_file().string());
}

Command StateRunner::prepared(const Command& given) const {
  Command command = given;
  states_.add_to(command.environment);
  if (const std::optional<SinkOptions>& sink = grounds_.options.effects.sink) {
    set_variable(command.environment, "EVERYCRASH_SINK",
                 fmt::format("http://127.0.0.1:{}", sink->port));
  }
  return command;
}

void StateRunner::set_for_commands(std::string_view name, std::string_view value) {
  for (Command* command : {&check_, &recover_, &resume_}) {
    set_variable(command->environment, name, value);
  }
  if (watch_) watch_->add_to(resume_.environment);
}

SinkMemory StateRunner::sink_memory(const StateView& state) const {
  return sink_memory_at(state.effects != nullptr ? *state.effects : grounds_.effects, state.record);
}

Status StateRunner::put(const StateView& state) {
  if (sink_ != nullptr) sink_->become(sink_memory(state));
  return states_.put({state.tree, state.printed, state.events});
}

Status StateRunner::leave() {
  const Result<bool> changed = states_.note_changes();
  if (!changed) return tl::unexpected(changed.error());
  return {};
}

/// OUTPUT as it goes into a message: bounded, with the paths that the user knows.
std::string StateRunner::tidy(const std::string& output) const {
  constexpr size_t kBytes = 2000;
  std::string text = output.substr(0, kBytes);
  if (text.size() < output.size()) text += "\n...";
  while (!text.empty() && (text.back() == '\n' || text.back() == ' ')) text.pop_back();
  replace_all(text, sandbox_->directory().string(), sandbox_->recorded().string());
  replace_all(text, sandbox_->files().string(), "$EVERYCRASH_FILES");
  return text;
}

std::optional<FailedCommand> StateRunner::outcome(Judge judge, const Command& command,
                                                  const CommandRun& run) const {
  std::optional<FailedCommand> failed = failure_of(judge, command, run);
  if (failed) failed->said = tidy(failed->said);
  return failed;
}

Result<std::optional<FailedCommand>> StateRunner::recover(int limit_ms) {
  const Result<CommandRun> run = sandbox_->run(recover_, limit_ms);
  if (!run) return tl::unexpected(run.error());
  return outcome(Judge::kRecovery, recover_, *run);
}

Result<std::optional<FailedCommand>> StateRunner::check(int limit_ms) {
  const Result<CommandRun> run = sandbox_->run(check_, limit_ms);
  if (!run) return tl::unexpected(run.error());
  return outcome(Judge::kChecker, check_, *run);
}

Result<RunAgain> StateRunner::run_again(const StateView& state, int limit_ms) {
  RunAgain again;
  if (Status done = put(state); !done) return tl::unexpected(done.error());
  if (!grounds_.options.recover.empty()) {
    Result<std::optional<FailedCommand>> failed = recover(limit_ms);
    if (!failed) return tl::unexpected(failed.error());
    again.recovery_failed = std::move(*failed);
  }
  Status done;
  if (!again.recovery_failed) done = run_workload(state, limit_ms, again);
  if (done) done = leave();
  if (!done) return tl::unexpected(done.error());
  return again;
}

/// Runs the workload again on the tree that is there, and sees its effects.
Status StateRunner::run_workload(const StateView& state, int limit_ms, RunAgain& again) {
  if (Status ok = write_file(events_file(), ""); !ok) return ok;
  if (grounds_.watches() && !watch_) {
    Result<RunWatch> watch = RunWatch::create(*sandbox_);
    if (!watch) return tl::unexpected(watch.error());
    watch->add_to(resume_.environment);
    watch_.emplace(std::move(*watch));
  }
  if (watch_) {
    if (Status ok = watch_->begin(events_file()); !ok) return ok;
  }
  const Result<CommandRun> run = sandbox_->run(resume_, limit_ms);
  if (!run) return tl::unexpected(run.error());
  if (!watch_) {
    again.events = read_file(events_file()).value_or("");
  } else if (Status ok = see_effects(state, again); !ok) {
    return ok;
  }
  again.failed = outcome(Judge::kResume, resume_, *run);
  if (again.failed) return {};
  Result<FileSystem> found = tree();
  if (!found) return tl::unexpected(found.error());
  again.tree.emplace(std::move(*found));
  return {};
}

Status StateRunner::see_effects(const StateView& state, RunAgain& again) {
  Result<Trace> trace = watch_->end();
  if (!trace) return tl::unexpected(trace.error());
  announce_effects(find_effects(*trace, grounds_.options.effects, sink_memory(state)), *trace);
  if (trace->full() != 0) again.unseen = "it did more than can be watched";
  for (const Operation& record : trace->records()) {
    again.events += record.events;
    const bool harmless = record.kind != Kind::kUnsupported ||
                          static_cast<Unsupported>(record.mode) == Unsupported::kIoUring;
    if (!harmless && again.unseen.empty()) again.unseen = explain_unsupported(record);
  }
  return {};
}

Result<Aftermath> StateRunner::aftermath(const StateView& state, Judge runs) {
  const Command& command = runs == Judge::kRecovery ? recover_
                           : runs == Judge::kResume ? resume_
                                                    : check_;
  Aftermath aftermath{.what = who_is(runs), .tree = {}};
  Status done = put(state);
  if (done) done = write_file(events_file(), "");
  if (!done) return tl::unexpected(done.error());
  const Result<CommandRun> run = sandbox_->run(command, grounds_.options.limit_ms);
  if (!run) return tl::unexpected(run.error());
  if (run->ending.how != Ending::How::kTimedOut) {
    Result<FileSystem> left = tree();
    if (!left) return tl::unexpected(left.error());
    aftermath.tree = std::move(*left);
  }
  if (done = leave(); !done) return tl::unexpected(done.error());
  return aftermath;
}

}  // namespace everycrash
