#include "reports/text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace everycrash::reports {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

TEST(PrintableLines, split_at_newlines_only) {
  EXPECT_THAT(printable_lines("a\nb\r\n\nc"), ElementsAre("a", "b\\r", "", "c"));
  EXPECT_THAT(printable_lines("a\n"), ElementsAre("a"));
  EXPECT_THAT(printable_lines(""), IsEmpty());
}

TEST(ElideMiddle, fits_the_width_and_keeps_both_ends) {
  EXPECT_EQ(elide_middle("0123456789", 10), "0123456789");
  EXPECT_EQ(elide_middle("0123456789", 9), "012...789");
  EXPECT_EQ(elide_middle("0123456789", 8), "012...89");
  EXPECT_EQ(elide_middle("0123456789", 2), "..");
  EXPECT_EQ(elide_middle("\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9", 5),
            "\xc3\xa9...\xc3\xa9");
}

TEST(Base64, is_that_of_the_rfc) {
  EXPECT_EQ(base64(""), "");
  EXPECT_EQ(base64("f"), "Zg==");
  EXPECT_EQ(base64("fo"), "Zm8=");
  EXPECT_EQ(base64("foo"), "Zm9v");
  EXPECT_EQ(base64("\xff\xfe"), "//4=");
}

TEST(Counted, reads_as_english) {
  EXPECT_EQ(counted(0, "state"), "0 states");
  EXPECT_EQ(counted(1, "state"), "1 state");
  EXPECT_EQ(counted(1234567, "crash point"), "1,234,567 crash points");
  EXPECT_EQ(counted(2, "process"), "2 processes");
}

}  // namespace
}  // namespace everycrash::reports
