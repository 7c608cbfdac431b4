#include "harness/check/judge.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <sstream>
#include <system_error>

#include "harness/base/file.h"
#include "harness/trace/event.h"

namespace everycrash {
namespace {

constexpr int kCannotJudge = 77;  // what test frameworks read as "skipped"
constexpr int kPatience = 4;      // times the limit, at the second try
// States that a check server finds fine and the checker itself has to judge too.
constexpr uint64_t kAlwaysSampled = 4;
constexpr uint64_t kSampledEvery = 512;

void replace_all(std::string& text, const std::string& from, const std::string& to) {
  if (from.empty()) return;
  for (size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size()) {
    text.replace(at, from.size(), to);
  }
}

/// True if PATH is in both trees, with the same content.
bool is_same(const std::string& path, const FileSystem& one, const FileSystem& other) {
  const NodeId first = one.find(path), second = other.find(path);
  return first != kNoNode && second != kNoNode &&
         content_of(one.node(first)) == content_of(other.node(second));
}

}  // namespace

StateJudge::StateJudge(std::unique_ptr<Sandbox> sandbox, const Grounds& grounds)
    : sandbox_(std::move(sandbox)),
      grounds_(grounds),
      disk_(sandbox_->tree()),
      check_(prepared(grounds.options.check)),
      recover_(prepared(grounds.options.recover)),
      resume_(prepared(grounds.options.resume)),
      stdout_(sandbox_->files() / "stdout"),
      effects_(sandbox_->files() / "effects") {
  // These look at pids in lock files; a checker seldom does, and it runs the most.
  recover_.own_proc = true;
  resume_.own_proc = true;
  set_variable(resume_.environment, "EVERYCRASH_EVENTS", (sandbox_->files() / "events").string());
}

bool StateJudge::resumes() const {
  return selected(Judge::kResume) || selected(Judge::kNoLeftovers) || selected(Judge::kExactlyOnce);
}

void StateJudge::set_for_commands(std::string_view name, std::string_view value) {
  for (Command* command : {&check_, &recover_, &resume_}) {
    set_variable(command->environment, name, value);
  }
  if (watch_) watch_->add_to(resume_.environment);
}

/// Nearly every program that replaces files through mktemp(3) leaves the temporary one when it is
/// killed. That is a fault only where somebody expects the next run to clear it away.
bool StateJudge::forgives_temporary() const {
  const JudgeOptions& options = grounds_.options;
  return !options.resume_asked && !options.oracles.contains(Judge::kNoLeftovers);
}

/// A database that holds the same may do so in other bytes: pages that are free, records that are
/// dead. Only who asks for the same result wants the same bytes.
bool StateJudge::forgives_layout() const {
  const JudgeOptions& options = grounds_.options;
  return !options.resume_asked && !options.oracles.contains(Judge::kResume);
}

Result<std::vector<Complaint>> StateJudge::judge(const StateView& state) {
  const JudgeOptions& options = grounds_.options;
  const History& history = state.history != nullptr ? *state.history : grounds_.history;
  const Promises& promises = state.promises != nullptr ? *state.promises : grounds_.promises;
  Complaints complaints;
  std::vector<HalfFile> halves;
  if (selected(Judge::kHalfFile)) {
    halves = find_half_files(history, *state.tree, state.record, options.ignore);
  }
  if (selected(Judge::kAcknowledged)) {
    complaints = find_broken_promises(history, promises, *state.tree, state.record,
                                      state.printed.size() - state.printed_before, options.ignore);
  }
  Result<Complaints> said = judge_with_commands(state);
  if (!said) return said;
  std::move(said->begin(), said->end(), std::back_inserter(complaints));

  bool clean = false;
  if (resumes()) {
    Result<Attempt> resumed = resume_patiently(state);
    if (!resumed) return tl::unexpected(resumed.error());
    clean = resumed->clean;
    std::move(resumed->complaints.begin(), resumed->complaints.end(),
              std::back_inserter(complaints));
  }
  // A new file that is half written harms nobody if the next run makes it whole. Where no next run
  // can tell, it is held against the program only if somebody asked for that: what `git init`
  // copies into place is made anew when it is missing, and nothing here could know.
  const bool can_tell = selected(Judge::kResume) || selected(Judge::kNoLeftovers);
  const bool harmless = clean || (!can_tell && !options.oracles.contains(Judge::kHalfFile));
  for (auto half = halves.rbegin(); half != halves.rend(); ++half) {
    if (harmless && half->never_finished) continue;
    complaints.insert(complaints.begin(), std::move(half->complaint));
  }
  return complaints;
}

Result<std::vector<Complaint>> StateJudge::judge_with_commands(const StateView& state) {
  const bool needed = selected(Judge::kChecker) || selected(Judge::kRecovery);
  if (!needed) return Complaints{};
  const bool may_ask = server_ != nullptr && !undisturbed_ && grounds_.options.recover.empty();
  if (!may_ask) return judge_with_checker(state);
  using Answer = CheckServer::Answer;
  const Result<Answer> answer =
      server_->ask({state.tree, state.printed, state.events}, grounds_.options.limit_ms);
  if (!answer) return tl::unexpected(answer.error());
  const uint64_t number = asked_++;
  const bool sampled = number < kAlwaysSampled || number % kSampledEvery == 0;
  if (*answer == Answer::kFine && !sampled) return Complaints{};
  Result<Complaints> said = judge_with_checker(state);
  if (said && *answer != Answer::kNone && said->empty() != (*answer == Answer::kFine)) {
    return harness_error(fmt::format(
        "the checker {} a state in a process that had judged others before, and {} it in a fresh "
        "one\nIt carries something over from one state to the next; run without --check-server.",
        *answer == Answer::kFine ? "accepts" : "rejects", said->empty() ? "accepts" : "rejects"));
  }
  return said;
}

Result<std::vector<Complaint>> StateJudge::judge_with_checker(const StateView& state) {
  Result<Attempt> attempt = attempt_check(state, grounds_.options.limit_ms);
  if (attempt && attempt->timed_out) {
    attempt = attempt_check(state, grounds_.options.limit_ms * kPatience);
  }
  if (!attempt) return tl::unexpected(attempt.error());
  return std::move(attempt->complaints);
}

Result<StateJudge::Attempt> StateJudge::attempt_check(const StateView& state, int limit_ms) {
  Attempt attempt;
  Status done = put(state);
  if (done && !grounds_.options.recover.empty()) done = attempt_recovery(attempt, limit_ms);
  if (!done) return tl::unexpected(done.error());
  if (selected(Judge::kChecker) && attempt.complaints.empty()) {
    Result<CommandRun> run = sandbox_->run(check_, limit_ms);
    if (!run) return tl::unexpected(run.error());
    attempt.timed_out = run->ending.how == Ending::How::kTimedOut;
    if (auto complaint = complain(Judge::kChecker, "the checker", check_, *run)) {
      attempt.complaints.push_back(std::move(*complaint));
    }
  }
  Result<bool> changed = disk_.note_changes();
  if (!changed) return tl::unexpected(changed.error());
  return attempt;
}

Status StateJudge::attempt_recovery(Attempt& attempt, int limit_ms) {
  const auto recover = [&]() -> Status {
    Result<CommandRun> run = sandbox_->run(recover_, limit_ms);
    if (!run) return tl::unexpected(run.error());
    attempt.timed_out = run->ending.how == Ending::How::kTimedOut;
    if (auto complaint = complain(Judge::kRecovery, "recovery", recover_, *run)) {
      attempt.complaints.push_back(std::move(*complaint));
    }
    return {};
  };
  Status done = recover();
  if (!done || !attempt.complaints.empty() || !selected(Judge::kRecoveryTwice)) return done;
  Result<FileSystem> once = read_tree(sandbox_->tree());
  if (!once) return tl::unexpected(once.error());
  done = recover();
  if (!done || !attempt.complaints.empty()) return done;
  Result<FileSystem> twice = read_tree(sandbox_->tree());
  if (!twice) return tl::unexpected(twice.error());
  const std::vector<Difference> differences =
      find_differences(*once, *twice, grounds_.options.ignore);
  if (!differences.empty()) {
    attempt.complaints.push_back(
        {Judge::kRecoveryTwice, Verdict::kViolated, differences.front().path,
         fmt::format("a second recovery changes what the first one left:\n{}",
                     describe(differences))});
  }
  return {};
}

Result<StateJudge::Attempt> StateJudge::resume_patiently(const StateView& state) {
  Result<Attempt> attempt = attempt_resume(state, grounds_.options.limit_ms);
  if (attempt && attempt->timed_out) {
    attempt = attempt_resume(state, grounds_.options.limit_ms * kPatience);
  }
  return attempt;
}

Result<StateJudge::Attempt> StateJudge::attempt_resume(const StateView& state, int limit_ms) {
  Attempt attempt;
  Status done = put(state);
  if (done && !grounds_.options.recover.empty()) done = attempt_recovery(attempt, limit_ms);
  if (!done) return tl::unexpected(done.error());
  if (attempt.complaints.empty()) {
    Result<CommandRun> run = run_again(state, limit_ms, attempt);
    if (!run) return tl::unexpected(run.error());
    attempt.timed_out = run->ending.how == Ending::How::kTimedOut;
    if (auto complaint = complain(Judge::kResume, "running it again", resume_, *run)) {
      attempt.complaints.push_back(std::move(*complaint));
    } else {
      Result<FileSystem> found = read_tree(sandbox_->tree());
      if (!found) return tl::unexpected(found.error());
      judge_effects(state, attempt);
      compare_resumed(state, *found, attempt);
    }
  } else {
    attempt.recovery_failed = attempt.complaints.front().message;
    attempt.complaints.clear();  // it is held against the state where the checker runs
  }
  Result<bool> changed = disk_.note_changes();
  if (!changed) return tl::unexpected(changed.error());
  return attempt;
}

/// Runs the workload again on the tree that is there, and sees its effects.
Result<CommandRun> StateJudge::run_again(const StateView& state, int limit_ms, Attempt& attempt) {
  const std::filesystem::path events = sandbox_->files() / "events";
  if (Status ok = write_file(events, ""); !ok) return tl::unexpected(ok.error());
  if (grounds_.watches() && !watch_) {
    Result<RunWatch> watch = RunWatch::create(*sandbox_);
    if (!watch) return tl::unexpected(watch.error());
    watch->add_to(resume_.environment);
    watch_.emplace(std::move(*watch));
  }
  if (watch_) {
    if (Status ok = watch_->begin(events); !ok) return tl::unexpected(ok.error());
  }
  Result<CommandRun> run = sandbox_->run(resume_, limit_ms);
  if (!run) return run;
  if (!watch_) {
    attempt.events = read_file(events).value_or("");
  } else if (Status ok = see_effects(state, attempt); !ok) {
    return tl::unexpected(ok.error());
  }
  return run;
}

Status StateJudge::see_effects(const StateView& state, Attempt& attempt) {
  Result<Trace> trace = watch_->end();
  if (!trace) return tl::unexpected(trace.error());
  announce_effects(find_effects(*trace, grounds_.options.effects, sink_memory(state)), *trace);
  if (trace->full() != 0) attempt.unseen = "it did more than can be watched";
  for (const Operation& record : trace->records()) {
    attempt.events += record.events;
    const bool harmless = record.kind != Kind::kUnsupported ||
                          static_cast<Unsupported>(record.mode) == Unsupported::kIoUring;
    if (!harmless && attempt.unseen.empty()) attempt.unseen = explain_unsupported(record);
  }
  return {};
}

void StateJudge::judge_effects(const StateView& state, Attempt& attempt) const {
  if (!selected(Judge::kExactlyOnce)) return;
  if (!attempt.unseen.empty()) {
    attempt.complaints.push_back(
        {Judge::kExactlyOnce, Verdict::kNotMeasured, "",
         fmt::format("the effects of the run after a crash are not known: {}", attempt.unseen)});
    return;
  }
  const FoundEffects& found = state.effects != nullptr ? *state.effects : grounds_.effects;
  const std::string before = without_lost_files(state.events, found, state.record, *state.tree);
  std::vector<Complaint> faults =
      find_effect_faults({grounds_.history.events(), before, attempt.events},
                         grounds_.options.occurrence, grounds_.selection.habitual);
  std::move(faults.begin(), faults.end(), std::back_inserter(attempt.complaints));
}

/// True if FOUND has that file as another run has finished it. That run may have met a failing
/// call: what has another size may be half of it.
bool StateJudge::is_other_end(const std::string& path, const StateView& state,
                              const FileSystem& found) const {
  if (state.finished == nullptr || !is_same(path, *state.finished, found)) return false;
  const FileSystem& expected = grounds_.history.final_tree();
  return expected.content(expected.find(path)).size() == found.content(found.find(path)).size();
}

/// The differences between what a run on STATE has left, FOUND, and what an undisturbed run leaves,
/// but for those that mean nothing.
std::vector<Difference> StateJudge::differences_after(const StateView& state,
                                                      const FileSystem& found) const {
  std::vector<Difference> differences =
      find_differences(grounds_.history.final_tree(), found, grounds_.options.ignore);
  std::erase_if(differences, [&](const Difference& difference) {
    if (difference.kind == Difference::Kind::kExtra) {
      return forgives_temporary() && grounds_.history.temporary().contains(difference.path);
    }
    if (difference.kind != Difference::Kind::kContent ||
        !grounds_.selection.varying.contains(difference.path)) {
      return false;
    }
    const bool rewritten = !is_same(difference.path, *state.tree, found);
    // What the run that crashed had come to may be as good.
    const bool finished =
        state.history != nullptr && is_same(difference.path, state.history->final_tree(), found);
    return rewritten || finished || is_other_end(difference.path, state, found);
  });
  return differences;
}

void StateJudge::compare_resumed(const StateView& state, const FileSystem& found,
                                 Attempt& attempt) const {
  std::vector<Difference> differences = differences_after(state, found);
  const auto is_content = [](const Difference& difference) {
    return difference.kind == Difference::Kind::kContent;
  };
  // Where one file has another layout, others may point into it.
  const auto moved =
      std::find_if(differences.begin(), differences.end(), [&](const Difference& difference) {
        return is_content(difference) && forgives_layout() &&
               grounds_.history.is_updated_in_place(difference.path);
      });
  if (moved != differences.end() && selected(Judge::kResume)) {
    attempt.complaints.push_back(
        {Judge::kResume, Verdict::kNotMeasured, moved->path,
         fmt::format("running it again leaves other bytes in {}, which is updated in place: "
                     "whether they are as good, only a checker can tell",
                     moved->path)});
    std::erase_if(differences, is_content);
  }
  const auto others_end = std::stable_partition(
      differences.begin(), differences.end(),
      [](const Difference& each) { return each.kind != Difference::Kind::kExtra; });
  const std::vector<Difference> others(differences.begin(), others_end);
  const std::vector<Difference> leftovers(others_end, differences.end());
  attempt.clean = differences.empty();
  if (!others.empty() && selected(Judge::kResume)) {
    attempt.complaints.push_back(
        {Judge::kResume, Verdict::kViolated, others.front().path,
         fmt::format("running it again does not lead to the result of an undisturbed run:\n{}",
                     describe(others))});
  }
  if (!leftovers.empty() && selected(Judge::kNoLeftovers)) {
    attempt.complaints.push_back(
        {Judge::kNoLeftovers, Verdict::kViolated, leftovers.front().path,
         fmt::format("running it again leaves what an undisturbed run does not:\n{}",
                     describe(leftovers))});
  }
  attempt.changes = std::move(differences);
}

/// Brings state and EVERYCRASH_* files to where commands find them.
Status StateJudge::put(const StateView& state) {
  if (sink_ != nullptr) sink_->become(sink_memory(state));
  Status done = disk_.become(*state.tree);
  if (done) done = stdout_.hold(state.printed);
  if (!done) return done;
  std::string lines;
  if (state.events == events_) {
    lines = effects_.text();
  } else {
    lines = effect_lines(state.events);
    events_ = state.events;
  }
  return effects_.hold(lines);
}

Command StateJudge::prepared(const Command& given) const {
  Command command = given;
  const auto set = [&command](std::string_view name, const std::filesystem::path& value) {
    set_variable(command.environment, name, value.string());
  };
  set("EVERYCRASH_DIR", sandbox_->directory());
  set("EVERYCRASH_STDOUT", sandbox_->files() / "stdout");
  set("EVERYCRASH_EFFECTS", sandbox_->files() / "effects");
  set("PWD", sandbox_->directory());
  if (const std::optional<SinkOptions>& sink = grounds_.options.effects.sink) {
    set_variable(command.environment, "EVERYCRASH_SINK",
                 fmt::format("http://127.0.0.1:{}", sink->port));
  }
  return command;
}

/// OUTPUT as it goes into a message: bounded, with the paths that the user knows.
std::string StateJudge::tidy(const std::string& output) const {
  constexpr size_t kBytes = 2000;
  std::string text = output.substr(0, kBytes);
  if (text.size() < output.size()) text += "\n...";
  while (!text.empty() && (text.back() == '\n' || text.back() == ' ')) text.pop_back();
  replace_all(text, sandbox_->directory().string(), sandbox_->recorded().string());
  replace_all(text, sandbox_->files().string(), "$EVERYCRASH_FILES");
  return text;
}

std::string StateJudge::message(std::string_view who, const CommandRun& run) const {
  std::string text = fmt::format("{}: {}", who, describe(run.ending));
  if (run.left_processes) text += "; it left processes behind, which were killed";
  const std::string said = tidy(run.output);
  if (!said.empty()) text.append("\n").append(said);
  if (run.output.find("Read-only file system") != std::string::npos) {
    text += "\n(only the state directory and /tmp can be written to; what is outside is protected)";
  }
  return text;
}

namespace {

/// What to do about a PROGRAM that could not be started.
std::string start_advice(int problem, const std::string& program) {
  std::error_code error;
  const bool exists = std::filesystem::exists(program, error);
  if (problem == EACCES && exists && !std::filesystem::is_directory(program, error))
    return fmt::format("\nMake it a program: chmod +x {}", program);
  if (problem == ENOENT && exists)
    return "\nIts first line, #!, names an interpreter that is not there.";
  if (problem == ENOEXEC) return "\nA script begins with a line such as #!/bin/sh.";
  return "";
}

}  // namespace

/// What the way a command ended says about the state, if anything.
std::optional<Complaint> StateJudge::complain(Judge judge, std::string_view who,
                                              const Command& command, const CommandRun& run) const {
  Complaint complaint{judge, Verdict::kViolated, "", message(who, run)};
  if (run.ending.succeeded()) {
    if (judge != Judge::kChecker || !run.left_processes) return std::nullopt;
    complaint.verdict = Verdict::kNotMeasured;  // what it left may have been the check itself
  } else if (run.ending.how == Ending::How::kNotStarted) {
    complaint.verdict = Verdict::kHarnessBroken;
    const std::string& program = command.argv.front();
    complaint.message =
        fmt::format("{} cannot be started: {}: {}{}", who, program, strerror(run.ending.value),
                    start_advice(run.ending.value, program));
  } else if (run.ending.how == Ending::How::kTimedOut) {
    complaint.timed_out = true;
    complaint.message =
        fmt::format("{} does not end: it was killed after {} s{}", who, run.ending.value / 1000,
                    undisturbed_ ? "" : "; on an undisturbed state it ends");
    if (!run.output.empty()) complaint.message.append("\n").append(tidy(run.output));
  } else if (judge == Judge::kChecker && run.ending.how == Ending::How::kExited &&
             run.ending.value == kCannotJudge) {
    complaint.verdict = Verdict::kNotMeasured;
  }
  return complaint;
}

}  // namespace everycrash
