#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "harness/check/judge.h"
#include "harness/check/run/served_states_for_test.h"

namespace everycrash {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

class ServedJudgeTest : public ServedStates {
 protected:
  /// A judge whose checker is SPAWNED where it is started alone, and SERVED where it serves.
  Result<std::vector<Complaint>> judge(const FileSystem& tree) {
    return judge_->judge({.tree = &tree, .printed = "done\n"});
  }
  void start_judge(const std::string& served, const std::string& spawned) {
    Result<History> history = History::of(*trace_);
    ASSERT_TRUE(history);
    Result<Promises> promises = Promises::find(*history, {});
    ASSERT_TRUE(promises);
    JudgeOptions options;
    options.check = shell("if [ -n \"$EVERYCRASH_CHECK_SERVER\" ]; then " + served + "; else " +
                          spawned + "; fi");
    grounds_ = {std::move(*history), *promises, options, {}};
    judge_ = std::make_unique<StateJudge>(std::move(*Sandbox::start(place("worker"))), grounds_);
    Result<Selection> selection = judge_->decide();
    ASSERT_TRUE(selection);
    grounds_.selection = *selection;
    judge_->use_server(std::move(*CheckServer::start(place("server"), options.check)));
  }

  Grounds grounds_;
  std::unique_ptr<StateJudge> judge_;
};

TEST_F(ServedJudgeTest, leaves_the_last_word_on_a_violation_to_a_fresh_checker) {
  start_judge(kServer, "echo \"said by a fresh one\"; [ \"$(cat f)\" = whole ]");
  EXPECT_THAT(*judge(*state_), IsEmpty());
  const Result<std::vector<Complaint>> complaints = judge(*half_);
  ASSERT_THAT(*complaints, SizeIs(1));
  EXPECT_THAT((*complaints)[0].message, HasSubstr("said by a fresh one"));
}

TEST_F(ServedJudgeTest, that_accepts_what_a_fresh_checker_rejects_breaks_the_harness) {
  start_judge("while read -r w n; do echo \"ok $n\" >&0; done", "[ \"$(cat f)\" = whole ]");
  const Result<std::vector<Complaint>> complaints = judge(*half_);
  ASSERT_FALSE(complaints);
  EXPECT_EQ(complaints.error().kind, ErrorKind::kHarness);
  EXPECT_THAT(complaints.error().message, HasSubstr("carries something over"));
}

TEST_F(ServedJudgeTest, that_rejects_what_a_fresh_checker_accepts_breaks_the_harness) {
  start_judge("while read -r w n; do echo \"bad $n\" >&0; done", "true");
  EXPECT_FALSE(judge(*state_));
}

}  // namespace
}  // namespace everycrash
