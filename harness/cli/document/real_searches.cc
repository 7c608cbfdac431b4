#include "harness/cli/document/real_searches.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "harness/base/quoting.h"
#include "harness/cli/kernel.h"

namespace everycrash::cli {
namespace {

reports::Sighting written(Sighting::What what) {
  switch (what) {
    case Sighting::What::kSeen:
      return reports::Sighting::kSeen;
    case Sighting::What::kSeenAlike:
      return reports::Sighting::kAlike;
    case Sighting::What::kNotSeen:
      return reports::Sighting::kNotSeen;
    case Sighting::What::kNotSearched:
      return reports::Sighting::kNotSearched;
  }
  return reports::Sighting::kNotAsked;
}

/// The command that shows the first state of SIGHTING.
std::string command_for(const Sighting& sighting, const CampaignPlan& plan,
                        const std::string& trace) {
  std::string text =
      fmt::format("everycrash disk shell --fs {}", shell_quote(sighting.file_system));
  if (!sighting.image.empty()) {
    return text + fmt::format(" --image {}", shell_quote(sighting.image.string()));
  }
  const CampaignPlan usual;
  if (sighting.lost_flushes) text += " --lost-fsync";
  if (plan.seed != usual.seed) text += fmt::format(" --seed {}", plan.seed);
  if (plan.real.size_mb != usual.real.size_mb) {
    text += fmt::format(" --disk-size {}", plan.real.size_mb);
  }
  if (!plan.real.mkfs_arguments.empty()) {
    text += " --mkfs " + shell_quote(plan.real.mkfs_arguments);
  }
  text += fmt::format(" --schedule {} --state {}", sighting.schedule, sighting.state);
  return trace.empty() ? text : text + " " + shell_quote(trace);
}

}  // namespace

reports::RealSearch search_of(const Sighting& sighting, const CampaignPlan& plan,
                              const std::string& trace) {
  using What = Sighting::What;
  reports::RealSearch search{.sighting = written(sighting.what),
                             .file_system = sighting.file_system,
                             .kernel = kernel_name(),
                             .default_options = sighting.default_options,
                             .states = sighting.states,
                             .states_searched = sighting.of};
  if (sighting.what == What::kNotSearched) {
    search.why = sighting.why.empty() ? "no time was left" : sighting.why;
  }
  if (sighting.what != What::kSeen && sighting.what != What::kSeenAlike) return search;
  search.command = command_for(sighting, plan, trace);
  search.image = sighting.image.string();
  return search;
}

void tell_unsearched(const CampaignPlan& plan, reports::Finding& finding) {
  if (!loses_power(finding.crash)) return;
  const std::vector<DiskFileSystem>& tried = plan.real.file_systems;
  std::vector<std::string> left;
  for (const std::string& model : finding.models) {
    const Result<DiskFileSystem> real = parse_disk_file_system(model);
    if (!real) continue;  // no file system has it: posix
    const bool searched = std::any_of(tried.begin(), tried.end(), [&](const DiskFileSystem& on) {
      return on.name() == real->name();
    });
    if (!searched) left.push_back(real->name());
  }
  if (left.empty() && (!finding.real_searches.empty() || !tried.empty())) return;
  if (left.empty()) left.emplace_back();
  for (const std::string& name : left) finding.real_searches.push_back({.file_system = name});
}

}  // namespace everycrash::cli
