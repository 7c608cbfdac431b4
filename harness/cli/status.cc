#include "harness/cli/status.h"

#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <cerrno>
#include <mutex>
#include <thread>

#include "reports/text.h"

namespace everycrash::cli {
namespace {

using reports::counted;
using reports::grouped;

constexpr auto kPlainLineEvery = std::chrono::seconds(10);
constexpr double kRateAfterSeconds = 0.5;  // a rate over less says nothing

struct Phase {
  std::string what = "starting";
  bool counts = false;
  uint64_t total = 0, done = 0, violated = 0;
  std::optional<StatusClock::time_point> deadline;
  StatusClock::time_point began = StatusClock::now();
};

/// Never destroyed, since the thread that answers outlives main().
struct Shared {
  std::mutex mutex;
  Phase phase;
  StatusClock::time_point next_plain_line = StatusClock::now() + kPlainLineEvery;
};

Shared& shared() {
  static Shared* const only = new Shared;
  return *only;
}

int request = -1;  // eventfd

void on_request(int) {
  const int saved = errno;
  const uint64_t one = 1;
  static_cast<void>(write(request, &one, sizeof one) == sizeof one);
  errno = saved;
}

std::string duration_text(double seconds) {
  if (seconds < 90) return fmt::format("{:.0f} s", seconds);
  if (seconds < 90 * 60) return fmt::format("{:.0f} min", seconds / 60);
  return fmt::format("{:.1f} h", seconds / 3600);
}

double seconds_between(StatusClock::time_point from, StatusClock::time_point to) {
  return std::chrono::duration<double>(to - from).count();
}

/// "1,200 states/s, about 3 s left", or as much as is known.
std::string pace_text(const Phase& phase, StatusClock::time_point now) {
  const double elapsed = seconds_between(phase.began, now);
  if (elapsed < kRateAfterSeconds || phase.done == 0) return "";
  const double rate = static_cast<double>(phase.done) / elapsed;
  std::string text = rate < 10 ? fmt::format("{:.1f} states/s", rate)
                               : fmt::format("{} states/s", grouped(static_cast<uint64_t>(rate)));
  std::optional<double> left;
  if (phase.total > phase.done) left = static_cast<double>(phase.total - phase.done) / rate;
  if (phase.deadline) {
    const double allowed = std::max(0.0, seconds_between(now, *phase.deadline));
    left = left ? std::min(*left, allowed) : allowed;
  }
  if (left) text += fmt::format(", about {} left", duration_text(*left));
  return text;
}

std::string text_of(const Phase& phase, StatusClock::time_point now) {
  if (!phase.counts) {
    return fmt::format("{}, for {}", phase.what, duration_text(seconds_between(phase.began, now)));
  }
  std::string text = fmt::format(
      "{}: {}", phase.what,
      phase.total > 0 ? fmt::format("{} of {}", grouped(phase.done), counted(phase.total, "state"))
                      : counted(phase.done, "state"));
  if (phase.violated > 0) text += fmt::format(", {} violated", grouped(phase.violated));
  const std::string pace = pace_text(phase, now);
  return pace.empty() ? text : text + ", " + pace;
}

void answer_for_ever() {
  while (true) {
    pollfd wait{request, POLLIN, 0};
    if (poll(&wait, 1, -1) < 0) continue;
    uint64_t count = 0;
    if (read(request, &count, sizeof count) != sizeof count) continue;
    const std::string line = fmt::format("\neverycrash: {}\n", status_text());
    static_cast<void>(write(STDERR_FILENO, line.data(), line.size()) < 0);
  }
}

}  // namespace

void begin_phase(std::string what) {
  const std::lock_guard guard(shared().mutex);
  shared().phase = {.what = std::move(what)};
}

void begin_states(const std::string& what, uint64_t total,
                  std::optional<StatusClock::time_point> deadline) {
  const std::lock_guard guard(shared().mutex);
  Phase& phase = shared().phase;
  if (phase.counts && phase.what == what) return;
  phase = {.what = what, .counts = true, .total = total, .deadline = deadline};
}

void tell_progress(reports::Terminal& terminal, uint64_t done, uint64_t violated) {
  const auto now = StatusClock::now();
  Phase phase;
  bool plain = false;
  {
    const std::lock_guard guard(shared().mutex);
    shared().phase.done = done;
    shared().phase.violated = violated;
    phase = shared().phase;
    plain = !terminal.is_terminal() && now >= shared().next_plain_line;
    if (plain) shared().next_plain_line = now + kPlainLineEvery;
  }
  if (plain) terminal.print(fmt::format("everycrash: {}\n", text_of(phase, now)));
  if (!terminal.is_terminal()) return;
  std::string note = phase.violated > 0 ? fmt::format("{} violated", phase.violated) : "";
  if (const std::string pace = pace_text(phase, now); !pace.empty())
    note += (note.empty() ? "" : ", ") + pace;
  terminal.progress(reports::progress_text(done, phase.total, phase.what + " states", note));
}

std::string status_text(StatusClock::time_point now) {
  const std::lock_guard guard(shared().mutex);
  return text_of(shared().phase, now);
}

void answer_status_requests() {
  request = eventfd(0, EFD_CLOEXEC);
  if (request < 0) return;
  shared();
  std::thread(answer_for_ever).detach();
  struct sigaction action {};
  action.sa_handler = on_request;
  action.sa_flags = SA_RESTART;
  sigaction(SIGUSR1, &action, nullptr);
}

}  // namespace everycrash::cli
