#include "harness/campaign/durability.h"
#include "harness/campaign/power_campaign.h"
#include "harness/model/floor.h"
#include "harness/model/persistence_model.h"
#include "harness/model/unit.h"

namespace everycrash {
namespace {

PowerOptions power_options(const Campaign& campaign, CrashKind crash,
                           const PersistenceRules& model) {
  const CampaignPlan& plan = campaign.plan();
  PowerOptions power;
  power.model = &model;
  power.tear_bytes = plan.tear_bytes;
  power.bounds.depth = plan.depth;
  power.bounds.seed = plan.seed;
  power.all_points = plan.all_points;
  power.from_record = campaign.from_record;
  if (!plan.states_max) {
    if (!plan.budget && !plan.require_complete) power.max_states = kPowerStatesMax;
  } else if (*plan.states_max != 0) {
    power.max_states = *plan.states_max;
  }
  power.shard = plan.shard.index;
  power.shards = plan.shard.count;
  if (crash != CrashKind::kLostFsync) return power;
  switch (plan.lying.which) {
    case LyingDisk::Which::kAll:
      power.lies = Lies::kAll;
      break;
    case LyingDisk::Which::kOneAtATime:
      power.lies = Lies::kEach;
      break;
    case LyingDisk::Which::kOneFile:
      power.lies = Lies::kOneFile;
      power.lying_path = plan.lying.path;
      break;
  }
  return power;
}

/// Which syncs guarantee nothing.
LyingSync lies_of(const Campaign& campaign, const PowerOptions& options) {
  if (options.lies == Lies::kNone) return {};
  if (options.lies == Lies::kAll) return [](uint64_t) { return true; };
  return [&trace = campaign.trace(), path = options.lying_path](uint64_t record) {
    return trace.find(record)->path == path;
  };
}

CoverageFacts coverage_of(const PowerExplorer& explorer, const PowerOptions& options,
                          CoverageFacts judged) {
  const PowerCoverage& explored = explorer.coverage();
  judged.considered = explored.considered;
  judged.distinct = explored.distinct;
  judged.crash_points = explored.windows;
  judged.strategies = explored.by_strategy;
  judged.exhaustive = explored.exhaustive() && judged.skipped_by_budget == 0;
  if (!judged.exhaustive) {
    judged.bounds.emplace_back(PowerBound{explored, options.bounds, options.max_states});
  }
  return judged;
}

}  // namespace

Status explore_power(Campaign& campaign, CrashKind crash, const PersistenceRules& model) {
  const PowerOptions options = power_options(campaign, crash, model);
  const std::string name(model.name);
  Result<PowerExplorer> explorer = PowerExplorer::create(campaign.trace(), options);
  if (!explorer) return tl::unexpected(explorer.error());
  PowerCampaign run(campaign, *explorer);
  campaign.facts.effects.begin(crash, name);
  run.coverage().crash = crash;
  run.coverage().model = name;
  if (Status ok = run.run(crash, name); !ok) return ok;

  const CoverageFacts coverage = coverage_of(*explorer, options, run.coverage());
  // Every prefix of the run was among the states, each standing for the points at which it is
  // legal.
  if (explorer->coverage().finished &&
      coverage.skipped_by_budget + coverage.skipped_by_shard == 0) {
    for (const Operation& record : campaign.trace().records()) {
      campaign.facts.crashed.insert(record.sequence);
    }
  }
  campaign.facts.coverage.push_back(coverage);
  if (options.lies != Lies::kEach && !campaign.brief) {  // else each state has a floor of its own
    const Floor floor =
        Floor::compute(campaign.trace(), explorer->history(), model, lies_of(campaign, options));
    campaign.facts.durability.push_back(
        {crash, name, durable_since(campaign.trace(), explorer->history(), floor)});
  }
  return run.report(crash, options);
}

}  // namespace everycrash
