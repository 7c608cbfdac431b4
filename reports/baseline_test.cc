#include "reports/baseline.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "reports/testdata/sample.h"
#include "reports/text_report.h"

namespace everycrash::reports {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

TEST(Baseline, waives_what_it_lists_and_tells_what_is_gone) {
  ResultDocument document = sample_finding();
  const Baseline baseline = *parse_baseline("3f9a0c12  # old\n0123456789ab\n", "b");
  EXPECT_THAT(waive_findings(document, baseline, {}), ElementsAre("0123456789ab"));
  EXPECT_EQ(count_failing(document), 0u);
}

TEST(Baseline, without_an_entry_waives_nothing) {
  ResultDocument document = sample_finding();
  EXPECT_THAT(waive_findings(document, {}, {}), IsEmpty());
  EXPECT_EQ(count_failing(document), 1u);
}

TEST(Baseline, ignores_comments_and_blank_lines) {
  EXPECT_THAT(*parse_baseline("# all known\n\n   \n", "b"), IsEmpty());
}

TEST(Baseline, refuses_what_is_no_id) {
  EXPECT_THAT(parse_baseline("3f9a0c12\nstate.json\n", "b.txt").error().message,
              HasSubstr("b.txt:2: \"state.json\" is no id"));
}

TEST(Baseline, keeps_comments_when_it_is_written_again) {
  const std::string text =
      baseline_text({sample_finding(), sample_kill()}, {{"3f9a0c12", "see issue 7"}});
  EXPECT_THAT(text, HasSubstr("\n3f9a0c12  # see issue 7\n"));
  EXPECT_THAT(text, HasSubstr("\na1b2c3d4e5f6  # state.json is cut short after a kill\n"));
}

TEST(FailOn, leaves_other_kinds_and_models_as_notes) {
  ResultDocument document = sample_finding();  // power, xfs
  const auto failing = [&document](const std::vector<std::string>& words) {
    for (Finding& finding : document.findings) finding.waived.clear();
    const Result<FailOn> fail_on = FailOn::parse(words, {"kill", "power"}, {"ext4", "xfs"});
    EXPECT_TRUE(fail_on) << fail_on.error().message;
    waive_findings(document, {}, *fail_on);
    return count_failing(document);
  };
  EXPECT_EQ(failing({}), 1u);
  EXPECT_EQ(failing({"kill"}), 0u);
  EXPECT_EQ(failing({"power"}), 1u);
  EXPECT_EQ(failing({"power:ext4"}), 0u);
  EXPECT_EQ(failing({"kill", "xfs"}), 1u);
}

TEST(FailOn, refuses_what_is_not_explored) {
  EXPECT_THAT(FailOn::parse({"btrfs"}, {"kill"}, {"ext4"}).error().message,
              HasSubstr("--fail-on btrfs: not explored"));
  EXPECT_FALSE(FailOn::parse({"power:"}, {"power"}, {"ext4"}));
  EXPECT_FALSE(FailOn::parse({""}, {"power"}, {"ext4"}));
}

TEST(WaivedFinding, is_told_as_a_note_in_a_run_that_passes) {
  ResultDocument document = sample_finding();
  document.findings[0].waived = "known: in the baseline";
  document.exit_code = 0;
  const std::string text = text_report(document, {});
  EXPECT_THAT(text, HasSubstr("NOTE  state.json is empty after a power loss"));
  EXPECT_THAT(text, HasSubstr("PASS  [1.2s] 1 finding (1 known or only reported)"));
}

}  // namespace
}  // namespace everycrash::reports
