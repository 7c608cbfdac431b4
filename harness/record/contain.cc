// everycrash_contain: stands between everycrash and a workload, so that nothing the workload starts
// outlives it, however it or everycrash itself ends. It becomes the parent of every orphan below it
// (PR_SET_CHILD_SUBREAPER), and ends by killing whatever is left.
//
//   everycrash_contain GRACE_MS [--place FROM TO] [--own-temporary FOLDER]... [--own-network]
//     COMMAND [ARG...]
//
// --place: the command finds the folder FROM at the path TO, which exists, and starts there;
// --own-temporary, behind --place: what it writes to FOLDER is gone with it, where this kernel
// allows it; --own-network: it has a loopback device and nothing else. Both by namespaces of its
// own.
//
// Descriptor 3 gets lines: "refused ERRNO" (no namespaces here; nothing was started), "failed
// ERRNO" (the command could not be started), "exited CODE",
// "signaled SIGNAL" (of the command itself), "leftover N" (processes that outlived the command by
// more than GRACE_MS and were killed), and in the end "done". Signals to this process: SIGUSR1
// passes SIGTERM on to the command's group, SIGTERM kills everything at once.
//
// LD_PRELOAD is set to $EVERYCRASH_PRELOAD, and $EVERYCRASH_FAULTS_PRELOAD if there are
// $EVERYCRASH_FAULTS, for the command alone: this process is not recorded.

#include <fcntl.h>
#include <net/if.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
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

struct Surroundings {
  const char* from = nullptr;
  const char* to = nullptr;
  std::vector<const char*> temporary;
  bool own_network = false;
  char** command = nullptr;
};

Surroundings parse(char** arguments) {
  Surroundings result;
  char** at = arguments;
  if (*at != nullptr && strcmp(*at, "--place") == 0 && at[1] != nullptr && at[2] != nullptr) {
    result.from = at[1];
    result.to = at[2];
    at += 3;
  }
  while (*at != nullptr && strcmp(*at, "--own-temporary") == 0 && at[1] != nullptr) {
    result.temporary.push_back(at[1]);
    at += 2;
  }
  if (*at != nullptr && strcmp(*at, "--own-network") == 0) {
    result.own_network = true;
    ++at;
  }
  result.command = at;
  return result;
}

bool write_file(const char* path, const std::string& text) {
  const int file = open(path, O_WRONLY | O_CLOEXEC);
  if (file < 0) return false;
  const bool whole = write(file, text.data(), text.size()) == static_cast<ssize_t>(text.size());
  close(file);
  return whole;
}

// Without rights, in a user namespace in which everybody stays who they are.
bool unshare_somehow(int kinds) {
  if (unshare(kinds) == 0) return true;
  const std::string user = std::to_string(geteuid());
  const std::string group = std::to_string(getegid());
  return unshare(kinds | CLONE_NEWUSER) == 0 &&
         write_file("/proc/self/uid_map", user + " " + user + " 1") &&
         write_file("/proc/self/setgroups", "deny") &&
         write_file("/proc/self/gid_map", group + " " + group + " 1");
}

bool start_loopback() {
  const int any = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
  ifreq request = {};
  strcpy(request.ifr_name, "lo");
  request.ifr_flags = IFF_UP | IFF_RUNNING;
  const bool up = any >= 0 && ioctl(any, SIOCSIFFLAGS, &request) == 0;
  if (any >= 0) close(any);
  return up;
}

// A layer over FOLDER that takes what is written there and goes with the namespace. It is kept on a
// tmpfs, which lies below it at the same place.
void put_layer_over(const char* folder) {
  struct stat before = {};
  const int lower = open(folder, O_PATH | O_DIRECTORY | O_CLOEXEC);
  if (lower < 0 || fstat(lower, &before) != 0) return;
  if (mount("everycrash", folder, "tmpfs", MS_NOSUID | MS_NODEV, "mode=0755,size=2g") == 0) {
    const std::string base = folder;
    const std::string upper = base + "/upper";
    const std::string work = base + "/work";
    const std::string options = "lowerdir=/proc/self/fd/" + std::to_string(lower) +
                                ",upperdir=" + upper + ",workdir=" + work;
    const bool made = mkdir(upper.c_str(), 0755) == 0 && mkdir(work.c_str(), 0755) == 0 &&
                      chmod(upper.c_str(), before.st_mode & 07777) == 0;
    const auto lay = [&](const std::string& how) {
      return mount("everycrash", folder, "overlay", MS_NOSUID | MS_NODEV, how.c_str()) == 0;
    };
    // The second is the only form that a user namespace allows.
    if (!made || (!lay(options) && !lay(options + ",userxattr"))) umount2(folder, MNT_DETACH);
  }
  close(lower);
}

// The folder FROM at the place TO. Both may lie in folders that get a layer.
bool put_in_place(const Surroundings& wanted) {
  const int from = open(wanted.from, O_PATH | O_DIRECTORY | O_CLOEXEC);
  if (from < 0 || mount(nullptr, "/", nullptr, MS_REC | MS_PRIVATE, nullptr) != 0) return false;
  for (const char* folder : wanted.temporary) put_layer_over(folder);
  const std::string source = "/proc/self/fd/" + std::to_string(from);
  const bool placed = mount(source.c_str(), wanted.to, nullptr, MS_BIND, nullptr) == 0;
  close(from);
  return placed && chdir(wanted.to) == 0;
}

bool enter(const Surroundings& wanted) {
  const bool placed = wanted.from != nullptr;
  const int kinds = (placed ? CLONE_NEWNS : 0) | (wanted.own_network ? CLONE_NEWNET : 0);
  if (kinds == 0) return true;
  if (!unshare_somehow(kinds)) return false;
  if (wanted.own_network && !start_loopback()) return false;
  return !placed || put_in_place(wanted);
}

}  // namespace

int main(int argument_count, char** arguments) {
  if (argument_count < 3) return 2;
  const Surroundings wanted = parse(arguments + 2);
  if (*wanted.command == nullptr) return 2;
  if (!enter(wanted)) {
    report("refused " + std::to_string(errno));
    return 0;
  }
  const sigset_t watched = watched_signals();
  sigprocmask(SIG_BLOCK, &watched, nullptr);
  prctl(PR_SET_CHILD_SUBREAPER, 1);
  int failure[2];
  if (pipe2(failure, O_CLOEXEC) != 0) return 2;
  const pid_t command = fork();
  if (command < 0) return 2;
  if (command == 0) become_command(wanted.command, failure[1]);
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
