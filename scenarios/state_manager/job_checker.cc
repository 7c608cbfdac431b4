#include "scenarios/state_manager/job_checker.h"

#include "scenarios/common/file_io.h"
#include "scenarios/common/past_life.h"
#include "scenarios/common/restart.h"
#include "scenarios/state_manager/skip_clock.h"
#include "scenarios/state_manager/state_checks.h"
#include "scenarios/state_manager/state_store.h"

namespace scenarios::state_manager {
namespace {

struct Restart {
  int64_t started_at_ms = 0;  ///< by the job's clock
  std::vector<Mail> mails;
};

Expected<Restart> restart(const std::string& program, const JobOptions& options) {
  const auto events = make_event_file();
  if (!events) return tl::unexpected(events.error());
  Restart restart;
  restart.started_at_ms = make_clock(options).now_ms();
  if (const Outcome ended = restart_job(program, to_arguments(add_options, options),
                                        options.restart_limit_s, *events);
      !ended) {
    return tl::unexpected(ended.error());
  }
  const auto lines = read_all(events->get(), "events");
  if (!lines) return tl::unexpected(lines.error());
  restart.mails = parse_effects(*lines);
  return restart;
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
  const auto mails_before = mails_before_the_crash();
  if (!directory) return tl::unexpected(directory.error());
  if (!printed) return tl::unexpected(printed.error());
  if (!mails_before) return tl::unexpected(mails_before.error());

  const auto loaded = load_document(directory->get());
  if (!loaded) return tl::unexpected(loaded.error());
  const StateDocument before = loaded->value_or(new_document(options.steps));
  if (const Outcome checked = check_before(directory->get(), before, options, *printed); !checked) {
    return checked;
  }
  const auto restarted = restart(program, options);
  if (!restarted) return tl::unexpected(restarted.error());

  const auto reloaded = load_document(directory->get());
  if (!reloaded) return tl::unexpected(reloaded.error());
  if (!*reloaded) return failed("state.json is missing after the restarted job");
  const StateDocument& after = **reloaded;
  return check_after(directory->get(), before, after, options)
      .and_then([&] {
        return check_mails(after, effects_are_known() ? &*mails_before : nullptr, restarted->mails);
      })
      .and_then([&] { return check_takeover_times(before, after, restarted->started_at_ms); });
}

}  // namespace scenarios::state_manager
