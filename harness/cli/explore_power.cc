#include <fmt/format.h>

#include "harness/cli/exploration.h"
#include "harness/cli/power_campaign.h"
#include "harness/model/persistence_model.h"

namespace everycrash::cli {
namespace {

Result<PowerOptions> power_options(const Campaign& campaign, const std::string& crash,
                                   const std::string& model) {
  const TestOptions& options = campaign.exploration.options;
  const Result<const PersistenceRules*> rules = find_model(model);
  if (!rules) return tl::unexpected(rules.error());
  PowerOptions power;
  power.model = *rules;
  power.tear_bytes = options.tear;
  power.bounds.depth = options.depth;
  power.bounds.seed = options.seed;
  power.all_points = options.all_points;
  if (options.states_max == kStatesMaxNotSaid) {
    if (options.budget.empty() && !options.require_complete) power.max_states = kPowerStatesMax;
  } else if (options.states_max != 0) {
    power.max_states = options.states_max;
  }
  power.shard = campaign.shard.index;
  power.shards = campaign.shard.count;
  if (crash == "lost-fsync") {
    const std::string& lies = options.lost_fsync;
    power.lies = lies == "all" ? Lies::kAll : lies == "one" ? Lies::kEach : Lies::kOneFile;
    if (power.lies == Lies::kOneFile) power.lying_path = lies;
  }
  return power;
}

}  // namespace

Status explore_power(Campaign& campaign, const std::string& crash, const std::string& model) {
  const Result<PowerOptions> options = power_options(campaign, crash, model);
  if (!options) return tl::unexpected(options.error());
  Result<PowerExplorer> explorer = PowerExplorer::create(campaign.exploration.trace, *options);
  if (!explorer) return tl::unexpected(explorer.error());
  PowerCampaign run(campaign, *explorer);
  if (Status ok = run.run(fmt::format("{} {}", crash, model)); !ok) return ok;

  reports::Coverage& coverage = run.coverage();
  coverage.crash = crash;
  coverage.model = model;
  coverage.considered = explorer->coverage().considered;
  coverage.distinct = explorer->coverage().distinct;
  coverage.crash_points = explorer->coverage().windows;
  coverage.exhaustive = explorer->coverage().exhaustive() && coverage.skipped_by_budget == 0;
  if (!coverage.exhaustive) coverage.bound = explorer->bound();
  campaign.builder.document().coverage.push_back(coverage);
  return run.report(crash, *options);
}

}  // namespace everycrash::cli
