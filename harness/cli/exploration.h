// From a trace to a verdict: all crash states, judged, explained, reported.
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "harness/base/error.h"
#include "harness/check/examination.h"
#include "harness/cli/document_builder.h"
#include "harness/cli/effect_tally.h"
#include "harness/cli/evidence.h"
#include "harness/cli/judging.h"
#include "harness/cli/options.h"
#include "harness/cli/verdicts.h"
#include "harness/cli/workload.h"
#include "harness/cli/workspace.h"
#include "harness/trace/trace.h"
#include "reports/merge.h"
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
  /// Set for a merge: nothing is judged but what is needed to explain, the rest was by shards.
  const reports::JoinedShards* shards = nullptr;
};

/// Explores, prints the report, keeps what a replay needs, and returns the exit status. Errors are
/// those that leave nothing to report: the checker fails without a crash, the machine refuses.
[[nodiscard]] Result<int> explore(const Exploration& exploration);

/// What a document says of the run itself: program, options, machine, judges.
void describe_run(reports::ResultDocument& document, const Exploration& exploration,
                  const Panel& panel);

/// Keeps DOCUMENT and what a replay needs where OPTIONS say (--json, else --output if there is a
/// finding), and draws the report for people (--report).
[[nodiscard]] Status keep_and_draw(reports::ResultDocument& document,
                                   const Exploration& exploration);

/// Stands between the explorations and the judges: sees every state and what is said of it, and may
/// add what the exploration does not know. Called by all workers at once.
class StateWatch {
 public:
  virtual ~StateWatch() = default;
  virtual Result<std::vector<Complaint>> judge(StateJudge& judge, const StateView& state) = 0;
};

/// What the explorations of the crash kinds share while they run.
struct Campaign {
  const Exploration& exploration;
  Panel& panel;
  DocumentBuilder& builder;
  reports::Terminal& terminal;  ///< for progress
  std::optional<std::chrono::steady_clock::time_point> deadline;
  Shard shard;
  Verdicts verdicts;
  EvidenceCollector evidence;
  std::set<uint64_t> crashed;  ///< records at which, or right after which, a crash was judged
  std::unordered_map<Digest, std::string> causes = {};  ///< by failing tree: the finding
  StateWatch* watch = nullptr;                          ///< may be null
  /// Which findings are to be shown as they look; null = all.
  std::function<bool(const reports::Finding&)> shows = nullptr;
  bool brief = false;        ///< one of many: call sites are not of interest
  uint64_t from_record = 0;  ///< of power losses, only those at or behind this record
  EffectTally effects = {};

  /// Options for examine(): the deadline, interrupts, and a progress line about WHAT.
  [[nodiscard]] ExaminationOptions examination(const std::string& what, size_t total) const;
  /// FINDING is to be shown as it looks, and there is time for that.
  [[nodiscard]] bool wants_evidence(const reports::Finding& finding) const;
  /// This run was, or one of the shards that are merged.
  [[nodiscard]] bool was_interrupted() const;
};

/// Lends a judge of the panel to an examination. A state that fails by a program that was run on it
/// is judged again, as long as that costs little beside the rest: what passes then is not
/// measured, and its checker is called flaky.
class LentJudge : public StateJudgement {
 public:
  explicit LentJudge(StateJudge& judge, StateWatch* watch = nullptr)
      : judge_(judge), watch_(watch) {}
  Result<std::vector<Complaint>> judge(const StateView& state) override;

 private:
  StateJudge& judge_;
  StateWatch* watch_;
  uint64_t judged_ = 0, judged_again_ = 0;
};

/// What SAID holds against a state, but that which AGAIN, said of it later, does not repeat: this
/// is not measured.
[[nodiscard]] std::vector<Complaint> without_flaky(std::vector<Complaint> said,
                                                   const std::vector<Complaint>& again);

/// Gives a maker only the chosen states, numbered from 0. CHOSEN must outlive it and may change
/// between examinations.
class ChosenStates : public StateMaker {
 public:
  ChosenStates(std::unique_ptr<StateMaker> maker, const std::vector<uint32_t>& chosen)
      : maker_(std::move(maker)), chosen_(chosen) {}
  Result<StateView> make(size_t number) override { return maker_->make(chosen_[number]); }

 private:
  std::unique_ptr<StateMaker> maker_;
  const std::vector<uint32_t>& chosen_;
};

/// Adds one judged state, or all states in EXAMINED, to the numbers of COVERAGE.
void count_verdict(Verdict verdict, reports::Coverage& coverage);
void count_verdicts(const Examined& examined, reports::Coverage& coverage);

/// Adds to REASONS why a state with these complaints could not be judged.
void add_reasons(const std::vector<Complaint>& complaints, std::set<std::string>& reasons);
/// Adds to the document why states could not be judged, each reason once.
void tell_reasons(const std::set<std::string>& reasons, reports::ResultDocument& document);
void tell_not_measured(const Examined& examined, reports::ResultDocument& document);

/// Adds coverage and findings of `--crash kill` to the document.
[[nodiscard]] Status explore_kill(Campaign& campaign);

/// The same of `--crash clock`: the states of a killed process, each judged by clocks that are off.
[[nodiscard]] Status explore_clock(Campaign& campaign);

/// The same of `--crash io-error`.
[[nodiscard]] Status explore_io_errors(Campaign& campaign);

/// The same of `--crash power` and `--crash lost-fsync` under one model.
[[nodiscard]] Status explore_power(Campaign& campaign, const std::string& crash,
                                   const std::string& model);

/// The same on a real file system, after all models.
[[nodiscard]] Status explore_real(Campaign& campaign, const std::string& crash,
                                  const std::string& file_system);

}  // namespace everycrash::cli
