// job_ledger: a daily publishing job whose state is files and folders. See README.md.
#include <cstdio>
#include <string>

#include "scenarios/common/child_process.h"
#include "scenarios/common/scenario_main.h"
#include "scenarios/job_ledger/job_options.h"
#include "scenarios/job_ledger/ledger_checker.h"
#include "scenarios/job_ledger/publishing_job.h"

namespace scenarios::job_ledger {
namespace {

constexpr char kUsage[] =
    "usage: job_ledger run [OPTION...]    publish what is due and not out yet, in the current\n"
    "                                     directory\n"
    "       job_ledger check [OPTION...]  judge the current directory; runs the job on it, as a\n"
    "                                     day later\n"
    "       job_ledger leave-stale-lock   leave what a runner that was killed an hour ago leaves\n"
    "       job_ledger --list-breaks      NAME, crash kinds that must find it, mistake, signs\n"
    "\n"
    "Give check the options that run was given:\n"
    "  --days N          days that are due (5)\n"
    "  --break NAME      make this mistake\n"
    "  --clock-offset S  the wall clock is off by S seconds\n"
    "  --limit S         check alone: seconds that a restarted job may take (5)\n";

const std::string kName = "job_ledger";

int run(Arguments arguments) {
  const auto options = parse_job_options(arguments);
  if (!options) return complain(kName, options.error(), kExitUsage);
  const auto workplace = Workplace::prepare(".");
  if (!workplace) return complain(kName, workplace.error(), kExitFailed);
  const Outcome ran = PublishingJob(*workplace, *options).run();
  return ran ? 0 : complain(kName, ran.error(), kExitFailed);
}

int check(Arguments arguments) {
  const auto options = parse_job_options(arguments);
  if (!options) return complain(kName, options.error(), kExitUsage);
  return answer_check(check_job(own_program(), *options));
}

int leave_lock(Arguments) {
  const auto workplace = Workplace::prepare(".");
  if (!workplace) return complain(kName, workplace.error(), kExitFailed);
  const Outcome left = leave_stale_lock(workplace->locks.get());
  return left ? 0 : complain(kName, left.error(), kExitFailed);
}

}  // namespace
}  // namespace scenarios::job_ledger

int main(int argc, char** argv) {
  namespace job = scenarios::job_ledger;
  return scenarios::run_scenario({.name = job::kName,
                                  .usage = job::kUsage,
                                  .list_breaks = [] { scenarios::list_breaks(job::break_table()); },
                                  .commands = {{"run", job::run},
                                               {"check", job::check},
                                               {"leave-stale-lock", job::leave_lock}}},
                                 argc, argv);
}
