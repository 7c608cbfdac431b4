// state_manager: a batch job that keeps its state in one JSON file. See README.md.
#include <cstdio>
#include <string>

#include "scenarios/common/child_process.h"
#include "scenarios/common/scenario_main.h"
#include "scenarios/state_manager/break_table.h"
#include "scenarios/state_manager/job_checker.h"
#include "scenarios/state_manager/job_options.h"
#include "scenarios/state_manager/mail_client.h"
#include "scenarios/state_manager/mail_receiver.h"
#include "scenarios/state_manager/state_store.h"
#include "scenarios/state_manager/step_runner.h"

namespace scenarios::state_manager {
namespace {

constexpr char kUsage[] =
    "usage: state_manager run [OPTION...]    do the job in the current directory, or go on with "
    "it\n"
    "       state_manager check [OPTION...]  judge the current directory; restarts the job on it\n"
    "       state_manager --list-breaks      NAME, crash kinds that must find it, mistake, signs\n"
    "\n"
    "Give check the options that run was given:\n"
    "  --steps N         steps of the job (100)\n"
    "  --break NAME      make this mistake\n"
    "  --seed N          which steps fail at first, and the jitter (1)\n"
    "  --poison STEP     this step's work fails each time, as if it could heal\n"
    "  --bad-input STEP  this step's work fails and cannot heal\n"
    "  --clock-offset S  the wall clock is off by S seconds\n"
    "  --start-time S    the clock begins at S (since 1970) and moves only when the job sleeps:\n"
    "                    two runs write the same bytes\n"
    "  --mark-calls      step markers for each call of a save too\n"
    "  --limit S         check alone: seconds that the restarted job may take (5)\n";

Outcome run(const JobOptions& options) {
  SkipClock clock = make_clock(options);
  auto store = StateStore::open(".", options.steps,
                                {.mistake = options.mistake, .mark_calls = options.mark_calls});
  if (!store) return tl::unexpected(store.error());
  auto mail = MailClient::start(own_program());
  if (!mail) return tl::unexpected(mail.error());
  StepRunner runner(*store, *mail, clock, options.mistake, options.work);
  if (Outcome ran = runner.run(); !ran) return ran;
  for (const Step& step : store->document().steps) {
    if (step.status != StepStatus::kFailedStop) continue;
    std::fprintf(stderr, "state_manager: %s is stopped and needs a person to look at it: %s\n",
                 step.name.c_str(), step.last_error.c_str());
  }
  return {};
}

int receive(Arguments arguments) {
  if (arguments.size() == 2 && arguments[0] == "--socket") {
    return serve_mails(std::atoi(arguments[1].c_str()));
  }
  std::fputs(kUsage, stderr);
  return kExitUsage;
}

}  // namespace
}  // namespace scenarios::state_manager

int main(int argc, char** argv) {
  namespace job = scenarios::state_manager;
  return scenarios::scenario_main<job::JobOptions, job::Break>(
      {.breaks = job::kBreaks,
       .usage = job::kUsage,
       .add_options = job::add_options,
       .run = job::run,
       .check = job::check_job,
       .more = {{"receive", job::receive}}},
      argc, argv);
}
