#include "harness/explore/rules.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "harness/model/script_for_test.h"

namespace everycrash {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

std::vector<std::string> notes(const std::vector<std::string>& lines) {
  const Result<Trace> trace = record_script(lines);
  EXPECT_TRUE(trace) << trace.error().message;
  std::vector<std::string> found;
  for (const RuleNote& note : check_rules(*trace)) {
    found.push_back(std::string(note.rule) + " " + note.path);
  }
  return found;
}

TEST(Rules, say_nothing_about_a_careful_save) {
  EXPECT_THAT(notes({"initial f \"old\"", "create f.tmp", "write f.tmp 0 \"new\"", "fsync f.tmp",
                     "rename f.tmp f", "fsync .", "print \"saved\""}),
              IsEmpty());
}

TEST(Rules, rename_without_fsync) {
  EXPECT_THAT(notes({"create t", "write t 0 \"1\"", "rename t f"}),
              ElementsAre("rename-without-fsync f"));
}

TEST(Rules, no_directory_fsync_before_a_print) {
  EXPECT_THAT(notes({"create f", "write f 0 \"1\"", "fsync f", "print \"saved\""}),
              ElementsAre("no-directory-fsync f"));
}

TEST(Rules, truncate_in_place) {
  EXPECT_THAT(notes({"initial f \"1\"", "empty f", "write f 0 \"2\"", "close f"}),
              ElementsAre("truncate-in-place f"));
}

TEST(Rules, unlink_before_rename) {
  EXPECT_THAT(notes({"initial f \"1\"", "create t", "unlink f", "rename t f"}),
              ElementsAre("unlink-before-rename f"));
}

TEST(Rules, acknowledgement_before_fsync) {
  EXPECT_THAT(notes({"initial log \"\"", "append log \"1\"", "print \"done\"", "fsync log"}),
              ElementsAre("ack-before-fsync log"));
}

TEST(Rules, fdatasync_relied_on_for_a_name) {
  EXPECT_THAT(notes({"create f", "write f 0 \"1\"", "fdatasync f", "print \"saved\""}),
              ElementsAre("no-directory-fsync f", "fdatasync-for-name f"));
}

TEST(Rules, cross_directory_rename) {
  EXPECT_THAT(notes({"initial-dir d", "initial f \"1\"", "rename f d/f"}),
              ElementsAre("cross-directory-rename d/f"));
}

TEST(Rules, leftover_temporary_file) {
  EXPECT_THAT(notes({"create f.tmp", "create data"}), ElementsAre("leftover-temp f.tmp"));
}

TEST(Rules, count_what_happens_again_at_the_same_place) {
  const Result<Trace> trace = record_script(
      {"create t", "append t \"1\"", "rename t f", "create t", "append t \"2\"", "rename t f"});
  const std::vector<RuleNote> found = check_rules(*trace);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].occurrences, 2u);
}

}  // namespace
}  // namespace everycrash
