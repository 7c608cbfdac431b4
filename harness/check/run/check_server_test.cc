#include "harness/check/run/check_server.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "harness/base/folder_for_test.h"
#include "harness/trace/recording_for_test.h"

namespace everycrash {
namespace {

using Answer = CheckServer::Answer;

constexpr uint64_t kFile = 10;
constexpr int kLimitMs = 5'000;

/// Answers for all states: the file f must hold "whole".
constexpr const char* kServer =
    "while read -r word n; do "
    "if [ \"$(cat f 2>/dev/null)\" = whole ]; then echo \"ok $n\"; else echo \"bad $n\"; fi >&0; "
    "done";

/// The states of a workload that writes "whole" to f in two steps.
class CheckServerTest : public testing::Test {
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
  std::unique_ptr<CheckServer> start(const std::string& script) {
    Result<std::unique_ptr<CheckServer>> server =
        CheckServer::start(place("server"), shell(script));
    EXPECT_TRUE(server) << server.error().message;
    return std::move(*server);
  }
  Answer ask(const FileSystem& tree, int limit_ms = kLimitMs) {
    const Result<Answer> answer =
        server_->ask({.tree = &tree, .printed = "done\n", .events = ""}, limit_ms);
    EXPECT_TRUE(answer) << answer.error().message;
    return answer ? *answer : Answer::kNone;
  }

  FolderForTest base_;
  Recording recording_;
  std::optional<Trace> trace_;
  std::optional<FileSystem> state_, half_;
  std::unique_ptr<CheckServer> server_;
};

TEST_F(CheckServerTest, answers_for_one_state_after_another) {
  server_ = start(kServer);
  EXPECT_EQ(ask(*state_), Answer::kFine);
  EXPECT_EQ(ask(*half_), Answer::kBad);
  EXPECT_EQ(ask(*state_), Answer::kFine);
}

TEST_F(CheckServerTest, is_one_process_for_all_states) {
  server_ = start(
      "while read -r w n; do m=$((m+1)); "
      "if [ $m = $n ]; then echo \"ok $n\"; else echo \"bad $n\"; fi >&0; done");
  for (int i = 0; i < 5; ++i) EXPECT_EQ(ask(*state_), Answer::kFine);
}

TEST_F(CheckServerTest, repairs_what_the_checker_changed_before_the_next_state) {
  server_ = start(
      "while read -r w n; do if [ \"$(cat f)\" = whole ]; then a=ok; else a=bad; fi; "
      "rm -f f; mkdir f; echo \"$a $n\" >&0; done");
  EXPECT_EQ(ask(*state_), Answer::kFine);
  EXPECT_EQ(ask(*state_), Answer::kFine);
}

TEST_F(CheckServerTest, gives_the_checker_what_was_printed) {
  server_ = start(
      "while read -r w n; do read -r line <$EVERYCRASH_STDOUT; "
      "[ \"$line\" = done ] && echo \"ok $n\" >&0 || echo \"bad $n\" >&0; done");
  EXPECT_EQ(ask(*state_), Answer::kFine);
}

TEST_F(CheckServerTest, starts_again_after_a_death) {
  server_ = start(
      "while read -r w n; do [ \"$(cat f)\" = whole ] || kill -SEGV $$; "
      "echo \"ok $n\" >&0; done");
  EXPECT_EQ(ask(*state_), Answer::kFine);
  EXPECT_EQ(ask(*half_), Answer::kNone);
  EXPECT_EQ(ask(*state_), Answer::kFine);
}

TEST_F(CheckServerTest, gives_up_a_checker_that_hangs) {
  server_ = start(
      "while read -r w n; do [ \"$(cat f)\" = whole ] || sleep 60; "
      "echo \"ok $n\" >&0; done");
  EXPECT_EQ(ask(*half_, 200), Answer::kNone);
  EXPECT_EQ(ask(*state_), Answer::kFine);
}

TEST_F(CheckServerTest, takes_an_answer_for_no_other_state) {
  server_ = start("read -r w n; echo \"ok $n\" >&0; while read -r w n; do echo \"ok 1\" >&0; done");
  EXPECT_EQ(ask(*state_), Answer::kFine);
  EXPECT_EQ(ask(*state_), Answer::kNone);
}

TEST_F(CheckServerTest, does_without_a_checker_that_does_not_understand) {
  server_ = start("exit 0");
  for (int i = 0; i < 6; ++i) EXPECT_EQ(ask(*state_), Answer::kNone);
}

}  // namespace
}  // namespace everycrash
