// A campaign on a trace that was made by hand, judged by functions: it starts no process, and is
// over in milliseconds. For tests.
#pragma once

#include <gtest/gtest.h>

#include <atomic>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "harness/campaign/panel.h"
#include "harness/campaign/run_campaign.h"
#include "harness/campaign/seat.h"
#include "harness/campaign/workload.h"
#include "harness/campaign/workspace.h"
#include "harness/check/grounds.h"
#include "harness/explain/run_names.h"
#include "harness/model/persistence_model.h"
#include "harness/trace/recording_for_test.h"

namespace everycrash {

using Complaints = std::vector<Complaint>;

/// What the checker says where it rejects.
inline Complaint rejection(const std::string& path = "") {
  return {.judge = Judge::kChecker,
          .path = path,
          .message = "exit status 1",
          .wrong = Wrong::kRejected};
}
/// And where it cannot say.
inline Complaint cannot_tell(const std::string& why = "exit status 77") {
  return {.verdict = Verdict::kNotMeasured, .message = why, .wrong = Wrong::kCannotTell};
}

/// What the file PATH of STATE holds; nothing if there is none.
inline std::optional<std::string> content_in(const StateView& state, const std::string& path) {
  const NodeId file = state.tree->find(path);
  if (file == kNoNode) return std::nullopt;
  return state.tree->content(file);
}

/// Judges by a function, and counts how often it was asked. One function judges on all seats.
class FakeSeat final : public Seat {
 public:
  using Says = std::function<Complaints(const FakeSeat& seat, const StateView& state)>;
  explicit FakeSeat(Says says) : says_(std::move(says)) {}

  Result<Complaints> judge(const StateView& state) override {
    ++judged;
    return says_(*this, state);
  }
  Result<Aftermath> aftermath(const StateView& state) override {
    ++aftermaths;
    return Aftermath{"the checker", *state.tree};
  }
  [[nodiscard]] SinkMemory sink_memory(const StateView&) const override {
    return SinkMemory(SinkOptions{});
  }
  void set_for_commands(std::string_view name, std::string_view value) override {
    environment_[std::string(name)] = value;
  }
  [[nodiscard]] Status check_undisturbed() override { return {}; }

  /// A variable that commands were to find; "" = none.
  [[nodiscard]] std::string variable(const std::string& name) const {
    const auto found = environment_.find(name);
    return found == environment_.end() ? "" : found->second;
  }

  uint64_t judged = 0;      ///< calls of judge()
  uint64_t aftermaths = 0;  ///< and of aftermath()

 private:
  Says says_;
  std::map<std::string, std::string> environment_;
};

/// Change `plan` before run(). For one thread; the judges' function is called by one thread for
/// each worker.
class CampaignForTest {
 public:
  CampaignForTest(Trace trace, const FakeSeat::Says& says, size_t workers = 1)
      : trace_(std::move(trace)),
        workspace_(std::move(*Workspace::create())),
        workload_{.argv = {"/app"}, .state_directory = "/state"},
        names_(trace_) {
    History history = *History::of(trace_);
    Promises promises = *Promises::find(history, {});
    panel_.grounds = std::make_unique<Grounds>(
        Grounds{std::move(history), std::move(promises), {}, {.judges = {Judge::kChecker}}, {}});
    for (size_t i = 0; i < workers; ++i) panel_.seats.push_back(std::make_unique<FakeSeat>(says));
    plan.crash = {CrashKind::kKill};
  }

  Result<CampaignResult> run() { return run_campaign(input()); }
  /// Of what shards have told.
  Result<CampaignResult> merge(const ToldShards& told) {
    CampaignInput merged = input();
    merged.told = &told;
    return run_campaign(merged);
  }
  /// The facts of a run that must succeed.
  CampaignFacts facts() {
    Result<CampaignResult> result = run();
    EXPECT_TRUE(result.has_value()) << (result ? "" : result.error().message);
    return result ? std::move(result->facts) : CampaignFacts{};
  }

  [[nodiscard]] CampaignInput input() {
    return {plan,   workload_, workspace_,           trace_,  panel_,
            names_, progress_, {.requested = &stop}, nullptr, runs};
  }
  [[nodiscard]] const Trace& trace() const { return trace_; }
  [[nodiscard]] Panel& panel() { return panel_; }
  [[nodiscard]] FakeSeat& seat(size_t number = 0) {
    return static_cast<FakeSeat&>(*panel_.seats[number]);
  }

  CampaignPlan plan;
  std::atomic<bool> stop = false;
  RunMakers runs;  ///< put others there for campaigns that run the workload

 private:
  Trace trace_;
  Workspace workspace_;
  Workload workload_;
  Panel panel_;
  RunNames names_;
  Progress progress_;
};

/// A save that empties the file first: `f` holds "old", then from record kEmptied on nothing, then
/// "new".
inline constexpr uint64_t kEmptied = 5;
inline Trace unsafe_save() {
  Recording recording;
  recording.create("f", 1).write("f", 1, 0, "old").add(Kind::kClose, "f", "", 1, "");
  recording.print("saved\n");
  recording.empty("f", 1).write("f", 1, 0, "new").add(Kind::kClose, "f", "", 1, "");
  recording.print("saved\n");
  return recording.finish();
}

/// Rejects states in which a file F is there and empty, though something had been printed by then.
inline Complaints rejects_empty(const FakeSeat&, const StateView& state) {
  const bool empty = content_in(state, "f") == "" && !state.printed.empty();
  return empty ? Complaints{rejection("f")} : Complaints{};
}

inline Complaints accepts_all(const FakeSeat&, const StateView&) {
  return {};
}

}  // namespace everycrash
