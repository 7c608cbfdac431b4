#include "harness/record/child_process.h"

#include <boost/process.hpp>
#include <boost/process/extend.hpp>
#include <fcntl.h>
#include <fmt/format.h>
#include <linux/close_range.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <utility>

namespace everycrash {

namespace {

namespace process = boost::process;

// Runs in the child between fork and exec. Descriptors first move out of the way of 0 to 3.
void set_up_child(int output, int error, int extra) {
  setpgid(0, 0);
  prctl(PR_SET_PDEATHSIG, SIGTERM);
  constexpr int kFirstFree = 10;
  const int nothing = open("/dev/null", O_RDWR);
  const int wanted[] = {nothing, output < 0 ? nothing : output, error < 0 ? nothing : error, extra};
  int moved[4];
  for (int i = 0; i < 4; ++i) {
    moved[i] = wanted[i] < 0 ? -1 : fcntl(wanted[i], F_DUPFD, kFirstFree);
  }
  unsigned first_closed = 3;
  for (int i = 0; i < 4; ++i) {
    if (moved[i] < 0) continue;
    dup2(moved[i], i);
    first_closed = static_cast<unsigned>(i) + 1;
  }
  // Marked, not closed: Boost still needs its own to report that exec failed. An old container may
  // not know the call.
  if (close_range(first_closed, ~0U, CLOSE_RANGE_CLOEXEC) == 0) return;
  constexpr int kUsual = 1024;
  for (int i = static_cast<int>(first_closed); i < kUsual; ++i) fcntl(i, F_SETFD, FD_CLOEXEC);
}

process::environment environment_of(const ChildOptions& options) {
  process::environment environment = boost::this_process::environment();
  for (const std::string& name : options.unset) environment.erase(name);
  for (const auto& [name, value] : options.environment) environment[name] = value;
  return environment;
}

}  // namespace

std::string describe(const ProcessEnd& end) {
  if (const auto* exited = std::get_if<Exited>(&end)) {
    return fmt::format("exit status {}", exited->code);
  }
  if (const auto* signaled = std::get_if<Signaled>(&end)) {
    const char* name = sigabbrev_np(signaled->signal);
    return name != nullptr ? fmt::format("killed by SIG{}", name)
                           : fmt::format("killed by signal {}", signaled->signal);
  }
  return "ran out of time";
}

struct ChildProcess::State {
  process::child child;
  int descriptor = -1;
  bool reaped = false;

  void reap() {
    // Not wait_for, which may sleep out its whole limit; not exit_code(), which is 9 both for
    // "exit 9" and for SIGKILL.
    child.wait();
    reaped = true;
  }
};

Result<ChildProcess> ChildProcess::start(const ChildOptions& options) {
  EVERYCRASH_ASSERT(!options.command.empty());
  const std::vector<std::string> arguments(options.command.begin() + 1, options.command.end());
  auto state = std::make_unique<State>();
  try {
    auto set_up = process::extend::on_exec_setup([&options](auto& /*executor*/) {
      set_up_child(options.standard_output, options.standard_error, options.extra);
    });
    state->child = process::child(process::exe = options.command[0], process::args = arguments,
                                  process::start_dir = options.working_directory.string(),
                                  environment_of(options), set_up);
  } catch (const process::process_error& error) {
    // Boost leaves the child of a failed exec unreaped, and does not say its id: it is the one that
    // has ended and that nobody waits for.
    return harness_error(
        fmt::format("cannot start {}: {}", options.command[0], error.code().message()));
  }
  state->descriptor = static_cast<int>(syscall(SYS_pidfd_open, state->child.id(), 0));
  if (state->descriptor < 0) {
    const int reason = errno;
    kill(state->child.id(), SIGKILL);
    state->reap();
    return system_error("pidfd_open", reason);
  }
  fcntl(state->descriptor, F_SETFD, FD_CLOEXEC);
  return ChildProcess(std::move(state));
}

ChildProcess::ChildProcess(std::unique_ptr<State> state) : state_(std::move(state)) {}
ChildProcess::ChildProcess(ChildProcess&&) noexcept = default;

ChildProcess::~ChildProcess() {
  if (state_ == nullptr) return;
  if (!state_->reaped) {
    signal(SIGKILL);
    state_->reap();
  }
  if (state_->descriptor >= 0) close(state_->descriptor);
}

int ChildProcess::process() const {
  return state_->child.id();
}

int ChildProcess::descriptor() const {
  return state_->descriptor;
}

ProcessEnd ChildProcess::wait(std::chrono::milliseconds limit) {
  const auto deadline = std::chrono::steady_clock::now() + limit;
  while (!state_->reaped) {
    const auto left =
        std::chrono::ceil<std::chrono::milliseconds>(deadline - std::chrono::steady_clock::now());
    pollfd ended = {state_->descriptor, POLLIN, 0};
    const int ready = poll(&ended, 1, static_cast<int>(std::max<int64_t>(left.count(), 0)));
    if (ready > 0) state_->reap();
    if (ready == 0) return TimedOut{};
  }
  const int status = state_->child.native_exit_code();
  if (WIFSIGNALED(status)) return Signaled{WTERMSIG(status)};
  return Exited{WEXITSTATUS(status)};
}

void ChildProcess::signal(int number) const {
  if (!state_->reaped) kill(state_->child.id(), number);
}

}  // namespace everycrash
