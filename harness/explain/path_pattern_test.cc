#include "harness/explain/path_pattern.h"

#include <gtest/gtest.h>

namespace everycrash {
namespace {

TEST(PathPattern, hides_numbers_and_random_names) {
  EXPECT_EQ(path_pattern("out/step-017.txt", 0), "out/step-#.txt");
  EXPECT_EQ(path_pattern("lock.4711", 4711), "lock.<pid>");
}

TEST(PathPattern, files_named_by_a_hash_are_alike) {
  const std::string one = path_pattern("objects/3f/a0c17b5d9e2f4a6b8c0d1e2f3a4b5c6d7e8f90", 0);
  EXPECT_EQ(one, "objects/#/#");
  EXPECT_EQ(one, path_pattern("objects/ab/00c17b5d9e2f4a6b8c0d1e2f3a4b5c6d7e8f91", 0));
  EXPECT_EQ(path_pattern("pack/pack-3fa0c17b5d9e2f4a6b8c0d1e2f3a4b5c6d7e8f90.idx", 0),
            "pack/pack-#.idx");
}

TEST(PathPattern, random_names_beside_files_named_by_a_hash_are_alike) {
  const std::string one = path_pattern("objects/3f/tmp_obj_QSm4gD", 100);
  EXPECT_EQ(one, "objects/#/tmp_obj_<random>");
  EXPECT_EQ(one, path_pattern("objects/ab/tmp_obj_Om9Hns", 100));
  EXPECT_EQ(path_pattern("objects/ab/list", 100), "objects/ab/list") << "no chance there";
}

TEST(PathPattern, words_are_no_hashes) {
  EXPECT_EQ(path_pattern("facade/deadbeef", 0), "facade/deadbeef");
  EXPECT_EQ(path_pattern("ab/feedfacedeadbeefcafe", 0), "ab/feedfacedeadbeefcafe");
}

}  // namespace
}  // namespace everycrash
