#include "harness/explain/file_role.h"

#include <gtest/gtest.h>

#include "harness/trace/recording_for_test.h"

namespace everycrash {
namespace {

TEST(FileRole, is_temporary_if_its_content_goes_on_under_another_name) {
  Recording recording;
  recording.create("f.tmp", 1).rename("f.tmp", "f", 1);
  recording.create("new", 2).add(Kind::kLink, "new", "cur", 2, "").unlink("new", 2);
  const FileRoles roles(recording.finish());
  EXPECT_EQ(roles.of("f.tmp"), FileRole::kTemporary);
  EXPECT_EQ(roles.of("f"), FileRole::kState);
  EXPECT_EQ(roles.of("new"), FileRole::kTemporary);
  EXPECT_EQ(roles.of("cur"), FileRole::kState);
}

TEST(FileRole, is_passing_if_the_run_makes_it_and_removes_it_for_good) {
  Recording recording;
  recording.create("lock", 1).unlink("lock", 1);
  recording.add(Kind::kMakeDirectory, "held", "", 2, "");
  recording.add(Kind::kRemoveDirectory, "held", "", 2, "");
  recording.create("f", 3).unlink("f", 3).create("f", 4);
  const FileRoles roles(recording.finish());
  EXPECT_EQ(roles.of("lock"), FileRole::kPassing);
  EXPECT_EQ(roles.of("held"), FileRole::kPassing);
  EXPECT_EQ(roles.of("f"), FileRole::kState) << "it is there in the end";
}

TEST(FileRole, is_state_if_the_run_removes_what_was_there_before) {
  Recording recording;
  recording.unlink("old", 1).rename("log", "log.1", 2);
  const FileRoles roles(recording.finish());
  EXPECT_EQ(roles.of("old"), FileRole::kState);
  EXPECT_EQ(roles.of("log"), FileRole::kState);
  EXPECT_EQ(roles.of("log.1"), FileRole::kState);
}

TEST(FileRole, of_what_lies_in_a_folder_that_is_moved_away_is_that_of_the_folder) {
  Recording recording;
  recording.add(Kind::kMakeDirectory, "stage", "", 1, "").create("stage/a", 2);
  recording.rename("stage", "live", 1);
  const FileRoles roles(recording.finish());
  EXPECT_EQ(roles.of("stage/a"), FileRole::kTemporary);
  EXPECT_EQ(roles.of("live/a"), FileRole::kState);
}

TEST(FileRole, tells_folders_and_outboxes) {
  Recording recording;
  recording.create("out/mail", 1).create("data/x", 2);
  Trace trace = recording.finish();
  trace.announce(1, "effect outbox mail\n");
  const FileRoles roles(trace);
  EXPECT_EQ(roles.of("out/mail"), FileRole::kOutbox);
  EXPECT_EQ(roles.of("data/x"), FileRole::kState);
  EXPECT_EQ(roles.of("data"), FileRole::kFolder);
  EXPECT_EQ(roles.of(""), FileRole::kFolder) << "the state directory";
}

}  // namespace
}  // namespace everycrash
