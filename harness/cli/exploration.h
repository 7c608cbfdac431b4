// From a trace to a verdict: all crash states, judged, explained, reported.
#pragma once

#include <chrono>
#include <filesystem>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "harness/base/digest.h"
#include "harness/base/error.h"
#include "harness/cli/document_builder.h"
#include "harness/cli/judging.h"
#include "harness/cli/options.h"
#include "harness/cli/workload.h"
#include "harness/cli/workspace.h"
#include "harness/trace/trace.h"
#include "reports/terminal.h"

namespace everycrash::cli {

/// What an exploration starts from; everything in it must outlive the call.
struct Exploration {
  const TestOptions& options;
  const Workload& workload;
  const Workspace& workspace;
  const Trace& trace;
  std::filesystem::path trace_file;
  std::string command;  ///< repeats the run, quoted for a shell
};

/// Explores, prints the report, keeps what a replay needs, and returns the exit status. Errors are
/// those that leave nothing to report: the checker fails without a crash, the machine refuses.
[[nodiscard]] Result<int> explore(const Exploration& exploration);

/// What the explorations of the crash kinds share while they run.
struct Campaign {
  const Exploration& exploration;
  Panel& panel;
  DocumentBuilder& builder;
  reports::Terminal& terminal;  ///< for progress
  std::optional<std::chrono::steady_clock::time_point> deadline;
  Shard shard;
  /// Complaints against states that were judged under an earlier model, by what separates verdicts.
  std::unordered_map<Digest, std::vector<Complaint>> judged = {};

  /// Options for examine(): the deadline, interrupts, and a progress line about WHAT.
  [[nodiscard]] ExaminationOptions examination(std::string what, size_t total) const;
};

/// Lends a judge of the panel to an examination.
class LentJudge : public StateJudgement {
 public:
  explicit LentJudge(StateJudge& judge) : judge_(judge) {}
  Result<std::vector<Complaint>> judge(const StateView& state) override {
    return judge_.judge(state);
  }

 private:
  StateJudge& judge_;
};

/// Adds one judged state, or all states in EXAMINED, to the numbers of COVERAGE.
void count_verdict(Verdict verdict, reports::Coverage& coverage);
void count_verdicts(const Examined& examined, reports::Coverage& coverage);

/// Adds coverage and findings of `--crash kill` to the document.
[[nodiscard]] Status explore_kill(Campaign& campaign);

/// The same of `--crash power` and `--crash lost-fsync` under one model.
[[nodiscard]] Status explore_power(Campaign& campaign, const std::string& crash,
                                   const std::string& model);

}  // namespace everycrash::cli
