#include "harness/explain/source.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "harness/base/folder_for_test.h"

namespace everycrash {
namespace {

using testing::ElementsAre;

class Source : public testing::Test {
 protected:
  void SetUp() override {
    std::ofstream(file_, std::ios::binary) << "one\ntwo\r\nthree\nfour\nfive";
  }

  FolderForTest directory_;
  const std::filesystem::path file_ = directory_ / "a.c";
};

TEST_F(Source, gives_the_lines_around_one) {
  const auto excerpt = read_excerpt(file_, 3, 1);
  ASSERT_TRUE(excerpt);
  EXPECT_EQ(excerpt->first_line, 2u);
  EXPECT_THAT(excerpt->lines, ElementsAre("two", "three", "four"));
}

TEST_F(Source, stops_at_the_ends_of_the_file) {
  EXPECT_THAT(read_excerpt(file_, 1, 2)->lines, ElementsAre("one", "two", "three"));
  EXPECT_THAT(read_excerpt(file_, 5, 2)->lines, ElementsAre("three", "four", "five"));
}

TEST_F(Source, has_nothing_to_show_where_there_is_no_such_line) {
  EXPECT_FALSE(read_excerpt(file_, 0, 2));
  EXPECT_FALSE(read_excerpt(file_, 6, 2));
  EXPECT_FALSE(read_excerpt(directory_ / "missing.c", 1, 2));
  EXPECT_FALSE(read_excerpt(directory_.path(), 1, 2));
  EXPECT_FALSE(read_excerpt("/dev/zero", 1, 2)) << "would never end";
}

TEST_F(Source, cuts_a_long_line_between_characters) {
  std::ofstream(file_) << std::string(199, 'x') << "\xc3\xa9" << std::string(99, 'y');
  EXPECT_EQ(read_excerpt(file_, 1, 0)->lines.at(0), std::string(199, 'x'));
}

TEST(DisplayPath, is_relative_below_the_root_only) {
  EXPECT_EQ(display_path("/home/u/app/src/../src/a.c", "/home/u/app"), "src/a.c");
  EXPECT_EQ(display_path("/home/u/app2/a.c", "/home/u/app"), "/home/u/app2/a.c");
  EXPECT_EQ(display_path("./a.c", "/home/u/app"), "a.c");
  EXPECT_EQ(display_path("/home/u/app", "/home/u/app"), "/home/u/app");
  EXPECT_EQ(display_path("", "/home/u/app"), "");
}

TEST(DisplayPath, is_relative_to_the_current_directory_by_default) {
  EXPECT_EQ(display_path(std::filesystem::current_path() / "src/a.c"), "src/a.c");
  EXPECT_EQ(display_path("/no/such/place/a.c"), "/no/such/place/a.c");
}

}  // namespace
}  // namespace everycrash
