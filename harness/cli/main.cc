#include <fmt/format.h>

#include <cstdio>
#include <string>
#include <vector>

#include "harness/base/exit_status.h"
#include "harness/cli/commands.h"
#include "harness/cli/interrupt.h"
#include "harness/cli/options/command_line.h"
#include "harness/cli/report_files.h"
#include "harness/cli/status.h"
#include "harness/cli/version.h"

namespace everycrash::cli {

namespace {

Result<int> run(const Invocation& invocation) {
  switch (invocation.command) {
    case Invocation::Command::kHelp:
      fmt::print("{}", invocation.help);
      return 0;
    case Invocation::Command::kVersion:
      fmt::print("everycrash {}\n", kVersion);
      return 0;
    case Invocation::Command::kTest:
      return run_test(invocation.test);
    case Invocation::Command::kRecord:
      return run_record(invocation.record);
    case Invocation::Command::kExplore:
      return run_explore(invocation.explore);
    case Invocation::Command::kInject:
      return run_inject(invocation.inject);
    case Invocation::Command::kChaos:
      return run_chaos(invocation.chaos);
    case Invocation::Command::kReplay:
      return run_replay(invocation.replay);
    case Invocation::Command::kReport:
      return run_report(invocation.report);
    case Invocation::Command::kMerge:
      return run_merge(invocation.merge);
    case Invocation::Command::kScenario:
      return run_scenario(invocation.scenario);
    case Invocation::Command::kExport:
      return run_export(invocation.exporting);
    case Invocation::Command::kBaselineUpdate:
      return run_baseline_update(invocation.baseline);
    case Invocation::Command::kInit:
      return run_init_command(invocation.init);
    case Invocation::Command::kSink:
      return run_sink(invocation.sink);
    case Invocation::Command::kDoctor:
      return run_doctor(invocation.clean);
    case Invocation::Command::kDisk:
      return run_disk(invocation.disk);
    case Invocation::Command::kValidate:
      return run_validate(invocation.validate);
  }
  return kExitUsage;
}

/// The options of a command that writes reports; null for others.
const TestOptions* reporting(const Invocation& invocation) {
  switch (invocation.command) {
    case Invocation::Command::kTest:
      return &invocation.test;
    case Invocation::Command::kExplore:
      return &invocation.explore.common;
    case Invocation::Command::kMerge:
      return &invocation.merge.common;
    case Invocation::Command::kChaos:
      return &invocation.chaos.common;
    default:
      return nullptr;
  }
}

int main_of(std::vector<std::string> arguments) {
  const Result<Invocation> invocation = parse_arguments(std::move(arguments));
  const Result<int> status = invocation ? run(*invocation) : tl::unexpected(invocation.error());
  if (status) return *status;
  std::fflush(stdout);
  fmt::print(stderr, "everycrash: error: {}\n", status.error().message);
  const TestOptions* const options = invocation ? reporting(*invocation) : nullptr;
  if (options != nullptr && status.error().kind != ErrorKind::kUsage)
    report_failure(*options, status.error());
  return exit_status(status.error().kind);
}

}  // namespace
}  // namespace everycrash::cli

int main(int count, char** arguments) {
  everycrash::cli::catch_interrupts();
  everycrash::cli::answer_status_requests();
  return everycrash::cli::main_of({arguments + 1, arguments + count});
}
