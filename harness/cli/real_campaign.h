// Power failures on a real file system: the same judges on what its kernel finds, and for each
// finding of the models whether it was seen there.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <unordered_map>
#include <vector>

#include "harness/cli/exploration.h"
#include "harness/cli/power_campaign.h"
#include "harness/cli/real_judge.h"
#include "harness/disk/crash_run.h"
#include "harness/disk/disk.h"

namespace everycrash::cli {

/// One file system. Refers to CAMPAIGN, which has explored the models before. One thread.
class RealCampaign {
 public:
  /// CRASH is power or lost-fsync: then flushes of the disk count for nothing.
  RealCampaign(Campaign& campaign, std::string crash, DiskFileSystem file_system);

  /// Explores schedule after schedule, up to the number asked for; up to four times as many while a
  /// finding of its model was not seen. Adds coverage, sightings and new findings to the document.
  Status run();

 private:
  struct Sighting {
    uint64_t states = 0;
    std::string example;  ///< how to look at the first
  };
  Status run_schedule(const Schedule& schedule, size_t number);
  Status judge_state(CrashRun& run, size_t state, size_t schedule);
  Result<std::vector<Complaint>> complaints_at(CrashRun& run, const RealState& state,
                                               const FileSystem& tree);
  [[nodiscard]] std::string finding_for(const Digest& tree, const Complaint& said,
                                        const RealState& state);
  [[nodiscard]] std::string example_of(const std::string& finding, size_t schedule, size_t state);
  [[nodiscard]] bool all_seen() const;
  [[nodiscard]] bool is_over() const;
  [[nodiscard]] std::string name() const;
  void report();

  Campaign& campaign_;
  std::string crash_;
  DiskFileSystem file_system_;
  NotedPromises noted_;
  Outputs outputs_;
  std::unique_ptr<Disk> disk_;
  std::unordered_map<Digest, std::vector<Complaint>> known_;
  std::map<std::string, Sighting> seen_;  // by finding
  reports::Coverage coverage_;
};

}  // namespace everycrash::cli
