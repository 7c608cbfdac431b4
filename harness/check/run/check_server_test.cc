#include "harness/check/run/check_server.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "harness/check/run/served_states_for_test.h"

namespace everycrash {
namespace {

using Answer = CheckServer::Answer;

constexpr int kLimitMs = 5'000;

class CheckServerTest : public ServedStates {
 protected:
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
