// The result document of `everycrash chaos`: its figures, and the rounds that were not good, those
// that failed alike as one finding.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "harness/cli/chaos_report.h"
#include "harness/cli/exploration.h"
#include "harness/model/file_system.h"

namespace everycrash::cli {

/// A round after which a judge rejects what is left, or the workload cannot go on.
struct ChaosFailure {
  uint64_t round = 0;
  std::string judge;
  std::string path;                ///< the broken file, "" if it is not one
  std::vector<std::string> said;   ///< the first one is what the round is known by
  std::vector<std::string> lives;  ///< the faults of each, and how it ended
  FileSystem tree;                 ///< what they left
  std::string printed;
};

/// The judge of a workload that fails although it is left in peace.
inline constexpr const char* kEventualSuccess = "eventual success";

/// Failures that are alike: the first one, and the rounds of all.
struct ChaosCluster {
  ChaosFailure first;
  std::vector<uint64_t> rounds;
};

/// By what tells them apart: the judge, the file, or what was said with its numbers left out.
class ChaosClusters {
 public:
  void add(ChaosFailure failure);
  [[nodiscard]] const std::map<std::string, ChaosCluster>& by_key() const { return clusters_; }

 private:
  std::map<std::string, ChaosCluster> clusters_;
};

/// ARGUMENTS (the program's name in front) so that only ROUND of SEED is played, as a line for a
/// shell.
[[nodiscard]] std::string command_of_round(const std::vector<std::string>& arguments, uint64_t seed,
                                           uint64_t round);

/// The document of a run of chaos that EXPLORATION describes; `command` of it repeats the run.
[[nodiscard]] reports::ResultDocument chaos_document(const Exploration& exploration,
                                                     const Panel& panel, const ChaosCounts& counts,
                                                     const ChaosClusters& clusters);

}  // namespace everycrash::cli
