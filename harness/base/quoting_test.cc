#include "harness/base/quoting.h"

#include <gtest/gtest.h>

namespace everycrash {
namespace {

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

TEST(ShellQuote, quotes_only_what_needs_it) {
  EXPECT_EQ(shell_quote("/usr/bin/app-1.0_x+y=z"), "/usr/bin/app-1.0_x+y=z");
  EXPECT_EQ(shell_quote(""), "''");
  EXPECT_EQ(shell_quote("two words"), "'two words'");
  EXPECT_EQ(shell_quote("it's $HOME"), "'it'\\''s $HOME'");
  EXPECT_EQ(shell_quote("~"), "'~'");
  EXPECT_EQ(shell_quote("a\n\xff'1"), "$'a\\n\\377\\'1'");
  EXPECT_EQ(shell_quote(std::vector<std::string>{"a", "b c"}), "a 'b c'");
}

}  // namespace
}  // namespace everycrash
