// Power failures on a real file system: the same judges on what its kernel finds, and for each
// finding of the models whether it was seen there.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

#include "harness/campaign/campaign.h"
#include "harness/campaign/noted_promises.h"
#include "harness/check/power_state_maker.h"
#include "harness/disk/crash_run.h"
#include "harness/disk/disk.h"

namespace everycrash {

/// One file system. Refers to CAMPAIGN, which has explored the models before. One thread.
class RealCampaign {
 public:
  /// CRASH is power or lost-fsync: then flushes of the disk count for nothing.
  RealCampaign(Campaign& campaign, CrashKind crash, DiskFileSystem file_system);

  /// Explores schedule after schedule, up to the number asked for; up to four times as many while a
  /// finding of its model was not seen. Adds coverage, sightings and new findings to the facts,
  /// also where it fails on the way.
  Status run();

 private:
  struct Seen {
    uint64_t states = 0;
    Sighting first;  ///< how to look at the first
  };
  Status run_schedule(const Schedule& schedule, size_t number);
  Status judge_state(CrashRun& run, size_t state, size_t schedule);
  Result<std::vector<Complaint>> complaints_at(CrashRun& run, const RealState& state,
                                               const FileSystem& tree);
  struct Found {
    std::string finding;
    bool exact;  ///< the state is one of the finding's own
  };
  [[nodiscard]] Found finding_for(const Digest& tree, const Complaint& said,
                                  const RealState& state);
  [[nodiscard]] Complaint unreadable(const std::string& why) const;
  Status keep_image(const std::string& finding, const RealState& state, Sighting& sighting);
  [[nodiscard]] Sighting sighting_of(const std::string& finding, const std::string& why) const;
  [[nodiscard]] bool all_seen() const;
  [[nodiscard]] bool is_over() const;
  void report(const Status& running);

  Campaign& campaign_;
  CrashKind crash_;
  DiskFileSystem file_system_;
  NotedPromises noted_;
  Outputs outputs_;
  std::unique_ptr<Disk> disk_;
  std::unordered_map<Digest, std::vector<Complaint>> known_;
  std::map<std::string, Seen> seen_;   // by finding
  std::map<std::string, Seen> alike_;  // the same, of states that may have another cause
  std::set<uint64_t> points_;          // last records of the states that were looked at
  CoverageFacts coverage_;
};

/// Explores power failures, or those of a disk that lies, on a real file system, after all models.
[[nodiscard]] Status explore_real(Campaign& campaign, CrashKind crash,
                                  const DiskFileSystem& file_system);

}  // namespace everycrash
