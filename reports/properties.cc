#include "reports/properties.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "harness/base/quoting.h"

namespace everycrash::reports {
namespace {

/// Where a state is found again, in one word.
std::string text_of(const StateCoordinates& state) {
  std::string text = fmt::format("record {}", state.record);
  if (state.cut_bytes) text += fmt::format(" cut at {}", *state.cut_bytes);
  if (!state.model.empty()) text += " under " + printable(state.model);
  if (!state.lost_units.empty()) text += fmt::format(" lost {}", fmt::join(state.lost_units, ","));
  return text;
}

}  // namespace

std::string properties_report(const ResultDocument& document) {
  std::string text;
  const auto add = [&text](const char* name, const std::string& value) {
    text += fmt::format("{}={}\n", name, printable(value));
  };
  uint64_t states = 0, points = 0;
  bool exhaustive = !document.coverage.empty();
  for (const Coverage& row : document.coverage) {
    states += row.checked;
    points += row.crash_points;
    exhaustive = exhaustive && row.exhaustive;
  }
  add("verdict", name_of(document.outcome));
  add("exit_code", std::to_string(document.exit_code));
  add("seed", std::to_string(document.seed));
  add("states", std::to_string(states));
  add("crash_points", std::to_string(points));
  add("exhaustive", exhaustive ? "yes" : "no");
  add("findings", std::to_string(count_failing(document)));
  for (const Finding& finding : document.findings) {
    if (!finding.waived.empty()) continue;
    add("finding", finding.id);
    add("point", finding.point);
    add("state", text_of(finding.state));
    add("reproduce", finding.reproduce);
    break;
  }
  return text;
}

}  // namespace everycrash::reports
