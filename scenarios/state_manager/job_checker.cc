#include "scenarios/state_manager/job_checker.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/wait.h>

#include <cstdlib>

#include "scenarios/common/child_process.h"
#include "scenarios/common/file_io.h"
#include "scenarios/state_manager/skip_clock.h"
#include "scenarios/state_manager/state_checks.h"
#include "scenarios/state_manager/state_store.h"

namespace scenarios::state_manager {
namespace {

/// The restarted job and its receiver both inherit the event file under this number.
constexpr int kEventDescriptor = 50;

struct Restart {
  int64_t started_at_ms = 0;  ///< by the job's clock
  std::vector<Mail> mails;
};

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

/// Memory files instead of temp files: nothing is written outside the state directory, and nothing
/// is left when this process is killed.
Expected<Restart> restart_job(const std::string& program, const JobOptions& options) {
  const FileDescriptor events(memfd_create("events", MFD_CLOEXEC));
  const FileDescriptor errors(memfd_create("errors", MFD_CLOEXEC));
  const FileDescriptor nowhere(open("/dev/null", O_WRONLY | O_CLOEXEC));
  if (!events.valid() || !errors.valid() || !nowhere.valid()) {
    return call_failed("prepare the restart");
  }
  std::vector<std::string> arguments = to_arguments(options);
  arguments.insert(arguments.begin(), {program, "run"});
  Restart restart;
  restart.started_at_ms = make_clock(options).now_ms();
  auto job = ChildProcess::start(
      {.arguments = std::move(arguments),
       .environment = {{"EVERYCRASH_EVENTS", "/proc/self/fd/" + std::to_string(kEventDescriptor)}},
       .descriptors = {{nowhere.get(), 1}, {errors.get(), 2}, {events.get(), kEventDescriptor}}});
  if (!job) return tl::unexpected(job.error());
  const int limit_s = options.restart_limit_s;
  if (const Outcome ended = check_exit(job->wait(limit_s * 1000), errors.get(), limit_s); !ended) {
    return tl::unexpected(ended.error());
  }
  const auto lines = read_all(events.get(), "events");
  if (!lines) return tl::unexpected(lines.error());
  restart.mails = parse_effects(*lines);
  return restart;
}

Expected<std::string> printed_before_the_crash() {
  const char* const path = std::getenv("EVERYCRASH_STDOUT");
  if (path == nullptr || *path == '\0') return std::string();
  return read_file(AT_FDCWD, path).map([](const auto& text) { return text.value_or(""); });
}

Outcome check_before(int directory_fd, const StateDocument& document, const JobOptions& options,
                     std::string_view printed) {
  if (document.version > 0) {
    if (const Outcome checked = check_consistent(document, options); !checked) return checked;
  }
  return check_acknowledged(document, printed).and_then([&] {
    return check_outputs(directory_fd, document);
  });
}

/// everycrash names the fault that the run before the restart has met, if it has met one.
bool a_call_failed() {
  const char* const fault = std::getenv("EVERYCRASH_FAULT");
  return fault != nullptr && *fault != '\0';
}

Outcome check_after(int directory_fd, const StateDocument& before, const StateDocument& document,
                    const JobOptions& options) {
  const StateDocument* const before_restart = a_call_failed() ? &before : nullptr;
  return check_consistent(document, options)
      .and_then([&] { return check_finished(document, options, before_restart); })
      .and_then([&] { return check_outputs(directory_fd, document); })
      .and_then([&] { return check_no_leftovers(directory_fd, document); });
}

}  // namespace

Outcome check_job(const std::string& program, const JobOptions& options) {
  const auto directory = open_directory(".");
  const auto printed = printed_before_the_crash();
  const auto mails_before = effects_before_the_crash();
  if (!directory) return tl::unexpected(directory.error());
  if (!printed) return tl::unexpected(printed.error());
  if (!mails_before) return tl::unexpected(mails_before.error());

  const auto loaded = load_document(directory->get());
  if (!loaded) return tl::unexpected(loaded.error());
  const StateDocument before = loaded->value_or(new_document(options.steps));
  if (const Outcome checked = check_before(directory->get(), before, options, *printed); !checked) {
    return checked;
  }
  const auto restart = restart_job(program, options);
  if (!restart) return tl::unexpected(restart.error());

  const auto reloaded = load_document(directory->get());
  if (!reloaded) return tl::unexpected(reloaded.error());
  if (!*reloaded) return failed("state.json is missing after the restarted job");
  const StateDocument& after = **reloaded;
  const bool mails_known = std::getenv("EVERYCRASH_EFFECTS") != nullptr;
  return check_after(directory->get(), before, after, options)
      .and_then([&] {
        return check_mails(after, mails_known ? &*mails_before : nullptr, restart->mails);
      })
      .and_then([&] { return check_takeover_times(before, after, restart->started_at_ms); });
}

}  // namespace scenarios::state_manager
