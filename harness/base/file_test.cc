#include "harness/base/file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "harness/base/folder_for_test.h"

namespace everycrash {
namespace {

class WholeFile : public testing::Test {
 protected:
  FolderForTest folder_;
};

TEST_F(WholeFile, is_read_with_every_byte) {
  std::string content(200'000, 'x');
  content[70'000] = '\0';
  std::ofstream(folder_ / "file", std::ios::binary) << content;
  EXPECT_EQ(read_file(folder_ / "file").value_or(""), content);
}

TEST_F(WholeFile, that_is_not_there_is_named_with_the_reason) {
  const Result<std::string> gone = read_file(folder_ / "gone");
  ASSERT_FALSE(gone);
  EXPECT_THAT(gone.error().message, testing::HasSubstr("gone: No such file"));
}

TEST_F(WholeFile, is_no_folder) {
  const Result<std::string> folder = read_file(folder_.path());
  ASSERT_FALSE(folder);
  EXPECT_THAT(folder.error().message, testing::HasSubstr("Is a directory"));
}

}  // namespace
}  // namespace everycrash
