#include "scenarios/job_ledger/ledger_checker.h"

#include <fcntl.h>

#include <algorithm>

#include "scenarios/common/past_life.h"
#include "scenarios/common/restart.h"
#include "scenarios/job_ledger/ledger_checks.h"
#include "scenarios/job_ledger/publish_lock.h"

namespace scenarios::job_ledger {
namespace {

constexpr int64_t kOneDayS = int64_t{24} * 3600;

Outcome run_next_day(const std::string& program, JobOptions options, const FileDescriptor& events) {
  options.clock_offset_s += kOneDayS;
  return restart_job(program, to_arguments(add_options, options), options.restart_limit_s, events);
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
  const auto events = make_event_file();
  if (!events) return tl::unexpected(events.error());
  const auto run_once = [&](const std::string& blocker) {
    if (const Outcome ran = run_next_day(program, options, *events); !ran) return ran;
    const auto workplace = Workplace::look_at(".");
    if (!workplace) return Outcome(tl::unexpected(workplace.error()));
    return check_lock_is_gone(workplace->locks.get(), blocker).and_then([&] {
      return check_after(expected, events->get());
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
  const Expectation expected{due_days(options.days), effects_are_known() ? &*before : nullptr};

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
