#include "harness/campaign/run_campaign.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <optional>
#include <span>
#include <utility>

#include "harness/campaign/again_campaign.h"
#include "harness/campaign/concurrent_campaign.h"
#include "harness/campaign/io_error_campaign.h"
#include "harness/campaign/kill_campaign.h"
#include "harness/campaign/panel.h"
#include "harness/campaign/power_campaign.h"
#include "harness/campaign/real_campaign.h"
#include "harness/campaign/workload.h"
#include "harness/campaign/workspace.h"

namespace everycrash {
namespace {

/// One part of a campaign: a crash kind, under one model where it has models.
struct Part {
  CrashKind crash = CrashKind::kKill;
  const PersistenceRules* model = nullptr;  ///< may be null
  const DiskFileSystem* real = nullptr;     ///< the real file system, null = none

  [[nodiscard]] std::string under() const {
    if (real != nullptr) return real->name();
    return model != nullptr ? std::string(model->name) : "";
  }
};

std::vector<Part> parts_of(const CampaignPlan& plan) {
  std::vector<Part> parts;
  for (const CrashKind crash : plan.crash) {
    if (is_run_anew(crash)) continue;
    if (!loses_power(crash)) {
      parts.push_back({.crash = crash});
      continue;
    }
    for (const PersistenceRules* model : plan.models) {
      parts.push_back({.crash = crash, .model = model});
    }
  }
  for (const CrashKind crash : plan.crash) {
    if (!loses_power(crash)) continue;
    for (const DiskFileSystem& real : plan.real.file_systems) {
      parts.push_back({.crash = crash, .real = &real});
    }
  }
  for (const CrashKind crash : {CrashKind::kAgain, CrashKind::kConcurrent}) {
    const bool asked = std::find(plan.crash.begin(), plan.crash.end(), crash) != plan.crash.end();
    if (asked) parts.push_back({.crash = crash});
  }
  return parts;
}

class Explorations {
 public:
  explicit Explorations(Campaign& campaign) : campaign_(campaign) {}

  Status explore(std::span<const Part> parts) {
    const bool is_again = std::any_of(parts.begin(), parts.end(), [](const Part& part) {
      return part.crash == CrashKind::kAgain;
    });
    if (is_again) again_.emplace(campaign_);
    const auto end = campaign_.deadline;
    for (size_t i = 0; i < parts.size(); ++i) {
      if (campaign_.ends_at_finding()) {
        tell_left_out(parts.subspan(i));
        return {};
      }
      if (end) {
        const auto now = std::chrono::steady_clock::now();
        campaign_.deadline = now + (*end - now) / static_cast<int64_t>(parts.size() - i);
      }
      if (Status done = explore_or_defer(parts[i]); !done) return done;
    }
    return {};
  }

  [[nodiscard]] Status take_deferred() { return std::exchange(deferred_, {}); }

 private:
  Status explore(const Part& part) {
    if (part.real != nullptr) return explore_real(campaign_, part.crash, *part.real);
    switch (part.crash) {
      case CrashKind::kPower:
      case CrashKind::kLostFsync:
        if (again_) again_->watch(part.crash, part.under());
        return explore_power(campaign_, part.crash, *part.model);
      case CrashKind::kKill:
        if (again_) again_->watch(part.crash, "");
        return explore_kill(campaign_);
      case CrashKind::kClock:
        return explore_clock(campaign_);
      case CrashKind::kIoError:
        return explore_io_errors(campaign_);
      case CrashKind::kAgain:
        return again_->run();
      case CrashKind::kConcurrent:
        return ConcurrentCampaign(campaign_).run();
      case CrashKind::kChaos:
        break;  // has no states that can be listed
    }
    EVERYCRASH_ASSERT(part.crash != CrashKind::kChaos);
    return {};
  }

  /// What the models found is told also where a real file system cannot be explored: then its error
  /// comes after that.
  Status explore_or_defer(const Part& part) {
    Status done = explore(part);
    if (done || part.real == nullptr || campaign_.input.stop()) return done;
    const std::string& why = done.error().message;
    campaign_.facts.gaps.emplace_back(RealRefused{part.under(), why.substr(0, why.find('\n'))});
    if (deferred_) deferred_ = std::move(done);
    return {};
  }

  /// Says which parts were not even begun.
  void tell_left_out(std::span<const Part> parts) {
    PartsLeftOut left;
    for (const Part& part : parts) {
      left.parts.push_back({part.crash, part.under()});
      if (part.real != nullptr) continue;
      // Without its row the run would count as exhaustive.
      campaign_.facts.coverage.push_back(
          {.crash = part.crash, .model = part.under(), .bounds = {NotBegun{}}});
    }
    campaign_.facts.gaps.emplace_back(std::move(left));
  }

  Campaign& campaign_;
  std::optional<AgainCampaign> again_;
  Status deferred_;
};

}  // namespace

Status check_changes(const Trace& trace, const Workload& workload) {
  const auto& records = trace.records();
  const bool changes = std::any_of(records.begin(), records.end(), [](const Operation& record) {
    return is_operation(record.kind) && changes_state(record);
  });
  if (changes) return {};
  return fail(
      ErrorKind::kNothing,
      fmt::format(
          "nothing to explore: the workload changed nothing in its state directory {}\n"
          "It must keep its files below its working directory; or name their folder with --dir.",
          workload.state_directory.string()));
}

Result<CampaignResult> run_campaign(const CampaignInput& input) {
  Result<Campaign> campaign = make_campaign(input);
  if (!campaign) return tl::unexpected(campaign.error());
  campaign->facts.limitations = input.panel.limitations;
  if (!input.workspace.in_memory()) {
    campaign->facts.limitations.emplace_back(
        NoMemoryFileSystem{input.workspace.path().parent_path().string()});
  }
  Explorations explorations(*campaign);
  const std::vector<Part> parts = parts_of(input.plan);
  if (Status ok = explorations.explore(parts); !ok) return tl::unexpected(ok.error());
  campaign->facts.interrupted = campaign->was_interrupted();
  assert_sound(campaign->facts, input.trace);
  return CampaignResult{std::move(campaign->facts), std::move(campaign->verdicts),
                        explorations.take_deferred()};
}

}  // namespace everycrash
