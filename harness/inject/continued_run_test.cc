#include "harness/inject/continued_run.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <fstream>
#include <set>
#include <string>

#include "harness/explore/power_states.h"
#include "harness/explore/state_builder.h"
#include "harness/model/persistence_model.h"
#include "harness/trace/recording_for_test.h"

namespace everycrash {
namespace {

constexpr uint64_t kTemporary = 12;

/// What "state" can hold when the power fails in RUN at or behind FROM, on xfs.
std::set<std::string> states_of(const Trace& run, uint64_t from) {
  PowerOptions options{.model = *find_model("xfs"), .from_record = from};
  Result<PowerExplorer> explorer = PowerExplorer::create(run, options);
  EXPECT_TRUE(explorer.has_value());
  std::set<std::string> found;
  while (explorer->next()) {
    const NodeId state = explorer->tree().find("state");
    found.insert(state == kNoNode ? "(none)" : explorer->tree().content(state));
  }
  return found;
}

void put(const std::filesystem::path& file, const std::string& text) {
  std::ofstream(file) << text;
}

class ContinuedRunTest : public testing::Test {
 protected:
  ContinuedRunTest() {
    put(first_.tree() / "state", "old");
    first_.initial();
    first_.create("tmp", kTemporary).write("tmp", kTemporary, 0, "new");
    put(second_.tree() / "state", "old");
    put(second_.tree() / "tmp", "new");
    second_.initial();
  }
  /// The number by which the second run knows a file.
  uint64_t inode(const std::string& name) const {
    struct stat status {};
    EXPECT_EQ(stat((second_.tree() / name).c_str(), &status), 0);
    return status.st_ino;
  }
  Result<ContinuedRun> continued(const Trace& first, CrashPoint killed, const Trace& second) {
    return continue_run(first, killed, second, first_.tree().parent_path() / "whole");
  }

  Recording first_, second_;
};

TEST_F(ContinuedRunTest, LosesWhatTheKilledRunDidNotSync) {
  second_.rename("tmp", "state", inode("tmp"));
  const Trace first = first_.finish();
  const Trace second = second_.finish();
  const CrashPoint last{first.records().back().sequence, -1};
  const Result<ContinuedRun> whole = continued(first, last, second);
  ASSERT_TRUE(whole) << whole.error().message;
  EXPECT_THAT(states_of(second, 0), testing::UnorderedElementsAre("old", "new"));
  EXPECT_THAT(states_of(whole->trace, whole->begin),
              testing::UnorderedElementsAre("old", "new", ""));
}

TEST_F(ContinuedRunTest, KeepsWhatTheSecondSyncs) {
  second_.fsync("tmp", inode("tmp")).rename("tmp", "state", inode("tmp"));
  const Trace first = first_.finish();
  const Trace second = second_.finish();
  const CrashPoint last{first.records().back().sequence, -1};
  const Result<ContinuedRun> whole = continued(first, last, second);
  ASSERT_TRUE(whole) << whole.error().message;
  EXPECT_THAT(states_of(whole->trace, whole->begin), testing::UnorderedElementsAre("old", "new"));
}

TEST_F(ContinuedRunTest, EndsTheFirstWhereItWasKilled) {
  first_.write("tmp", kTemporary, 3, std::string(8192, 'x'));
  const Trace first = first_.finish();
  const Trace second = second_.finish();
  const CrashPoint inside{first.records().back().sequence, 4093};
  const Result<ContinuedRun> whole = continued(first, inside, second);
  ASSERT_TRUE(whole) << whole.error().message;
  const Result<StateBuilder> end = StateBuilder::at_end(whole->trace);
  ASSERT_TRUE(end);
  EXPECT_EQ(end->tree().node(end->tree().find("tmp")).size, 4096);
}

TEST_F(ContinuedRunTest, TellsInodesOfTheTwoRunsApart) {
  second_.create("other", kTemporary).write("other", kTemporary, 0, "mine");
  const Trace first = first_.finish();
  const Trace second = second_.finish();
  const CrashPoint last{first.records().back().sequence, -1};
  const Result<ContinuedRun> whole = continued(first, last, second);
  ASSERT_TRUE(whole) << whole.error().message;
  const Result<StateBuilder> end = StateBuilder::at_end(whole->trace);
  ASSERT_TRUE(end);
  const FileSystem& tree = end->tree();
  EXPECT_EQ(tree.content(tree.find("tmp")), "new");
  EXPECT_EQ(tree.content(tree.find("other")), "mine");
}

TEST_F(ContinuedRunTest, RefusesARunThatBeganWithSomethingElse) {
  const Trace first = first_.finish();
  const Trace second = second_.finish();
  const Result<ContinuedRun> whole = continued(first, {}, second);
  ASSERT_FALSE(whole);
  EXPECT_THAT(whole.error().message, testing::HasSubstr("'tmp', which the crash did not leave"));
}

}  // namespace
}  // namespace everycrash
