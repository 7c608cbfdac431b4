#include "harness/inject/two_runners.h"

#include <gtest/gtest.h>

#include <string>

#include "harness/base/folder_for_test.h"
#include "harness/trace/trace.h"

namespace everycrash {
namespace {

class TwoRunnersTest : public testing::Test {
 protected:
  void SetUp() override {
    for (const char* folder : {"state", "work", "pairs"})
      std::filesystem::create_directory(base_ / folder);
    options_.state_directory = base_ / "state";
    options_.work_directory = base_ / "work";
    options_.trace_capacity = 64 << 20;
    options_.timeout = std::chrono::seconds(20);
    options_.grace = std::chrono::milliseconds(100);
  }

  /// Runs the shell script twice at once as SCHEDULE says.
  PairRun run(const std::string& script, const TurnSchedule& schedule) {
    options_.command = {"/bin/sh", "-c", script};
    Result<std::unique_ptr<TwoRunners>> runners = TwoRunners::create(options_, base_ / "pairs");
    EXPECT_TRUE(runners) << runners.error().message;
    (*runners)->start_from(FileSystem(), "", "", false);
    Result<PairRun> run = (*runners)->run(schedule);
    EXPECT_TRUE(run) << run.error().message;
    return *run;
  }

  /// Who did what to the tree, in order: "0 open a, 1 open a".
  static std::string order_in(const PairRun& run) {
    const Result<Trace> trace = Trace::open(run.trace_file);
    EXPECT_TRUE(trace) << trace.error().message;
    std::string order;
    for (const Operation& record : trace->records()) {
      if (!is_operation(record.kind) || record.kind == Kind::kClose) continue;
      const std::string_view path = record.other_path.empty() ? record.path : record.other_path;
      order += (order.empty() ? "" : ", ") + std::to_string(record.runner) + " " +
               std::string(name_of(record.kind)) + " " + std::string(path);
    }
    return order;
  }

  FolderForTest base_;
  RecordOptions options_;
};

constexpr uint64_t kAll = RunnerGroup::kAll;
using Stop = TurnTaken::Stop;

TEST_F(TwoRunnersTest, runs_one_after_the_other) {
  const PairRun pair = run("mkdir a; mkdir b", {.turns = {{0, kAll}, {1, kAll}}});
  EXPECT_EQ(order_in(pair), "0 mkdir a, 0 mkdir b, 1 mkdir a, 1 mkdir b");
  EXPECT_EQ(pair.operations[0], 2u);
}

TEST_F(TwoRunnersTest, lets_the_first_stand_before_its_second_operation) {
  const PairRun pair = run("mkdir a; mkdir b", {.turns = {{0, 1}, {1, kAll}}});
  EXPECT_EQ(order_in(pair), "0 mkdir a, 1 mkdir a, 1 mkdir b, 0 mkdir b");
  EXPECT_EQ(pair.turns.front().stop, Stop::kStands);
}

TEST_F(TwoRunnersTest, keeps_to_two_preemptions) {
  const PairRun pair =
      run("mkdir a; mkdir b; mkdir c", {.turns = {{0, 1}, {1, 2}, {0, kAll}, {1, kAll}}});
  EXPECT_EQ(order_in(pair), "0 mkdir a, 1 mkdir a, 1 mkdir b, 0 mkdir b, 0 mkdir c, 1 mkdir c");
}

TEST_F(TwoRunnersTest, kills_the_first_where_it_stands) {
  const PairRun pair =
      run("mkdir a; mkdir b", {.turns = {{0, 1}, {1, kAll}, {0, kAll}}, .kill_first = true});
  EXPECT_EQ(order_in(pair), "0 mkdir a, 1 mkdir a, 1 mkdir b");
  EXPECT_EQ(pair.turns.back().stop, Stop::kKilled) << pair.turns.size();
}

TEST_F(TwoRunnersTest, passes_the_turn_where_one_waits_for_a_lock) {
  const PairRun pair = run("exec 9> lock; flock 9; mkdir a$$; mkdir b$$; rmdir a$$ b$$",
                           {.turns = {{0, 3}, {1, kAll}}});
  ASSERT_GE(pair.turns.size(), 3u);
  EXPECT_EQ(pair.turns[1].stop, Stop::kWaits);
  EXPECT_EQ(pair.turns[2].stop, Stop::kEnded) << "the first goes on while the second waits";
  EXPECT_TRUE(pair.unusable.empty()) << pair.unusable;
}

TEST_F(TwoRunnersTest, stands_before_it_asks_for_a_lock) {
  // Both count before they have the lock.
  const PairRun pair = run("exec 9>> lock; n=$(ls | wc -l); flock 9; mkdir $n; mkdir b$$",
                           {.turns = {{0, 2}, {1, kAll}, {0, kAll}}});
  EXPECT_EQ(pair.turns.front().stop, Stop::kStands);
  EXPECT_EQ(pair.turns[1].stop, Stop::kEnded) << "the first does not hold the lock yet";
  const std::string order = order_in(pair);
  EXPECT_EQ(order.substr(0, order.find(", 1 mkdir b")), "0 open lock, 1 open lock, 1 mkdir 1");
  EXPECT_NE(order.find("0 mkdir 1"), std::string::npos) << order;
}

TEST_F(TwoRunnersTest, does_not_stand_before_it_gives_a_lock_back) {
  const PairRun pair =
      run("exec 9> lock; flock 9; flock -u 9; mkdir $$", {.turns = {{0, kAll}, {1, kAll}}});
  EXPECT_EQ(pair.operations[0], 4u);
}

TEST_F(TwoRunnersTest, looks_a_name_up_anew_after_waiting) {
  // Both see that there is no file; the second to write it empties what the first has written.
  const PairRun pair = run("echo longer > f", {.turns = {{0, 0}, {1, kAll}}});
  EXPECT_EQ(order_in(pair), "1 open f, 1 write f, 0 open f, 0 write f");
  const Result<Trace> trace = Trace::open(pair.trace_file);
  ASSERT_TRUE(trace);
  for (const Operation& record : trace->records()) {
    if (record.kind != Kind::kOpen) continue;
    EXPECT_EQ(record.has(format::kCreated), record.runner == 1) << record.runner;
    EXPECT_EQ(record.has(format::kTruncated), record.runner == 0) << record.runner;
  }
}

TEST_F(TwoRunnersTest, does_not_take_a_sleeping_one_for_a_waiting_one_while_it_is_alone) {
  const PairRun pair = run("mkdir a; sleep 0.2; mkdir b", {.turns = {{0, 1}, {1, kAll}}});
  EXPECT_EQ(pair.turns.front().stop, Stop::kStands);
}

TEST_F(TwoRunnersTest, tells_how_each_ended) {
  const PairRun pair = run("mkdir a || exit 7", {.turns = {{0, kAll}, {1, kAll}}});
  EXPECT_EQ(describe(pair.ends[0]), "exit status 0");
  EXPECT_EQ(describe(pair.ends[1]), "exit status 7");
}

TEST_F(TwoRunnersTest, says_so_where_two_wait_for_each_other_for_ever) {
  options_.timeout = std::chrono::milliseconds(1500);
  const PairRun pair = run("mkdir $$; sleep 60", {.turns = {{0, kAll}, {1, kAll}}});
  EXPECT_NE(pair.unusable, "");
}

}  // namespace
}  // namespace everycrash
