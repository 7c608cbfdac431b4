// `everycrash scenario`: the reference workloads, sound or with one mistake planted.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "harness/base/crash_kind.h"
#include "harness/base/exit_status.h"
#include "harness/base/quoting.h"
#include "harness/cli/commands.h"
#include "harness/cli/options/nearest.h"
#include "harness/cli/scenarios/matrix.h"
#include "harness/cli/scenarios/scenarios.h"

namespace everycrash::cli {
namespace {

Result<int> list() {
  const Result<std::vector<Scenario>> scenarios = find_scenarios();
  if (!scenarios) return tl::unexpected(scenarios.error());
  for (const Scenario& scenario : *scenarios) {
    fmt::print("{}: {}\n", scenario.name, scenario.summary);
    const Result<std::vector<Break>> breaks = list_breaks(scenario);
    if (!breaks) return tl::unexpected(breaks.error());
    for (const Break& each : *breaks) {
      std::vector<std::string> kinds;
      for (const Expectation& expected : each.expected) kinds.push_back(text_of(expected));
      fmt::print("  {:<22} {}\n  {:<22} found under: {}\n", each.name, each.mistake, "",
                 fmt::join(kinds, " "));
    }
  }
  return 0;
}

/// What `everycrash test` is to be asked for the scenario, with a mistake or without ("").
TestOptions options_for(const ScenarioOptions& options, const Scenario& scenario,
                        const std::string& mistake) {
  TestOptions test = options.common;
  std::vector<std::string> more = options.quick ? scenario.quick : std::vector<std::string>{};
  const std::vector<CrashKind> kinds = crash_kinds_of(test);
  const bool all_anew = std::all_of(kinds.begin(), kinds.end(), is_run_anew);
  if (all_anew) more = scenario.anew;
  if (!mistake.empty()) more.insert(more.end(), {scenario.break_option, mistake});
  test.workload = scenario.workload;
  test.workload.insert(test.workload.end(), more.begin(), more.end());
  std::vector<std::string> check = scenario.check;
  check.insert(check.end(), more.begin(), more.end());
  test.check = shell_quote(check);
  return test;
}

/// The reference and every mistake that must show under the chosen crash kinds, a line each.
Result<int> run_all(const ScenarioOptions& options, const Scenario& scenario,
                    const std::vector<Break>& breaks) {
  std::vector<std::pair<std::string, int>> expected{{"", kExitGood}};
  for (const Break& each : breaks) {
    const bool shows = std::any_of(
        options.common.crash.begin(), options.common.crash.end(),
        [&](const std::string& crash) { return each.expected_under(crash) != nullptr; });
    if (shows) expected.emplace_back(each.name, kExitFinding);
  }
  int wrong = 0;
  for (const auto& [mistake, status] : expected) {
    const std::string name = mistake.empty() ? "reference" : mistake;
    fmt::print("== {} {}\n", scenario.name, name);
    TestOptions test = options_for(options, scenario, mistake);
    test.quiet = options.common.verbose == 0;
    const Result<int> found = run_test(test);
    if (!found && found.error().kind == ErrorKind::kInterrupted) return found;
    if (!found) fmt::print("error: {}\n", found.error().message);
    const bool right = found && *found == status;
    wrong += right ? 0 : 1;
    fmt::print("-- {}: {}\n", name, right ? "as expected" : "NOT AS EXPECTED");
  }
  fmt::print("{} of {} as expected\n", expected.size() - static_cast<size_t>(wrong),
             expected.size());
  return wrong == 0 ? kExitGood : kExitFinding;
}

/// The matrix of one scenario, or of all.
Result<int> run_matrix_of(const ScenarioOptions& options) {
  if (!options.break_name.empty())
    return fail(ErrorKind::kUsage, "--matrix is about all mistakes; leave --break out");
  if (options.name.empty()) {
    const Result<std::vector<Scenario>> scenarios = find_scenarios();
    if (!scenarios) return tl::unexpected(scenarios.error());
    return run_matrix(options, *scenarios);
  }
  const Result<Scenario> scenario = find_scenario(options.name);
  if (!scenario) return tl::unexpected(scenario.error());
  return run_matrix(options, {*scenario});
}

}  // namespace

Result<int> run_scenario(const ScenarioOptions& options) {
  if (options.list) return list();
  if (options.matrix) return run_matrix_of(options);
  if (options.name.empty())
    return fail(ErrorKind::kUsage, "which scenario? 'everycrash scenario list' names them");
  const Result<Scenario> scenario = find_scenario(options.name);
  if (!scenario) return tl::unexpected(scenario.error());
  const Result<std::vector<Break>> breaks = list_breaks(*scenario);
  if (!breaks) return tl::unexpected(breaks.error());
  if (options.all) return run_all(options, *scenario, *breaks);
  std::vector<std::string> names;
  for (const Break& each : *breaks) names.push_back(each.name);
  if (!options.break_name.empty() &&
      std::find(names.begin(), names.end(), options.break_name) == names.end()) {
    const std::string near = nearest(options.break_name, names);
    return fail(
        ErrorKind::kUsage,
        fmt::format("{} has no break '{}'{}\nIt has: {}", scenario->name, options.break_name,
                    near.empty() ? "" : "; did you mean '" + near + "'?", fmt::join(names, ", ")));
  }
  return run_test(options_for(options, *scenario, options.break_name));
}

}  // namespace everycrash::cli
