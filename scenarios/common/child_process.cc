#include "scenarios/common/child_process.h"

#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "scenarios/common/file_io.h"

namespace scenarios {
namespace {

std::vector<char*> pointers(std::vector<std::string>& texts) {
  std::vector<char*> result;
  for (std::string& text : texts) result.push_back(text.data());
  result.push_back(nullptr);
  return result;
}

std::vector<std::string> merged_environment(const ChildOptions& options) {
  std::vector<std::string> merged;
  for (char** entry = environ; *entry != nullptr; ++entry) {
    const std::string_view text = *entry;
    bool replaced = false;
    for (const auto& [name, value] : options.environment) {
      replaced = replaced || text.starts_with(name + "=");
    }
    if (!replaced) merged.emplace_back(text);
  }
  for (const auto& [name, value] : options.environment) merged.push_back(name + "=" + value);
  return merged;
}

}  // namespace

Expected<ChildProcess> ChildProcess::start(const ChildOptions& options) {
  std::vector<std::string> arguments = options.arguments;
  std::vector<std::string> environment = merged_environment(options);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  for (const auto& [ours, childs] : options.descriptors) {
    posix_spawn_file_actions_adddup2(&actions, ours, childs);
  }
  pid_t pid = -1;
  errno = posix_spawn(&pid, arguments[0].c_str(), &actions, nullptr, pointers(arguments).data(),
                      pointers(environment).data());
  posix_spawn_file_actions_destroy(&actions);
  if (errno != 0) return call_failed("start " + arguments[0]);
  return ChildProcess(pid);
}

ChildProcess& ChildProcess::operator=(ChildProcess&& other) noexcept {
  if (this != &other) {
    stop();
    pid_ = std::exchange(other.pid_, -1);
  }
  return *this;
}

ChildProcess::~ChildProcess() {
  stop();
}

void ChildProcess::stop() {
  if (pid_ < 0) return;
  kill(pid_, SIGKILL);
  while (waitpid(pid_, nullptr, 0) < 0 && errno == EINTR) {
  }
  pid_ = -1;
}

std::optional<int> ChildProcess::wait(int limit_ms) {
  const FileDescriptor pidfd(static_cast<int>(syscall(SYS_pidfd_open, pid_, 0)));
  pollfd ended{pidfd.get(), POLLIN, 0};
  // Without pidfd_open (Linux before 5.3) there is no limit.
  if (pidfd.valid() && poll(&ended, 1, limit_ms) == 0) return std::nullopt;
  int status = 0;
  while (waitpid(pid_, &status, 0) < 0) {
    if (errno != EINTR) return std::nullopt;
  }
  pid_ = -1;
  return status;
}

std::string own_program() {
  char path[4096];
  const ssize_t length = readlink("/proc/self/exe", path, sizeof path);
  return length > 0 ? std::string(path, static_cast<size_t>(length)) : "";
}

}  // namespace scenarios
