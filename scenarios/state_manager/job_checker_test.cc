// The checker on states made by hand: what each kind of damage is called.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "scenarios/common/crash_trial.h"

namespace scenarios::state_manager {
namespace {

using testing::HasSubstr;

/// A finished job of three steps, for a test to damage.
class Checker : public testing::Test {
 protected:
  Checker() { EXPECT_EQ(trial_.run({"run", "--steps", "3"}), 0); }

  [[nodiscard]] std::string path(const std::string& name) const {
    return trial_.state_directory() + "/" + name;
  }
  void replace_in_state(const std::string& old_text, const std::string& new_text) {
    std::string state = trial_.read_file(path("state.json"));
    const size_t place = state.find(old_text);
    ASSERT_NE(place, std::string::npos) << state;
    trial_.write_file(path("state.json"), state.replace(place, old_text.size(), new_text));
  }
  [[nodiscard]] CheckResult check() const { return trial_.check({"check", "--steps", "3"}); }

  CrashTrial trial_{SCENARIO_PROGRAM};
};

TEST_F(Checker, AcceptsAFinishedJob) {
  const CheckResult result = check();
  EXPECT_EQ(result.exit_code, 0) << result.message;
}

TEST_F(Checker, AcceptsAnEmptyDirectory) {
  trial_.clear();
  const CheckResult result = check();
  EXPECT_EQ(result.exit_code, 0) << result.message;
}

TEST_F(Checker, AcceptsAStepThatWasSentButNotMarkedDone) {
  replace_in_state("\"step-003\":{\"status\":\"done\"",
                   "\"step-003\":{\"status\":\"running\",\"runner\":1,"
                   "\"started_at\":\"2020-01-01T00:00:00.000Z\"");
  trial_.write_file(trial_.printed_file(), "done step-001\ndone step-002\ndone step-0");
  const CheckResult result = check();
  EXPECT_EQ(result.exit_code, 0) << result.message;
}

TEST_F(Checker, RejectsACutState) {
  std::filesystem::resize_file(path("state.json"), 100);
  const CheckResult result = check();
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_THAT(result.message, HasSubstr("state.json cannot be read"));
}

TEST_F(Checker, RejectsALostState) {
  std::filesystem::remove(path("state.json"));
  EXPECT_THAT(check().message, HasSubstr("was printed, but state.json says pending"));
}

TEST_F(Checker, RejectsAnAcknowledgedStepThatIsNotDone) {
  replace_in_state("\"step-002\":{\"status\":\"done\"", "\"step-002\":{\"status\":\"pending\"");
  EXPECT_THAT(check().message,
              HasSubstr("'done step-002' was printed, but state.json says pending"));
}

TEST_F(Checker, RejectsAStepWithoutItsResult) {
  replace_in_state(",\"result\":\"out/step-002.txt\"", "");
  EXPECT_THAT(check().message, HasSubstr("step-002 is done without result"));
}

TEST_F(Checker, RejectsALostOutput) {
  std::filesystem::remove(path("out/step-002.txt"));
  EXPECT_THAT(check().message, HasSubstr("out/step-002.txt is missing, but step-002 is done"));
}

TEST_F(Checker, RejectsACutOutput) {
  std::filesystem::resize_file(path("out/step-002.txt"), 5);
  EXPECT_THAT(check().message, HasSubstr("out/step-002.txt is not whole: 5 bytes"));
}

TEST_F(Checker, RejectsOutputOfOtherBytes) {
  std::string text = trial_.read_file(path("out/step-002.txt"));
  text[2] = '\0';
  trial_.write_file(path("out/step-002.txt"), text);
  EXPECT_THAT(check().message, HasSubstr("out/step-002.txt is not whole: byte 3 of "));
}

TEST_F(Checker, RejectsDoubledOutput) {
  const std::string text = trial_.read_file(path("out/step-002.txt"));
  trial_.write_file(path("out/step-002.txt"), text + text);
  EXPECT_THAT(check().message, HasSubstr("out/step-002.txt holds lines twice"));
}

TEST_F(Checker, RejectsATempFileThatTheRestartLeaves) {
  trial_.write_file(path("out/step-002.txt.old.tmp"), "half");
  EXPECT_THAT(check().message, HasSubstr("the temp file out/step-002.txt.old.tmp is left"));
}

TEST_F(Checker, RejectsAMailThatWasNeverSent) {
  trial_.write_file(trial_.effects_file(), "effect mail step-001 k1\neffect mail step-003 k3\n");
  EXPECT_THAT(check().message, HasSubstr("the mail of step-002 was never sent"));
}

TEST_F(Checker, RejectsAMailThatWasSentTwice) {
  trial_.write_file(trial_.effects_file(),
                    trial_.read_file(trial_.effects_file()) + "effect mail step-002 other-key\n");
  EXPECT_THAT(check().message, HasSubstr("the mail of step-002 was accepted 2 times"));
}

TEST_F(Checker, RejectsTheStateOfAnotherJob) {
  EXPECT_THAT(trial_.check({"check", "--steps", "4"}).message, HasSubstr("3 steps"));
}

}  // namespace
}  // namespace scenarios::state_manager
