// everycrash_contain: stands between everycrash and a workload, so that nothing the workload starts
// outlives it, however it or everycrash itself ends. It becomes the parent of every orphan below it
// (PR_SET_CHILD_SUBREAPER), and ends by killing whatever is left.
//
//   everycrash_contain GRACE_MS COMMAND [ARG...]
//
// Descriptor 3 gets lines: "failed ERRNO" (the command could not be started), "exited CODE",
// "signaled SIGNAL" (of the command itself), "leftover N" (processes that outlived the command by
// more than GRACE_MS and were killed), and in the end "done". Signals to this process: SIGUSR1
// passes SIGTERM on to the command's group, SIGTERM kills everything at once.
//
// LD_PRELOAD is set to $EVERYCRASH_PRELOAD, and $EVERYCRASH_FAULTS_PRELOAD if there are
// $EVERYCRASH_FAULTS, for the command alone: this process is not recorded.

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <string>
#include <vector>

namespace {

constexpr int kReport = 3;
constexpr int kStartFailed = 127;

void report(const std::string& line) {
  const std::string text = line + "\n";
  if (write(kReport, text.data(), text.size()) < 0) _exit(kStartFailed);
}

int64_t now_ms() {
  timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec * 1000 + now.tv_nsec / 1'000'000;
}

sigset_t watched_signals() {
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGCHLD);
  sigaddset(&set, SIGTERM);
  sigaddset(&set, SIGUSR1);
  return set;
}

[[noreturn]] void become_command(char** command, int failure_pipe) {
  setpgid(0, 0);
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  const char* library = getenv("EVERYCRASH_PRELOAD");
  if (library != nullptr) {
    const char* others = getenv("LD_PRELOAD");
    std::string list = library;
    const char* faults = getenv("EVERYCRASH_FAULTS_PRELOAD");
    if (faults != nullptr && getenv("EVERYCRASH_FAULTS") != nullptr) {
      list += std::string(":") + faults;
    }
    if (others != nullptr && *others != 0) list += std::string(":") + others;
    setenv("LD_PRELOAD", list.c_str(), 1);
  }
  const sigset_t watched = watched_signals();
  sigprocmask(SIG_UNBLOCK, &watched, nullptr);
  close(kReport);
  execvp(command[0], command);
  const int reason = errno;
  if (write(failure_pipe, &reason, sizeof reason) < 0) _exit(kStartFailed);
  _exit(kStartFailed);
}

// The direct children, by asking every process who its parent is.
std::vector<int> children() {
  std::vector<int> found;
  const std::string path = "/proc/self/task/" + std::to_string(getpid()) + "/children";
  FILE* file = fopen(path.c_str(), "re");
  if (file == nullptr) return found;
  int child = 0;
  while (fscanf(file, "%d", &child) == 1) found.push_back(child);
  fclose(file);
  return found;
}

// Kills generation after generation: the children of the killed become ours. Returns how many.
int kill_all(int group) {
  int killed = 0;
  kill(-group, SIGKILL);
  for (;;) {
    for (const int child : children()) kill(child, SIGKILL);
    int status = 0;
    const pid_t ended = waitpid(-1, &status, 0);
    if (ended < 0 && errno == ECHILD) return killed;
    if (ended > 0) ++killed;
  }
}

struct Watch {
  pid_t command;
  int64_t grace_ms;
  int64_t deadline_ms = -1;  // once the command has ended

  // Reaps what has ended. True once nothing is left.
  bool reap() {
    for (;;) {
      int status = 0;
      const pid_t ended = waitpid(-1, &status, WNOHANG);
      if (ended < 0) return errno == ECHILD;
      if (ended == 0) return false;
      if (ended != command) continue;
      report(WIFSIGNALED(status) ? "signaled " + std::to_string(WTERMSIG(status))
                                 : "exited " + std::to_string(WEXITSTATUS(status)));
      deadline_ms = now_ms() + grace_ms;
    }
  }
};

void watch(Watch state) {
  const sigset_t watched = watched_signals();
  while (!state.reap()) {
    const int64_t left = state.deadline_ms < 0 ? 60'000 : state.deadline_ms - now_ms();
    if (left <= 0) {
      report("leftover " + std::to_string(kill_all(state.command)));
      return;
    }
    const timespec limit = {left / 1000, left % 1000 * 1'000'000};
    const int signal = sigtimedwait(&watched, nullptr, &limit);
    if (signal == SIGUSR1) kill(-state.command, SIGTERM);
    if (signal == SIGTERM) {
      kill_all(state.command);
      return;
    }
  }
}

}  // namespace

int main(int argument_count, char** arguments) {
  if (argument_count < 3) return 2;
  const sigset_t watched = watched_signals();
  sigprocmask(SIG_BLOCK, &watched, nullptr);
  prctl(PR_SET_CHILD_SUBREAPER, 1);
  int failure[2];
  if (pipe2(failure, O_CLOEXEC) != 0) return 2;
  const pid_t command = fork();
  if (command < 0) return 2;
  if (command == 0) become_command(arguments + 2, failure[1]);
  setpgid(command, command);
  close(failure[1]);
  int reason = 0;
  if (read(failure[0], &reason, sizeof reason) == sizeof reason) {
    report("failed " + std::to_string(reason));
    waitpid(command, nullptr, 0);
    return 0;
  }
  watch({command, atoll(arguments[1])});
  report("done");
  return 0;
}
