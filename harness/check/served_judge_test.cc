#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "harness/base/folder_for_test.h"
#include "harness/check/judge.h"
#include "harness/trace/recording_for_test.h"

namespace everycrash {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

constexpr uint64_t kFile = 10;

/// Answers for all states: the file f must hold "whole".
constexpr const char* kServer =
    "while read -r word n; do "
    "if [ \"$(cat f 2>/dev/null)\" = whole ]; then echo \"ok $n\"; else echo \"bad $n\"; fi >&0; "
    "done";

/// The states of a workload that writes "whole" to f in two steps.
class ServedJudgeTest : public testing::Test {
 protected:
  void SetUp() override {
    std::filesystem::create_directory(base_ / "state");
    recording_.initial()
        .open("f", kFile, O_WRONLY | O_CREAT | O_TRUNC, format::kCreated)
        .write("f", kFile, 0, "wh")
        .write("f", kFile, 2, "ole")
        .print("done\n");
    trace_.emplace(recording_.finish());
    state_.emplace(*FileSystem::initial(*trace_));
    for (const Operation& operation : trace_->records()) {
      if (operation.kind == Kind::kInitial) continue;
      half_ = half_ ? half_ : operation.kind == Kind::kWrite ? state_ : half_;
      EXPECT_TRUE(state_->apply(operation));
    }
  }

  static Command shell(const std::string& script) {
    return make_command({"/bin/sh", "-c", script}, "/");
  }
  /// A folder of its own for each sandbox.
  SandboxOptions place(const char* name) {
    return {.recorded_path = base_ / "state", .work_directory = base_ / name};
  }
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

  FolderForTest base_;
  Recording recording_;
  std::optional<Trace> trace_;
  std::optional<FileSystem> state_, half_;
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
