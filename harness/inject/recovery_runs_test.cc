#include "harness/inject/recovery_runs.h"

#include <gtest/gtest.h>

#include "harness/base/folder_for_test.h"
#include "harness/check/run/materialise.h"
#include "harness/explore/state_builder.h"
#include "harness/trace/trace.h"

namespace everycrash {
namespace {

class RecoveryRunsTest : public testing::Test {
 protected:
  void SetUp() override {
    for (const char* folder : {"state", "work", "recoveries"})
      std::filesystem::create_directory(base_ / folder);
    options_.state_directory = base_ / "state";
    options_.work_directory = base_ / "work";
    options_.trace_capacity = 64 << 20;
    options_.grace = std::chrono::milliseconds(100);
  }

  RecoveryRun run(const std::string& script, const FileSystem& tree, std::string_view printed = "",
                  std::string_view events = "") {
    options_.command = {"/bin/sh", "-c", script};
    Result<std::unique_ptr<RecoveryRuns>> runs =
        RecoveryRuns::create(options_, base_ / "recoveries");
    EXPECT_TRUE(runs) << runs.error().message;
    Result<RecoveryRun> done = (*runs)->run(tree, printed, events);
    EXPECT_TRUE(done) << done.error().message;
    return *done;
  }

  static FileSystem tree_with(const std::string& name, std::string_view text) {
    FileSystem tree;
    const NodeId file = tree.create({.mode = 0100644});
    tree.write(file, 0, text);
    tree.set_entry(kRootNode, tree.name_id(name), file);
    return tree;
  }

  FolderForTest base_;
  RecordOptions options_;
};

TEST_F(RecoveryRunsTest, records_what_recovery_does_to_a_state) {
  const RecoveryRun done = run("cat old >> new; rm old", tree_with("old", "text\n"));
  EXPECT_TRUE(done.succeeded()) << done.unusable;
  const Result<Trace> trace = Trace::open(done.trace_file);
  ASSERT_TRUE(trace) << trace.error().message;
  Result<StateBuilder> states = StateBuilder::create(*trace);
  ASSERT_TRUE(states);
  EXPECT_NE(states->tree().find("old"), kNoNode) << "it begins with the state";
  ASSERT_TRUE(states->move_to({trace->records().size(), -1}));
  EXPECT_EQ(states->tree().find("old"), kNoNode);
  EXPECT_EQ(states->tree().content(states->tree().find("new")), "text\n");
}

TEST_F(RecoveryRunsTest, shows_what_had_come_out_before_the_crash) {
  const RecoveryRun done = run("cat $EVERYCRASH_STDOUT $EVERYCRASH_EFFECTS > seen", FileSystem(),
                               "saved 1\n", "step work\neffect mail a\n");
  EXPECT_TRUE(done.succeeded()) << done.unusable;
  const Result<FileSystem> left = read_tree(base_ / "state");
  ASSERT_TRUE(left);
  EXPECT_EQ(left->content(left->find("seen")), "saved 1\neffect mail a\n");
}

TEST_F(RecoveryRunsTest, does_not_take_a_failing_recovery_for_a_ground) {
  EXPECT_FALSE(run("exit 3", FileSystem()).succeeded());
}

}  // namespace
}  // namespace everycrash
