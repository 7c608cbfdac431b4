#include "reports/text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace everycrash::reports {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

TEST(Printable, keeps_text_of_every_language) {
  EXPECT_EQ(printable("plain ~ \xc3\xa9 \xe6\x97\xa5 \xf0\x9f\x99\x82"),
            "plain ~ \xc3\xa9 \xe6\x97\xa5 \xf0\x9f\x99\x82");
}

TEST(Printable, disarms_what_a_terminal_would_obey) {
  EXPECT_EQ(printable("\x1b]0;title\a"), "\\x1b]0;title\\x07");
  EXPECT_EQ(printable("a\r\n\tb\x7f"), "a\\r\\n\\tb\\x7f");
  EXPECT_EQ(printable("\xc2\x9b"), "\\u{9b}") << "the 8-bit form of ESC [";
  EXPECT_EQ(printable("\xe2\x80\xae"), "\\u{202e}") << "turns the direction of writing";
  EXPECT_EQ(printable(std::string_view("a\0b", 3)), "a\\x00b");
}

TEST(Printable, shows_invalid_bytes_as_numbers) {
  EXPECT_EQ(printable("\xff"), "\\xff");
  EXPECT_EQ(printable("\xc3"), "\\xc3") << "cut short";
  EXPECT_EQ(printable("\xc0\xaf"), "\\xc0\\xaf") << "overlong";
  EXPECT_EQ(printable("\xe0\x80\x80"), "\\xe0\\x80\\x80") << "overlong";
  EXPECT_EQ(printable("\xed\xa0\x80"), "\\xed\\xa0\\x80") << "surrogate";
  EXPECT_EQ(printable("\xf4\x90\x80\x80"), "\\xf4\\x90\\x80\\x80") << "above U+10FFFF";
}

TEST(ValidUtf8, keeps_control_characters) {
  EXPECT_EQ(valid_utf8("a\n\xfe\x1b"), "a\n\\xfe\x1b");
}

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

TEST(ShellQuote, quotes_only_what_needs_it) {
  EXPECT_EQ(shell_quote("/usr/bin/app-1.0_x+y=z"), "/usr/bin/app-1.0_x+y=z");
  EXPECT_EQ(shell_quote(""), "''");
  EXPECT_EQ(shell_quote("two words"), "'two words'");
  EXPECT_EQ(shell_quote("it's $HOME"), "'it'\\''s $HOME'");
  EXPECT_EQ(shell_quote("~"), "'~'");
  EXPECT_EQ(shell_quote("a\n\xff'1"), "$'a\\012\\377\\'1'");
  EXPECT_EQ(shell_quote(std::vector<std::string>{"a", "b c"}), "a 'b c'");
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
