#include "harness/cli/document/chaos_document.h"

#include <gtest/gtest.h>

namespace everycrash::cli {
namespace {

TEST(CommandOfRound, replaces_how_much_is_played) {
  EXPECT_EQ(command_of_round(
                {"/x/everycrash", "chaos", "--rounds", "40", "--seed=9", "--metrics", "m.txt",
                 "--check", "./check", "--report", "r", "--", "./app", "--rounds", "3"},
                9, 17),
            "everycrash chaos --seed 9 --round 17 --check ./check -- ./app --rounds 3");
}

}  // namespace
}  // namespace everycrash::cli
