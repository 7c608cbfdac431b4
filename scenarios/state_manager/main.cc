// state_manager: a batch job that keeps its state in one JSON file. See README.md.
#include <cstdio>
#include <string>
#include <vector>

#include "scenarios/state_manager/break_table.h"
#include "scenarios/state_manager/child_process.h"
#include "scenarios/state_manager/job_checker.h"
#include "scenarios/state_manager/job_options.h"
#include "scenarios/state_manager/mail_client.h"
#include "scenarios/state_manager/state_store.h"
#include "scenarios/state_manager/step_runner.h"

namespace state_manager {
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

constexpr int kExitFailed = 1;
constexpr int kExitUsage = 2;

int complain(const Failure& failure, int exit_code) {
  std::fprintf(stderr, "state_manager: %s\n", failure.message.c_str());
  return exit_code;
}

void list_breaks() {
  for (const BreakEntry& entry : break_table()) {
    std::printf("%s\t%s\t%s\t%s\n", entry.name.data(), entry.found_under.data(),
                entry.mistake.data(), entry.signs.data());
  }
}

int run(const JobOptions& options) {
  SkipClock clock = make_clock(options);
  auto store = StateStore::open(".", options.steps,
                                {.mistake = options.mistake, .mark_calls = options.mark_calls});
  if (!store) return complain(store.error(), kExitFailed);
  auto mail = MailClient::start(own_program());
  if (!mail) return complain(mail.error(), kExitFailed);
  StepRunner runner(*store, *mail, clock, options.mistake, options.work);
  if (const Outcome ran = runner.run(); !ran) return complain(ran.error(), kExitFailed);
  for (const Step& step : store->document().steps) {
    if (step.status != StepStatus::kFailedStop) continue;
    std::fprintf(stderr, "state_manager: %s is stopped and needs a person to look at it: %s\n",
                 step.name.c_str(), step.last_error.c_str());
  }
  return 0;
}

int check(const JobOptions& options) {
  const Outcome checked = check_job(own_program(), options);
  if (checked) return 0;
  std::printf("%s\n", checked.error().message.c_str());
  return kExitFailed;
}

int dispatch(const std::vector<std::string>& arguments) {
  const std::string command = arguments.empty() ? "" : arguments[0];
  if (command == "--help") {
    std::fputs(kUsage, stdout);
    return 0;
  }
  if (command == "--list-breaks") {
    list_breaks();
    return 0;
  }
  if (command == "receive" && arguments.size() == 3 && arguments[1] == "--socket") {
    return serve_mails(std::atoi(arguments[2].c_str()));
  }
  if (command != "run" && command != "check") {
    std::fputs(kUsage, stderr);
    return kExitUsage;
  }
  const auto options = parse_job_options(std::span(arguments).subspan(1));
  if (!options) return complain(options.error(), kExitUsage);
  return command == "run" ? run(*options) : check(*options);
}

}  // namespace
}  // namespace state_manager

int main(int argc, char** argv) {
  return state_manager::dispatch(std::vector<std::string>(argv + 1, argv + argc));
}
