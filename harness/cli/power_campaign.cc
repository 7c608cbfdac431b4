#include "harness/cli/power_campaign.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <utility>

#include "harness/base/digest.h"
#include "harness/cli/interrupt.h"

namespace everycrash::cli {
namespace {

// States are handed to the workers in portions, so that memory does not grow with their number.
constexpr size_t kPortion = 2048;
// Or for so long, where states are large: somebody waits for the first verdicts.
constexpr std::chrono::milliseconds kCollecting{500};

/// What separates verdicts: the tree, and how much had been promised and done by then.
Digest key_of(const Digest& tree, uint64_t record, const Outputs& outputs) {
  return digest_of_words(std::array{tree.low, tree.high,
                                    uint64_t{outputs.printed_until(record).size()},
                                    uint64_t{outputs.events_until(record).size()}});
}

bool is_violation(const Complaint& complaint) {
  return complaint.verdict == Verdict::kViolated;
}

/// A judge of the panel whose complaints about promises are only noted.
class PowerJudgement : public StateJudgement {
 public:
  PowerJudgement(StateJudge& judge, NotedPromises& noted) : judge_(judge), noted_(noted) {}
  Result<std::vector<Complaint>> judge(const StateView& state) override {
    Result<std::vector<Complaint>> complaints = judge_.judge(state);
    if (!complaints) return complaints;
    return noted_.take_from(std::move(*complaints));
  }

 private:
  StateJudge& judge_;
  NotedPromises& noted_;
};

}  // namespace

NotedPromises::NotedPromises(const TestOptions& options) {
  const bool asked = std::any_of(
      options.oracles.begin(), options.oracles.end(),
      [](const std::string& name) { return oracle_named(name) == Judge::kAcknowledged; });
  noted_ = options.acknowledgement.empty() && !asked;
}

std::vector<Complaint> NotedPromises::take_from(std::vector<Complaint> complaints) {
  if (!noted_) return complaints;
  const auto promise = std::find_if(
      complaints.begin(), complaints.end(),
      [](const Complaint& complaint) { return complaint.judge == Judge::kAcknowledged; });
  if (promise == complaints.end()) return complaints;
  {
    const std::lock_guard guard(mutex_);
    ++states_;
    // The smallest message, so that it does not depend on which worker comes first.
    if (first_.empty() || promise->message < first_) first_ = promise->message;
  }
  std::erase_if(complaints,
                [](const Complaint& complaint) { return complaint.judge == Judge::kAcknowledged; });
  return complaints;
}

PowerCampaign::PowerCampaign(Campaign& campaign, PowerExplorer& explorer)
    : campaign_(campaign),
      explorer_(explorer),
      noted_(campaign.exploration.options),
      outputs_(campaign.exploration.trace),
      builder_(campaign.exploration.trace, explorer.history()) {
  for (const std::unique_ptr<StateJudge>& judge : campaign.panel.judges) {
    workers_.push_back({std::make_unique<PowerStateMaker>(campaign.exploration.trace,
                                                          explorer.history(), outputs_, portion_),
                        std::make_unique<PowerJudgement>(*judge, noted_)});
  }
}

Status PowerCampaign::run(const std::string& what) {
  while (take_portion()) {
    const size_t before = coverage_.checked;
    ExaminationOptions options = campaign_.examination(what, 0);
    if (options.progress) {
      options.progress = [shown = options.progress, before](size_t done, size_t violated) {
        shown(before + done, violated);
      };
    }
    const Result<Examined> examined = examine(portion_.size(), workers_, options);
    if (!examined) return tl::unexpected(examined.error());
    count_verdicts(*examined, coverage_);
    for (size_t i = 0; i < portion_.size(); ++i) {
      if (!examined->judged[i]) continue;
      note(portion_[i], examined->complaints[i]);
      campaign_.judged.emplace(key_of(portion_[i].tree, portion_[i].point.record, outputs_),
                               examined->complaints[i]);
    }
    if (examined->count_judged() < portion_.size()) break;  // the time is over
  }
  campaign_.terminal.clear_progress();
  return {};
}

/// Collects states that were not judged yet; those that were, under another model, count at once.
bool PowerCampaign::take_portion() {
  portion_.clear();
  const auto began = std::chrono::steady_clock::now();
  const auto full = [this, began] {
    const auto now = std::chrono::steady_clock::now();
    const bool late = campaign_.deadline && now >= *campaign_.deadline;
    return portion_.size() == kPortion || late || (!portion_.empty() && now - began >= kCollecting);
  };
  while (!full() && !interrupted()) {
    std::optional<PowerState> state = explorer_.next();
    if (!state) break;
    const auto known = campaign_.judged.find(key_of(state->tree, state->point.record, outputs_));
    if (known == campaign_.judged.end()) {
      portion_.push_back(std::move(*state));
    } else {
      count_verdict(worst_of(known->second), coverage_);
      note(*state, known->second);
    }
  }
  return !portion_.empty();
}

void PowerCampaign::note(const PowerState& state, const std::vector<Complaint>& complaints) {
  if (worst_of(complaints) == Verdict::kViolated) failures_.push_back(state);
}

/// Judges the state right after RECORD without LOST, for explaining. Never null; stays valid.
Result<const std::vector<Complaint>*> PowerCampaign::complaints_at(
    uint64_t record, const std::vector<UnitId>& lost) {
  const Result<const FileSystem*> tree = builder_.build(record, lost);
  if (!tree) return tl::unexpected(tree.error());
  const Digest key = key_of((*tree)->digest(), record, outputs_);
  auto known = campaign_.judged.find(key);
  if (known == campaign_.judged.end()) {
    Result<std::vector<Complaint>> complaints =
        workers_.front().judgement->judge({.tree = *tree,
                                           .printed = outputs_.printed_until(record),
                                           .events = outputs_.events_until(record)});
    if (!complaints) return tl::unexpected(complaints.error());
    known = campaign_.judged.emplace(key, std::move(*complaints)).first;
  }
  return &known->second;
}

Status PowerCampaign::explain(const std::string& crash, const PowerOptions& options) {
  PowerClusters clusters(campaign_.exploration.trace, explorer_.history(),
                         [this](uint64_t stack) { return campaign_.builder.site_of(stack); });
  for (size_t i = 0; i < failures_.size(); ++i) {
    const auto whole = complaints_at(failures_[i].point.record, failures_[i].lost);
    if (!whole) return tl::unexpected(whole.error());
    // A smaller state must fail for the same reason, or the cause would be that of another fault.
    const auto said = std::find_if((*whole)->begin(), (*whole)->end(), is_violation);
    const auto fails = [this, said](uint64_t record,
                                    const std::vector<UnitId>& lost) -> Result<bool> {
      const auto complaints = complaints_at(record, lost);
      if (!complaints) return tl::unexpected(complaints.error());
      return std::any_of((*complaints)->begin(), (*complaints)->end(),
                         [said](const Complaint& complaint) {
                           return is_violation(complaint) && complaint.judge == said->judge &&
                                  complaint.path == said->path;
                         });
    };
    const Status added = clusters.add(static_cast<uint32_t>(i), failures_[i], fails);
    if (!added) return added;
  }
  for (const PowerCluster& cluster : clusters.clusters()) {
    std::vector<CrashPoint> points;
    for (const uint32_t number : cluster.states) points.push_back(failures_[number].point);
    std::sort(points.begin(), points.end());
    points.erase(std::unique(points.begin(), points.end()), points.end());
    // What is said of the example that is shown, not of the state that led to it.
    const auto complaints = complaints_at(cluster.cause.point, cluster.cause.lost);
    if (!complaints) return tl::unexpected(complaints.error());
    campaign_.builder.add_power_finding(cluster, {.crash = crash,
                                                  .model = std::string(options.model->name),
                                                  .tear_bytes = options.tear_bytes,
                                                  .history = explorer_.history(),
                                                  .complaints = **complaints,
                                                  .points = std::move(points)});
  }
  if (noted_.states() > 0) {
    campaign_.builder.note_broken_promises(fmt::format("{}, {}", crash, options.model->name),
                                           noted_.first(), noted_.states());
  }
  return {};
}

}  // namespace everycrash::cli
