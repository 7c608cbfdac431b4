#include <fmt/format.h>

#include "harness/base/crash_kind.h"
#include "harness/cli/explorations.h"
#include "harness/cli/power_campaign.h"
#include "harness/model/floor.h"
#include "harness/model/persistence_model.h"

namespace everycrash::cli {
namespace {

Result<PowerOptions> power_options(const Campaign& campaign, CrashKind crash,
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
  power.from_record = campaign.from_record;
  if (options.states_max == kStatesMaxNotSaid) {
    if (options.budget.empty() && !options.require_complete) power.max_states = kPowerStatesMax;
  } else if (options.states_max != 0) {
    power.max_states = options.states_max;
  }
  power.shard = campaign.shard.index;
  power.shards = campaign.shard.count;
  if (crash == CrashKind::kLostFsync) {
    const std::string& lies = options.lost_fsync;
    power.lies = lies == "all" ? Lies::kAll : lies == "one" ? Lies::kEach : Lies::kOneFile;
    if (power.lies == Lies::kOneFile) power.lying_path = lies;
  }
  return power;
}

/// Which syncs guarantee nothing.
LyingSync lies_of(const Campaign& campaign, const PowerOptions& options) {
  if (options.lies == Lies::kNone) return {};
  if (options.lies == Lies::kAll) return [](uint64_t) { return true; };
  return [&trace = campaign.exploration.trace, path = options.lying_path](uint64_t record) {
    return trace.find(record)->path == path;
  };
}

}  // namespace

Status explore_power(Campaign& campaign, CrashKind crash, const std::string& model) {
  const Result<PowerOptions> options = power_options(campaign, crash, model);
  if (!options) return tl::unexpected(options.error());
  Result<PowerExplorer> explorer = PowerExplorer::create(campaign.exploration.trace, *options);
  if (!explorer) return tl::unexpected(explorer.error());
  PowerCampaign run(campaign, *explorer);
  campaign.effects.begin(crash, model);
  if (Status ok = run.run(fmt::format("{} {}", name_of(crash), model)); !ok) return ok;

  reports::Coverage& coverage = run.coverage();
  coverage.crash = crash;
  coverage.model = model;
  coverage.considered = explorer->coverage().considered;
  coverage.distinct = explorer->coverage().distinct;
  coverage.crash_points = explorer->coverage().windows;
  for (size_t i = 0; i < kStrategies; ++i) {
    const uint64_t count = explorer->coverage().by_strategy[i];
    if (count == 0) continue;
    coverage.strategies.push_back({std::string(name_of(static_cast<Strategy>(i))), count});
  }
  coverage.exhaustive = explorer->coverage().exhaustive() && coverage.skipped_by_budget == 0;
  // Every prefix of the run was among the states, each standing for the points at which it is
  // legal.
  if (explorer->coverage().finished &&
      coverage.skipped_by_budget + coverage.skipped_by_shard == 0) {
    for (const Operation& record : campaign.exploration.trace.records()) {
      campaign.crashed.insert(record.sequence);
    }
  }
  if (!coverage.exhaustive) coverage.bound = explorer->bound();
  campaign.builder.document().coverage.push_back(coverage);
  if (options->lies != Lies::kEach) {  // else each state has a floor of its own
    const Floor floor = Floor::compute(campaign.exploration.trace, explorer->history(),
                                       *options->model, lies_of(campaign, *options));
    campaign.builder.add_durability(crash, model, explorer->history(), floor);
  }
  return run.report(crash, *options);
}

}  // namespace everycrash::cli
