#include "scenarios/common/restart.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/wait.h>

#include <optional>

#include "scenarios/common/child_process.h"

namespace scenarios {
namespace {

/// The job and its children all inherit the event file under this number.
constexpr int kEventDescriptor = 50;

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

}  // namespace

Expected<FileDescriptor> make_event_file() {
  FileDescriptor events(memfd_create("events", MFD_CLOEXEC));
  if (!events.valid()) return call_failed("prepare the restart");
  return events;
}

Outcome restart_job(const std::string& program, const std::vector<std::string>& arguments,
                    int limit_s, const FileDescriptor& events) {
  const FileDescriptor errors(memfd_create("errors", MFD_CLOEXEC));
  const FileDescriptor nowhere(open("/dev/null", O_WRONLY | O_CLOEXEC));
  if (!errors.valid() || !nowhere.valid()) return call_failed("prepare the restart");
  std::vector<std::string> command = {program, "run"};
  command.insert(command.end(), arguments.begin(), arguments.end());
  auto job = ChildProcess::start(
      {.arguments = std::move(command),
       .environment = {{"EVERYCRASH_EVENTS", "/proc/self/fd/" + std::to_string(kEventDescriptor)}},
       .descriptors = {{nowhere.get(), 1}, {errors.get(), 2}, {events.get(), kEventDescriptor}}});
  if (!job) return tl::unexpected(job.error());
  return check_exit(job->wait(limit_s * 1000), errors.get(), limit_s);
}

}  // namespace scenarios
