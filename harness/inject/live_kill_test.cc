// Proof that rebuilt states are the real ones: programs are killed for real at every crash point,
// and what is left must be what was rebuilt from the trace for that point.
#include "harness/inject/live_kill.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>

#include "harness/base/folder_for_test.h"
#include "harness/explore/state_builder.h"
#include "harness/model/difference.h"

namespace everycrash {
namespace {

class LiveKill : public testing::Test {
 protected:
  void SetUp() override {
    options_.state_directory = base_ / "state";
    options_.work_directory = base_ / "work";
    options_.trace_file = base_ / "trace";
    options_.trace_capacity = 256 << 20;
    std::filesystem::create_directory(options_.state_directory);
    std::filesystem::create_directory(options_.work_directory);
  }

  void write(const std::string& name, const std::string& text) {
    std::ofstream(options_.state_directory / name) << text;
  }

  /// One random name in a hundred looks like a word, and its crash points are in no other run.
  static bool has_random_name(const Trace& trace) {
    const PointNames names(trace);
    return std::any_of(
        trace.records().begin(), trace.records().end(), [&](const Operation& record) {
          return record.kind == Kind::kOpen &&
                 names.name({record.sequence, -1}).find("<random>") != std::string::npos;
        });
  }

  /// The trace of one run of COMMAND.
  Result<Trace> trace_of(std::vector<std::string> command) {
    options_.command = std::move(command);
    const Result<RecordOutcome> outcome = record(options_);
    if (!outcome) return tl::unexpected(outcome.error());
    const auto* exited = std::get_if<Exited>(&outcome->end);
    EXPECT_TRUE(exited != nullptr && exited->code == 0) << outcome->stderr_tail;
    return Trace::open(options_.trace_file);
  }

  /// Records COMMAND, then kills it at every crash point. What is left must be what the killed
  /// run's own trace says and, of a program that does the same each time, what the first run's
  /// trace says.
  void prove(std::vector<std::string> command, bool repeatable = true) {
    prove_by(trace_of(std::move(command)), repeatable);
  }
  void prove_by(const Result<Trace>& trace, bool repeatable) {
    ASSERT_TRUE(trace) << trace.error().message;
    const Result<KillStates> kills = KillStates::enumerate(*trace, {.all_points = true});
    ASSERT_TRUE(kills) << kills.error().message;
    ASSERT_GT(kills->states().size(), 3u) << "a proof over nothing proves nothing";

    kill_everywhere(*trace, *kills, Wanted::kTrace, repeatable);
    if (repeatable) kill_everywhere(*trace, *kills, Wanted::kState, repeatable);
  }

  void kill_everywhere(const Trace& trace, const KillStates& kills, Wanted wanted,
                       bool repeatable) {
    RecordOptions again = options_;
    again.trace_file = base_ / "live.trace";
    Result<std::unique_ptr<LiveStateMaker>> live =
        LiveStateMaker::create(trace, kills, again, {}, wanted);
    ASSERT_TRUE(live) << live.error().message;
    Result<StateBuilder> rebuilt = StateBuilder::create(trace);
    const PointNames names(trace);
    for (size_t i = 0; i < kills.states().size(); ++i) {
      const CrashPoint point = kills.states()[i].point;
      ASSERT_TRUE(rebuilt->move_to(point));
      Result<StateView> killed = (*live)->make(i);
      // Its random name may look like a word, too.
      if (killed && !killed->unavailable.empty()) killed = (*live)->make(i);
      ASSERT_TRUE(killed) << killed.error().message;
      ASSERT_EQ(killed->unavailable, "");
      if (point.record != 0 && wanted == Wanted::kTrace)
        expect_own_trace(*killed, names.name(point));
      if (!repeatable) continue;
      const std::vector<Difference> differences =
          find_differences(rebuilt->tree(), *killed->tree, {});
      EXPECT_TRUE(differences.empty()) << names.name(point) << ": " << describe(differences);
      EXPECT_EQ(killed->printed, rebuilt->printed()) << names.name(point);
      EXPECT_EQ(killed->events, rebuilt->events()) << names.name(point);
    }
  }

  void expect_own_trace(const StateView& killed, const std::string& name) {
    const Result<Trace> trace = Trace::open(base_ / "live.trace");
    ASSERT_TRUE(trace) << name << ": " << trace.error().message;
    Result<StateBuilder> rebuilt = StateBuilder::create(*trace);
    const Status moved = rebuilt->move_to({trace->records().size(), -1});
    ASSERT_TRUE(moved) << name << ": " << moved.error().message;
    const std::vector<Difference> differences = find_differences(rebuilt->tree(), *killed.tree, {});
    EXPECT_TRUE(differences.empty()) << name << ": " << describe(differences);
  }

  FolderForTest base_;
  RecordOptions options_;
};

bool is_installed(const std::string& program) {
  return access(program.c_str(), X_OK) == 0;
}

TEST_F(LiveKill, leaves_what_is_rebuilt_for_the_state_manager) {
  prove({STATE_MANAGER, "run", "--steps", "4", "--start-time", "1800000000"});
}

TEST_F(LiveKill, leaves_what_is_rebuilt_for_a_broken_state_manager) {
  prove({STATE_MANAGER, "run", "--steps", "3", "--start-time", "1800000000", "--break",
         "overwrite-in-place"});
}

TEST_F(LiveKill, leaves_what_is_rebuilt_for_sqlite) {
  if (!is_installed("/usr/bin/sqlite3")) GTEST_SKIP() << "sqlite3 is not installed";
  prove({"/usr/bin/sqlite3", "db",
         "create table t(a); insert into t values('one'); insert into t values('two'); select "
         "count(*) from t;"},
        false);  // its journal has a random header
}

TEST_F(LiveKill, leaves_what_is_rebuilt_for_sed_in_place) {
  write("f", "one\ntwo\n");
  const std::vector<std::string> command = {"/bin/sed", "-i", "s/one/1/", "f"};
  Result<Trace> trace = trace_of(command);
  for (int i = 0; i < 20 && trace && !has_random_name(*trace); ++i) trace = trace_of(command);
  prove_by(trace, false);
}

TEST_F(LiveKill, leaves_what_is_rebuilt_for_coreutils_in_a_shell) {
  prove({"/bin/sh", "-c",
         "mkdir a b; head -c 9000 /dev/zero | tr '\\0' x > a/f; cp a/f b/g; mv b/g a/h; ln a/h l; "
         "echo end; "
         "rm -r b; chmod 600 l; truncate -s 5000 a/f; sync a/f"});
}

TEST_F(LiveKill, leaves_what_is_rebuilt_for_tar) {
  write("f", std::string(10000, 'f'));
  prove({"/bin/sh", "-c", "tar cf t.tar --mtime=@0 f && mkdir x && tar xf t.tar -C x"});
}

TEST_F(LiveKill, tells_when_a_run_does_not_come_to_the_point) {
  options_.command = {"/bin/sh", "-c", ": > f"};
  const Result<KilledRun> run = run_and_kill(options_, {.base = "rename(never)", .occurrence = 1});
  ASSERT_TRUE(run) << run.error().message;
  EXPECT_FALSE(run->reached);
  EXPECT_NE(run->tree.find("f"), kNoNode);
}

TEST_F(LiveKill, can_come_before_the_call) {
  options_.command = {"/bin/sh", "-c", ": > f; mv f g"};
  const Result<KilledRun> run = run_and_kill(options_, {.base = "rename(g)", .before = true});
  ASSERT_TRUE(run) << run.error().message;
  EXPECT_TRUE(run->reached);
  EXPECT_NE(run->tree.find("f"), kNoNode);
}

TEST_F(LiveKill, kills_all_processes_of_the_workload) {
  options_.command = {"/bin/sh", "-c", "(sleep 30; : > late) & : > now; sleep 30"};
  const Result<KilledRun> run = run_and_kill(options_, {.base = "open(now)"});
  ASSERT_TRUE(run) << run.error().message;
  EXPECT_TRUE(run->reached);
  EXPECT_EQ(run->tree.find("late"), kNoNode);
}

}  // namespace
}  // namespace everycrash
