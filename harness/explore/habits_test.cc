#include "harness/explore/habits.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "harness/trace/workload_text.h"

namespace everycrash {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

std::vector<std::string> habits(const std::vector<std::string>& lines) {
  const Result<Trace> trace = record_text(lines);
  EXPECT_TRUE(trace) << trace.error().message;
  std::vector<std::string> found;
  for (const Habit& habit : find_habits(*trace)) {
    found.push_back(std::string(name_of(habit.kind)) + " " + habit.path);
  }
  return found;
}

TEST(Habits, are_none_in_a_careful_save) {
  EXPECT_THAT(habits({"initial f \"old\"", "create f.tmp", "write f.tmp 0 \"new\"", "fsync f.tmp",
                      "rename f.tmp f", "fsync .", "print \"saved\""}),
              IsEmpty());
}

TEST(Habits, rename_without_fsync) {
  EXPECT_THAT(habits({"create t", "write t 0 \"1\"", "rename t f"}),
              ElementsAre("rename-without-fsync f"));
}

TEST(Habits, no_directory_fsync_before_a_print) {
  EXPECT_THAT(habits({"create f", "write f 0 \"1\"", "fsync f", "print \"saved\""}),
              ElementsAre("no-directory-fsync f"));
}

TEST(Habits, truncate_in_place) {
  EXPECT_THAT(habits({"initial f \"1\"", "empty f", "write f 0 \"2\"", "close f"}),
              ElementsAre("truncate-in-place f"));
}

TEST(Habits, truncate_in_place_needs_content_to_lose) {
  EXPECT_THAT(
      habits({"create t", "close t", "empty t", "write t 0 \"1\"", "fsync t", "rename t f"}),
      IsEmpty());
}

TEST(Habits, unlink_before_rename) {
  EXPECT_THAT(habits({"initial f \"1\"", "create t", "unlink f", "rename t f"}),
              ElementsAre("unlink-before-rename f"));
}

TEST(Habits, acknowledgement_before_fsync) {
  EXPECT_THAT(habits({"initial log \"\"", "append log \"1\"", "print \"done\"", "fsync log"}),
              ElementsAre("ack-before-fsync log"));
}

TEST(Habits, fdatasync_relied_on_for_a_name) {
  EXPECT_THAT(habits({"create f", "write f 0 \"1\"", "fdatasync f", "print \"saved\""}),
              ElementsAre("no-directory-fsync f", "fdatasync-for-name f"));
}

TEST(Habits, cross_directory_rename) {
  EXPECT_THAT(habits({"initial-dir d", "initial f \"1\"", "rename f d/f"}),
              ElementsAre("cross-directory-rename d/f"));
}

TEST(Habits, leftover_temporary_file) {
  EXPECT_THAT(habits({"create f.tmp", "create data"}), ElementsAre("leftover-temp f.tmp"));
}

TEST(Habits, count_what_happens_again_at_the_same_place) {
  const Result<Trace> trace = record_text(
      {"create t", "append t \"1\"", "rename t f", "create t", "append t \"2\"", "rename t f"});
  const std::vector<Habit> found = find_habits(*trace);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].occurrences, 2u);
}

}  // namespace
}  // namespace everycrash
