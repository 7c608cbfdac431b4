// job_ledger: a daily publishing job whose state is files and folders. See README.md.
#include <cstdio>
#include <string>
#include <vector>

#include "scenarios/common/child_process.h"
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

constexpr int kExitFailed = 1;
constexpr int kExitUsage = 2;

int complain(const Failure& failure, int exit_code) {
  std::fprintf(stderr, "job_ledger: %s\n", failure.message.c_str());
  return exit_code;
}

void list_breaks() {
  for (const BreakEntry& entry : break_table()) {
    std::printf("%s\t%s\t%s\t%s\n", entry.name.data(), entry.found_under.data(),
                entry.mistake.data(), entry.signs.data());
  }
}

int run(const JobOptions& options) {
  const auto workplace = Workplace::prepare(".");
  if (!workplace) return complain(workplace.error(), kExitFailed);
  const Outcome ran = PublishingJob(*workplace, options).run();
  return ran ? 0 : complain(ran.error(), kExitFailed);
}

int check(const JobOptions& options) {
  const Outcome checked = check_job(own_program(), options);
  if (checked) return 0;
  std::printf("%s\n", checked.error().message.c_str());
  return kExitFailed;
}

int leave_lock() {
  const auto workplace = Workplace::prepare(".");
  if (!workplace) return complain(workplace.error(), kExitFailed);
  const Outcome left = leave_stale_lock(workplace->locks.get());
  return left ? 0 : complain(left.error(), kExitFailed);
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
  if (command == "leave-stale-lock" && arguments.size() == 1) return leave_lock();
  if (command != "run" && command != "check") {
    std::fputs(kUsage, stderr);
    return kExitUsage;
  }
  const auto options = parse_job_options(std::span(arguments).subspan(1));
  if (!options) return complain(options.error(), kExitUsage);
  return command == "run" ? run(*options) : check(*options);
}

}  // namespace
}  // namespace scenarios::job_ledger

int main(int argc, char** argv) {
  return scenarios::job_ledger::dispatch(std::vector<std::string>(argv + 1, argv + argc));
}
