#include "harness/check/oracles/spare_copy.h"

#include <gtest/gtest.h>

namespace everycrash {
namespace {

TEST(SpareCopy, is_known_by_its_name) {
  EXPECT_EQ(original_of("f~"), "f");
  EXPECT_EQ(original_of("a/f.~12~"), "a/f");
  EXPECT_EQ(original_of("status-old"), "status");
  EXPECT_EQ(original_of("d/f.txt.bak"), "d/f.txt");
  EXPECT_EQ(original_of("f.old"), "f");
  EXPECT_EQ(original_of("f.orig"), "f");
}

TEST(SpareCopy, is_no_other_name) {
  for (const char* name : {"f", "threshold", "f.tmp", ".bak", "~", "a.bak/f", "f.1", "f.new"}) {
    EXPECT_EQ(original_of(name), "") << name;
  }
}

}  // namespace
}  // namespace everycrash
