#include <gtest/gtest.h>

#include "harness/base/digest.h"
#include "harness/base/error.h"
#include "harness/base/path_text.h"

namespace everycrash {
namespace {

TEST(Digest, sum_does_not_depend_on_order_and_can_be_undone) {
  const Digest a = digest_of("a");
  const Digest b = digest_of("b");
  Digest ab = a;
  ab += b;
  Digest ba = b;
  ba += a;
  EXPECT_EQ(ab, ba);
  ab -= a;
  EXPECT_EQ(ab, b);
}

TEST(Digest, carries_between_its_halves) {
  Digest sum{~0ull, 0};
  sum += Digest{1, 0};
  EXPECT_EQ(sum, (Digest{0, 1}));
  sum -= Digest{1, 0};
  EXPECT_EQ(sum, (Digest{~0ull, 0}));
}

TEST(Digest, seed_separates_equal_bytes) {
  EXPECT_NE(digest_of("x", 1), digest_of("x", 2));
}

TEST(Error, system_error_names_the_reason) {
  const Status status = system_error("open /nowhere", 2);
  EXPECT_EQ(status.error().message, "open /nowhere: No such file or directory");
}

TEST(PathText, has_a_folder_and_a_name) {
  EXPECT_EQ(folder_of("a/b/c"), "a/b");
  EXPECT_EQ(base_name("a/b/c"), "c");
  EXPECT_EQ(folder_of("c"), "");
  EXPECT_EQ(base_name("c"), "c");
}

}  // namespace
}  // namespace everycrash
