#include "scenarios/common/traced_job.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>

#include <cstdio>
#include <cstdlib>

namespace scenarios {
namespace {

using CallInfo = __ptrace_syscall_info;

/// The name of a call that changes or sends something; null for all others.
const char* name_of(unsigned long long number) {
  switch (number) {
    case SYS_openat:
      return "openat";
    case SYS_write:
      return "write";
    case SYS_fsync:
      return "fsync";
    case SYS_mkdirat:
      return "mkdirat";
    case SYS_unlinkat:
      return "unlinkat";
    case SYS_renameat:
      return "renameat";
    case SYS_sendto:
      return "sendto";
    case SYS_recvfrom:
      return "recvfrom";
    default:
      return nullptr;
  }
}

bool changes_something(const CallInfo& info) {
  if (info.op != PTRACE_SYSCALL_INFO_ENTRY || name_of(info.entry.nr) == nullptr) return false;
  return info.entry.nr != SYS_openat || (info.entry.args[2] & (O_CREAT | O_TRUNC)) != 0;
}

}  // namespace

void require(bool condition, const char* what) {
  if (condition) return;
  std::perror(what);
  std::abort();
}

TracedJob::TracedJob(pid_t pid) : pid_(pid) {
  int status = 0;
  require(waitpid(pid, &status, 0) == pid && WIFSTOPPED(status), "wait for the traced job");
  require(ptrace(PTRACE_SETOPTIONS, pid, 0, PTRACE_O_TRACESYSGOOD | PTRACE_O_EXITKILL) == 0,
          "trace the job");
}

bool TracedJob::next() {
  long signal_to_pass = 0;
  while (!ended_) {
    require(ptrace(PTRACE_SYSCALL, pid_, 0, signal_to_pass) == 0, "continue the job");
    require(waitpid(pid_, &status_, 0) == pid_, "wait for the job");
    ended_ = WIFEXITED(status_) || WIFSIGNALED(status_);
    if (ended_) break;
    const bool at_call = WSTOPSIG(status_) == (SIGTRAP | 0x80);
    signal_to_pass = at_call || WSTOPSIG(status_) == SIGTRAP ? 0 : WSTOPSIG(status_);
    if (!at_call) continue;
    CallInfo info{};
    require(ptrace(PTRACE_GET_SYSCALL_INFO, pid_, sizeof info, &info) > 0, "look at the call");
    if (!changes_something(info)) continue;
    number_ = info.entry.nr;
    path_address_ = info.entry.args[1];
    return true;
  }
  return false;
}

bool TracedJob::next(int calls) {
  for (int seen = 0; seen < calls; ++seen) {
    if (!next()) return false;
  }
  return true;
}

void TracedJob::finish() {
  while (next()) {
  }
}

void TracedJob::kill_it() {
  kill(pid_, SIGKILL);
  require(waitpid(pid_, &status_, 0) == pid_, "wait for the killed job");
  ended_ = true;
}

std::string TracedJob::call() const {
  const std::string name = name_of(number_);
  if (!name.ends_with("at")) return name;
  char path[256] = {};
  iovec local{path, sizeof path - 1};
  iovec remote{reinterpret_cast<void*>(path_address_), sizeof path - 1};
  require(process_vm_readv(pid_, &local, 1, &remote, 1, 0) > 0, "read a path of the job");
  return name + " " + path;
}

}  // namespace scenarios
