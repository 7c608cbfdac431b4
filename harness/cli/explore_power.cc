#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>
#include <utility>

#include "harness/base/digest.h"
#include "harness/check/power_state_maker.h"
#include "harness/cli/exploration.h"
#include "harness/cli/interrupt.h"
#include "harness/explore/power_states.h"
#include "harness/model/persistence_model.h"

namespace everycrash::cli {
namespace {

// States are handed to the workers in portions, so that memory does not grow with their number.
constexpr size_t kPortion = 2048;

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
  if (options.states_max != 0) power.max_states = options.states_max;
  power.shard = campaign.shard.index;
  power.shards = campaign.shard.count;
  if (crash == "lost-fsync") {
    const std::string& lies = options.lost_fsync;
    power.lies = lies == "all" ? Lies::kAll : lies == "one" ? Lies::kEach : Lies::kOneFile;
    if (power.lies == Lies::kOneFile) power.lying_path = lies;
  }
  return power;
}

/// What separates verdicts: the tree, and how much had been promised and done by then.
Digest key_of(const PowerState& state, const Outputs& outputs) {
  return digest_of_words(std::array{state.tree.low, state.tree.high,
                                    uint64_t{outputs.printed_until(state.point.record).size()},
                                    uint64_t{outputs.events_until(state.point.record).size()}});
}

class PowerCampaign {
 public:
  PowerCampaign(Campaign& campaign, PowerExplorer& explorer)
      : campaign_(campaign), explorer_(explorer), outputs_(campaign.exploration.trace) {
    for (const std::unique_ptr<StateJudge>& judge : campaign.panel.judges) {
      workers_.push_back({std::make_unique<PowerStateMaker>(campaign.exploration.trace,
                                                            explorer.history(), outputs_, portion_),
                          std::make_unique<LentJudge>(*judge)});
    }
  }

  Status run(const std::string& what) {
    while (take_portion()) {
      const Result<Examined> examined =
          examine(portion_.size(), workers_,
                  campaign_.examination(what, coverage_.checked + portion_.size()));
      if (!examined) return tl::unexpected(examined.error());
      count_verdicts(*examined, coverage_);
      for (size_t i = 0; i < portion_.size(); ++i) {
        if (!examined->judged[i]) continue;
        note(portion_[i], examined->complaints[i]);
        campaign_.judged.emplace(key_of(portion_[i], outputs_), examined->complaints[i]);
      }
      if (examined->count_judged() < portion_.size()) break;
    }
    campaign_.terminal.clear_progress();
    return {};
  }

  struct Failure {
    PowerState state;
    std::vector<Complaint> complaints;
  };
  [[nodiscard]] const std::vector<Failure>& failures() const { return failures_; }
  [[nodiscard]] reports::Coverage& coverage() { return coverage_; }

 private:
  bool take_portion() {
    portion_.clear();
    while (portion_.size() < kPortion) {
      std::optional<PowerState> state = explorer_.next();
      if (!state) break;
      const auto known = campaign_.judged.find(key_of(*state, outputs_));
      if (known == campaign_.judged.end()) {
        portion_.push_back(std::move(*state));
      } else {
        count_verdict(worst_of(known->second), coverage_);
        note(*state, known->second);
      }
    }
    return !portion_.empty() && !interrupted();
  }

  void note(const PowerState& state, const std::vector<Complaint>& complaints) {
    if (worst_of(complaints) == Verdict::kViolated) failures_.push_back({state, complaints});
  }

  Campaign& campaign_;
  PowerExplorer& explorer_;
  Outputs outputs_;
  std::vector<PowerState> portion_;
  std::vector<Worker> workers_;
  std::vector<Failure> failures_;
  reports::Coverage coverage_;
};

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
  for (const PowerCampaign::Failure& failure : run.failures()) {
    fmt::print("{} {} at {} lost {}: {}\n", crash, model, failure.state.point.record,
               units_text(failure.state.lost), failure.complaints.front().message);
    for (const UnitId unit : failure.state.lost) {
      fmt::print("    lost {}\n", explorer->history().describe(unit, campaign.exploration.trace));
    }
  }
  return {};
}

}  // namespace everycrash::cli
