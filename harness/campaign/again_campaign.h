// `--crash again`: a second crash while recovery runs, a third, and so on.
//
// From each distinct state that one crash can leave, and that is not rejected by itself, recovery
// is run for real and recorded; the states in which it can be crashed in turn are explored as those
// of any run are. States are shared over all levels: what was judged once, or recovered from once,
// is not looked at again. It ends when no new state comes up, at the depth that was asked for, or
// when the time is over; what it did not come to is counted.
//
// What one crash shows already is no finding here: chains are as short as they can be.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "harness/campaign/again_watch.h"
#include "harness/campaign/campaign.h"
#include "harness/inject/recovery_runs.h"

namespace everycrash {

/// Refers to CAMPAIGN, which must outlive it. One thread; its workers are those of the campaign.
class AgainCampaign {
 public:
  explicit AgainCampaign(Campaign& campaign);

  /// To be called before the campaign explores a crash of that kind itself: its states then need
  /// not be judged twice.
  void watch(CrashKind crash, const std::string& model);

  /// Explores, and adds coverage and findings to the facts of the campaign. Fails with kUsage or
  /// kHarness where there is no recovery that could be crashed.
  Status run();

 private:
  /// A kind of crash: {kKill, ""}, {kPower, "ext4"}.
  using Way = std::pair<CrashKind, std::string>;

  Result<RecordOptions> recovery() const;
  Result<RecoveryRun> run_recovery(const FileSystem& tree, std::string_view printed,
                                   std::string_view events, const SinkMemory& sink);
  Status check_undisturbed();
  Status crash_once();
  Status crash_again(uint32_t depth);
  Result<std::shared_ptr<const CrashedRun>> recover(const RecoveryStart& start);
  Result<std::shared_ptr<const CrashedRun>> continued(const CrashedRun& run);
  Result<std::shared_ptr<const CrashedRun>> crashed_run(Trace trace, RunOrigin origin);
  /// What the states of one run after crashes of one kind have shown.
  Result<CampaignFacts> explore(const std::shared_ptr<const CrashedRun>& run, const Trace& trace,
                                const Way& way, const RunNames& names, bool collect);
  void take_coverage(const Way& way, const std::vector<CoverageFacts>& found);
  void take_findings(const CrashedRun& run, const Way& way, std::vector<FindingFacts> found);
  [[nodiscard]] std::vector<EarlierCrashFacts> chain_to(const CrashedRun& run) const;
  void finish();
  [[nodiscard]] std::vector<Bound> bounds_of(const Way& way) const;
  void tell(std::string point, const std::string& why);

  Campaign& campaign_;
  const CampaignPlan& plan_;
  AgainWatch watch_;
  std::vector<Way> ways_;
  std::set<Way> watched_;  // explored by the campaign itself
  std::unique_ptr<RecoveryRuns> runs_;
  std::vector<RecoveryStart> starts_;
  std::set<std::string> known_causes_;  // ids of what one crash shows
  std::map<Way, CoverageFacts> coverage_;
  std::map<std::string, size_t> findings_;         // by id, position in the facts
  std::map<std::string, FailedRecovery> reasons_;  // why a recovery could not be crashed
  uint64_t recovered_ = 0, unusable_ = 0, left_ = 0, new_ = 0, rejected_ = 0;
  uint32_t levels_ = 0;
};

}  // namespace everycrash
