#include "harness/cli/document/fault_titles.h"

#include <gtest/gtest.h>

namespace everycrash::cli {
namespace {

TEST(FaultTitles, say_what_happens_to_the_call_and_what_comes_of_it) {
  const Operation write{.kind = Kind::kWrite, .path = "f"};
  EXPECT_EQ(title_of(write, {.way = FaultWay::kFails, .judge = Judge::kSilentSuccess}),
            "write of f fails, and the run says that all is well");
  EXPECT_EQ(title_of(write, {.way = FaultWay::kDiskFull, .judge = Judge::kEndless}),
            "write of f meets a disk that is full from then on, and the run does not end");
  EXPECT_EQ(title_of(write, {.way = FaultWay::kCutShort, .judge = Judge::kChecker}),
            "write of f is cut short, and what is left is not good");
}

TEST(FaultTitles, name_the_state_directory) {
  const Operation sync{.kind = Kind::kFileSync};
  EXPECT_EQ(title_of(sync, {.way = FaultWay::kFailsForGood, .judge = Judge::kResume}),
            "fsync of the state directory fails for good, and the run cannot be taken up again");
}

}  // namespace
}  // namespace everycrash::cli
