#include "scenarios/state_manager/crash_trial.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>

namespace state_manager {
namespace {

namespace fs = std::filesystem;
using CallInfo = __ptrace_syscall_info;

void require(bool condition, const char* what) {
  if (condition) return;
  std::perror(what);
  std::abort();
}

bool changes_or_sends(const CallInfo& info) {
  switch (info.entry.nr) {
    case SYS_openat:
      return (info.entry.args[2] & (O_CREAT | O_TRUNC)) != 0;
    case SYS_write:
    case SYS_fsync:
    case SYS_mkdirat:
    case SYS_unlinkat:
    case SYS_renameat:
    case SYS_sendto:
    case SYS_recvfrom:
      return true;
    default:
      return false;
  }
}

/// Waits for the receiver too, which goes on for a moment after the job was killed.
void reap_all() {
  while (waitpid(-1, nullptr, 0) > 0 || errno == EINTR) {
  }
}

/// True: killed before that call. False: the job ended first.
bool kill_at_call(pid_t pid, int call) {
  int status = 0;
  require(waitpid(pid, &status, 0) == pid && WIFSTOPPED(status), "wait for the traced job");
  require(ptrace(PTRACE_SETOPTIONS, pid, 0, PTRACE_O_TRACESYSGOOD | PTRACE_O_EXITKILL) == 0,
          "trace the job");
  int seen = 0;
  long signal_to_pass = 0;
  while (true) {
    require(ptrace(PTRACE_SYSCALL, pid, 0, signal_to_pass) == 0, "continue the job");
    require(waitpid(pid, &status, 0) == pid, "wait for the job");
    if (WIFEXITED(status) || WIFSIGNALED(status)) return false;
    const bool at_call = WSTOPSIG(status) == (SIGTRAP | 0x80);
    signal_to_pass = at_call || WSTOPSIG(status) == SIGTRAP ? 0 : WSTOPSIG(status);
    if (!at_call) continue;
    CallInfo info{};
    require(ptrace(PTRACE_GET_SYSCALL_INFO, pid, sizeof info, &info) > 0, "look at the call");
    if (info.op != PTRACE_SYSCALL_INFO_ENTRY || !changes_or_sends(info)) continue;
    if (++seen == call) break;
  }
  kill(pid, SIGKILL);
  require(waitpid(pid, &status, 0) == pid, "wait for the killed job");
  return true;
}

}  // namespace

CrashTrial::CrashTrial() {
  const char* const base = access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp";
  std::string pattern = std::string(base) + "/state_manager.XXXXXX";
  require(mkdtemp(pattern.data()) != nullptr, "make a temporary directory");
  directory_ = pattern;
  state_directory_ = directory_ + "/state";
  // Orphaned receivers become ours, so that we can wait for them.
  require(prctl(PR_SET_CHILD_SUBREAPER, 1) == 0, "become a subreaper");
  clear();
}

CrashTrial::~CrashTrial() {
  fs::remove_all(directory_);
}

void CrashTrial::clear() {
  fs::remove_all(state_directory_);
  fs::create_directory(state_directory_);
  write_file(printed_file(), "");
  write_file(effects_file(), "");
}

void CrashTrial::write_file(const std::string& path, const std::string& content) const {
  std::ofstream(path, std::ios::trunc) << content;
}

std::string CrashTrial::read_file(const std::string& path) const {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

int CrashTrial::start(const std::vector<std::string>& arguments, bool traced) const {
  std::vector<std::string> texts = {STATE_MANAGER_PROGRAM};
  texts.insert(texts.end(), arguments.begin(), arguments.end());
  std::vector<char*> argv;
  for (std::string& text : texts) argv.push_back(text.data());
  argv.push_back(nullptr);
  const pid_t pid = fork();
  require(pid >= 0, "fork");
  if (pid > 0) return pid;

  const bool is_check = arguments[0] == "check";
  const std::string output = is_check ? directory_ + "/verdict" : printed_file();
  const int fd = open(output.c_str(), O_WRONLY | O_CREAT | (is_check ? O_TRUNC : O_APPEND), 0644);
  setenv("EVERYCRASH_STDOUT", printed_file().c_str(), 1);
  setenv("EVERYCRASH_EFFECTS", effects_file().c_str(), 1);
  setenv("EVERYCRASH_EVENTS", effects_file().c_str(), 1);
  require(fd >= 0 && dup2(fd, STDOUT_FILENO) >= 0 && chdir(state_directory_.c_str()) == 0,
          "prepare the job");
  if (traced) require(ptrace(PTRACE_TRACEME, 0, 0, 0) == 0, "be traced");
  execv(argv[0], argv.data());
  require(false, argv[0]);
  return -1;
}

int CrashTrial::run(const std::vector<std::string>& arguments) const {
  const pid_t pid = start(arguments, false);
  int status = 0;
  require(waitpid(pid, &status, 0) == pid, "wait for the job");
  reap_all();
  return status;
}

bool CrashTrial::run_and_kill_at(int call, const std::vector<std::string>& arguments) const {
  const bool killed = kill_at_call(start(arguments, true), call);
  reap_all();
  return killed;
}

bool CrashTrial::run_and_kill_after(int microseconds,
                                    const std::vector<std::string>& arguments) const {
  const pid_t pid = start(arguments, false);
  usleep(static_cast<useconds_t>(microseconds));
  kill(pid, SIGKILL);
  int status = 0;
  require(waitpid(pid, &status, 0) == pid, "wait for the job");
  reap_all();
  return WIFSIGNALED(status);
}

void CrashTrial::run_two(const std::vector<std::string>& arguments) const {
  static_cast<void>(start(arguments, false));
  static_cast<void>(start(arguments, false));
  reap_all();
}

CheckResult CrashTrial::check(const std::vector<std::string>& arguments) const {
  const int status = run(arguments);
  return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, read_file(directory_ + "/verdict")};
}

}  // namespace state_manager
