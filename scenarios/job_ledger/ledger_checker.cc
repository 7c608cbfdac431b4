#include "scenarios/job_ledger/ledger_checker.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>

#include "scenarios/common/child_process.h"
#include "scenarios/job_ledger/ledger_checks.h"
#include "scenarios/job_ledger/publish_lock.h"

namespace scenarios::job_ledger {
namespace {

/// The restarted job inherits the event file under this number.
constexpr int kEventDescriptor = 50;
constexpr int64_t kOneDayS = int64_t{24} * 3600;

Outcome check_exit(const std::optional<int>& status, int errors_fd, int limit_s) {
  if (!status) {
    return failed("the restarted job did not end within " + std::to_string(limit_s) + " s");
  }
  if (WIFEXITED(*status) && WEXITSTATUS(*status) == 0) return {};
  const std::string how = WIFEXITED(*status)
                              ? "failed with exit " + std::to_string(WEXITSTATUS(*status))
                              : "died of signal " + std::to_string(WTERMSIG(*status));
  std::string errors = read_all(errors_fd, "standard error").value_or("");
  if (errors.ends_with('\n')) errors.pop_back();
  return failed("the restarted job " + how + ": " + errors);
}

/// Runs the job a day later. Memory files instead of temp files: nothing is written outside the
/// state directory, and nothing is left when this process is killed.
Outcome run_next_day(const std::string& program, JobOptions options, int events_fd) {
  const FileDescriptor errors(memfd_create("errors", MFD_CLOEXEC));
  const FileDescriptor nowhere(open("/dev/null", O_WRONLY | O_CLOEXEC));
  if (!errors.valid() || !nowhere.valid()) return call_failed("prepare the restart");
  options.clock_offset_s += kOneDayS;
  std::vector<std::string> arguments = to_arguments(options);
  arguments.insert(arguments.begin(), {program, "run"});
  auto job = ChildProcess::start(
      {.arguments = std::move(arguments),
       .environment = {{"EVERYCRASH_EVENTS", "/proc/self/fd/" + std::to_string(kEventDescriptor)}},
       .descriptors = {{nowhere.get(), 1}, {errors.get(), 2}, {events_fd, kEventDescriptor}}});
  if (!job) return tl::unexpected(job.error());
  const int limit_s = options.restart_limit_s;
  return check_exit(job->wait(limit_s * 1000), errors.get(), limit_s);
}

Outcome check_lock_is_gone(int locks_fd, const std::string& blocker) {
  const auto holder = read_lock(locks_fd);
  if (!holder) return tl::unexpected(holder.error());
  if (!*holder) return {};
  return failed("locks/publish.lock, a day old and of a runner that is dead, blocks the job" +
                blocker);
}

/// What pids do in the course of time: the one in the lock is now that of another process. Ours
/// stands for it, since nobody can choose the pid of a new process. A pid comes round again only
/// after thousands of others; a trial may be back within one tick of the start times.
Outcome give_pid_to_a_stranger(int locks_fd, RunnerIdentity dead) {
  const auto stranger = own_identity();
  if (!stranger) return tl::unexpected(stranger.error());
  dead.pid = stranger->pid;
  dead.start = std::min(dead.start, stranger->start - 1);
  const FileDescriptor lock(
      openat(locks_fd, kLockName, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644));
  if (!lock.valid()) return call_failed("put the lock back");
  return write_all(lock.get(), to_text(dead), kLockName);
}

Expected<std::string> printed_before_the_crash() {
  const char* const path = std::getenv("EVERYCRASH_STDOUT");
  if (path == nullptr || *path == '\0') return std::string();
  return read_file(AT_FDCWD, path).map([](const auto& text) { return text.value_or(""); });
}

/// What the checks compare with. `before` is null when it is not known what was published.
struct Expectation {
  std::vector<std::string> days;
  const PostCounts* before = nullptr;
};

Outcome check_after(const Expectation& expected, int events_fd) {
  const auto workplace = Workplace::look_at(".");
  const auto events = read_all(events_fd, "events");
  if (!workplace) return tl::unexpected(workplace.error());
  if (!events) return tl::unexpected(events.error());
  return check_finished(*workplace, expected.days)
      .and_then([&] { return check_stages(*workplace, nullptr); })
      .and_then([&] { return check_no_leftovers(*workplace, expected.days); })
      .and_then([&] {
        return expected.before == nullptr
                   ? Outcome()
                   : check_posts(expected.days, *expected.before, count_posts(*events));
      });
}

Outcome run_and_check(const std::string& program, const JobOptions& options,
                      const Expectation& expected, const std::optional<LockHolder>& lock) {
  const FileDescriptor events(memfd_create("events", MFD_CLOEXEC));
  if (!events.valid()) return call_failed("prepare the restart");
  const auto run_once = [&](const std::string& blocker) {
    if (const Outcome ran = run_next_day(program, options, events.get()); !ran) return ran;
    const auto workplace = Workplace::look_at(".");
    if (!workplace) return Outcome(tl::unexpected(workplace.error()));
    return check_lock_is_gone(workplace->locks.get(), blocker).and_then([&] {
      return check_after(expected, events.get());
    });
  };
  if (const Outcome checked = run_once(""); !checked) return checked;
  if (!lock || !lock->identity) return {};
  const auto workplace = Workplace::look_at(".");
  if (!workplace) return tl::unexpected(workplace.error());
  return give_pid_to_a_stranger(workplace->locks.get(), *lock->identity).and_then([&] {
    return run_once(" since a stranger has its pid");
  });
}

}  // namespace

Outcome check_job(const std::string& program, const JobOptions& options) {
  const auto workplace = Workplace::look_at(".");
  const auto printed = printed_before_the_crash();
  const auto before = posts_before_the_crash();
  if (!workplace) return tl::unexpected(workplace.error());
  if (!printed) return tl::unexpected(printed.error());
  if (!before) return tl::unexpected(before.error());
  const bool posts_known = std::getenv("EVERYCRASH_EFFECTS") != nullptr;
  const Expectation expected{due_days(options.days), posts_known ? &*before : nullptr};

  const Outcome sound =
      check_acknowledged(*workplace, *printed)
          .and_then([&] { return check_ledger(*workplace, expected.days, expected.before); })
          .and_then([&] { return check_stages(*workplace, expected.before); });
  if (!sound) return sound;
  std::optional<LockHolder> lock;
  if (workplace->locks.valid()) {
    const auto holder = read_lock(workplace->locks.get());
    if (!holder) return tl::unexpected(holder.error());
    lock = *holder;
  }
  return run_and_check(program, options, expected, lock);
}

}  // namespace scenarios::job_ledger
