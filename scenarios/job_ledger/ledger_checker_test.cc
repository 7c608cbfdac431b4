// The checker's eyes: each kind of damage to a finished job is seen and named.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "scenarios/common/crash_trial.h"

namespace scenarios::job_ledger {
namespace {

using testing::HasSubstr;

class Checker : public testing::Test {
 protected:
  Checker() { trial_.run({"run", "--days", "3"}); }

  [[nodiscard]] CheckResult check() const { return trial_.check({"check", "--days", "3"}); }
  [[nodiscard]] std::string path(const std::string& name) const {
    return trial_.state_directory() + "/" + name;
  }
  void forget_posts(const std::string& left) { trial_.write_file(trial_.effects_file(), left); }

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

TEST_F(Checker, RejectsALedgerEntryThatIsGoneThoughItWasReported) {
  std::filesystem::remove(path("done/2026-01-02.md"));
  EXPECT_THAT(check().message,
              HasSubstr("done/2026-01-02.md is missing, but 2026-01-02 was published ('published "
                        "2026-01-02' was printed)"));
}

TEST_F(Checker, RejectsALedgerEntryThatIsCut) {
  trial_.write_file(trial_.printed_file(), "");
  trial_.write_file(path("done/2026-01-02.md"), "# 20");
  EXPECT_THAT(check().message, HasSubstr("done/2026-01-02.md is damaged at byte 5"));
}

TEST_F(Checker, RejectsALedgerEntryOfADayThatIsNotOut) {
  forget_posts("effect publish 2026-01-01\neffect publish 2026-01-03\n");
  EXPECT_THAT(check().message, HasSubstr("but 2026-01-02 was never published"));
}

TEST_F(Checker, RejectsADayThatIsOutTwice) {
  forget_posts(trial_.read_file(trial_.effects_file()) + "effect publish 2026-01-01\n");
  EXPECT_THAT(check().message, HasSubstr("2026-01-01 was published 2 times"));
}

TEST_F(Checker, RejectsADayThatIsNotDue) {
  forget_posts(trial_.read_file(trial_.effects_file()) + "effect publish 2026-03-03\n");
  EXPECT_THAT(check().message, HasSubstr("2026-03-03 was published, but is not due"));
}

TEST_F(Checker, RejectsAStageWhoseWorkIsNotThere) {
  std::filesystem::remove(path("work/post.md"));
  EXPECT_THAT(check().message, HasSubstr("work/post.md is missing"));
}

TEST_F(Checker, RejectsAStageWhoseWorkIsCut) {
  trial_.write_file(path("work/draft.txt"), "# 2026-01-03\nfact");
  EXPECT_THAT(check().message, HasSubstr("work/draft.txt is a text of 17 bytes"));
}

TEST_F(Checker, RejectsAStageWhoseWorkIsOfTheDayBefore) {
  trial_.write_file(path("stages/02_write"), "2026-01-04\n");
  EXPECT_THAT(check().message, HasSubstr("work/post.md is of 2026-01-03"));
}

TEST_F(Checker, RejectsALeftover) {
  trial_.write_file(path("work/old.tmp"), "");
  EXPECT_THAT(check().message, HasSubstr("the file work/old.tmp is left"));
}

}  // namespace
}  // namespace scenarios::job_ledger
