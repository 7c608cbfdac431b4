// job_ledger: a daily publishing job whose state is files and folders. See README.md.
#include <cstdio>
#include <string>

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

Outcome run(const JobOptions& options) {
  const auto workplace = Workplace::prepare(".");
  if (!workplace) return tl::unexpected(workplace.error());
  return PublishingJob(*workplace, options).run();
}

Outcome leave_lock() {
  const auto workplace = Workplace::prepare(".");
  if (!workplace) return tl::unexpected(workplace.error());
  return leave_stale_lock(workplace->locks.get());
}

}  // namespace
}  // namespace scenarios::job_ledger

int main(int argc, char** argv) {
  namespace job = scenarios::job_ledger;
  const auto leave_lock = [](scenarios::Arguments) {
    return scenarios::answer_run("job_ledger", job::leave_lock());
  };
  return scenarios::scenario_main<job::JobOptions, job::Break>(
      {.breaks = job::kBreaks,
       .usage = job::kUsage,
       .add_options = job::add_options,
       .run = job::run,
       .check = job::check_job,
       .more = {{"leave-stale-lock", leave_lock}}},
      argc, argv);
}
