#include "reports/terminal.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <pty.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <map>

namespace everycrash::reports {
namespace {

using testing::HasSubstr;

Environment environment(std::map<std::string, std::string> values) {
  return [values = std::move(values)](const char* name) -> std::optional<std::string> {
    const auto found = values.find(name);
    if (found == values.end()) return std::nullopt;
    return found->second;
  };
}

/// A terminal of 40 columns that nobody looks at.
class FakeTerminal : public testing::Test {
 protected:
  void SetUp() override {
    winsize size{};
    size.ws_col = 40;
    size.ws_row = 10;
    ASSERT_EQ(openpty(&viewer_, &stream_, nullptr, nullptr, &size), 0);
  }
  void TearDown() override {
    close(viewer_);
    close(stream_);
  }

  /// What a person would have been sent since the last call.
  std::string shown() {
    std::string text;
    pollfd readable{viewer_, POLLIN, 0};
    while (poll(&readable, 1, 20) == 1) {
      char buffer[4096];
      const ssize_t got = read(viewer_, buffer, sizeof buffer);
      if (got <= 0) break;
      text.append(buffer, static_cast<size_t>(got));
    }
    return text;
  }

  int viewer_ = -1, stream_ = -1;
};

TEST_F(FakeTerminal, gets_colour) {
  EXPECT_TRUE(Terminal(stream_, ColourChoice::kAuto, environment({{"TERM", "xterm"}})).colour());
}

TEST_F(FakeTerminal, knows_its_width) {
  const Terminal terminal(stream_, ColourChoice::kAuto, environment({}));
  EXPECT_EQ(terminal.width(), 40u);
  winsize wider{};
  wider.ws_col = 132;
  ASSERT_EQ(ioctl(viewer_, TIOCSWINSZ, &wider), 0);
  EXPECT_EQ(terminal.width(), 132u);
}

TEST_F(FakeTerminal, draws_progress_over_itself_and_takes_it_away) {
  Terminal terminal(stream_, ColourChoice::kNever, environment({{"TERM", "xterm"}}));
  terminal.set_progress_interval_ms(0);
  terminal.progress("1 of 2");
  terminal.progress("2 of 2");
  terminal.print("done\n");
  EXPECT_EQ(shown(), "\r1 of 2\x1b[K\r2 of 2\x1b[K\r\x1b[Kdone\r\n");
}

TEST_F(FakeTerminal, elides_the_middle_of_a_progress_line_that_is_too_long) {
  Terminal terminal(stream_, ColourChoice::kNever, environment({{"TERM", "xterm"}}));
  terminal.progress("0123456789012345678901234567890123456789tail");
  EXPECT_EQ(shown(), "\r012345678901234567...67890123456789tail\x1b[K");
}

TEST_F(FakeTerminal, is_not_flooded_with_progress) {
  Terminal terminal(stream_, ColourChoice::kNever, environment({{"TERM", "xterm"}}));
  terminal.set_progress_interval_ms(3'600'000);
  for (int i = 0; i < 1000; ++i) terminal.progress("x");
  EXPECT_EQ(shown(), "\rx\x1b[K");
}

TEST_F(FakeTerminal, leaves_no_progress_line_behind) {
  {
    Terminal terminal(stream_, ColourChoice::kNever, environment({{"TERM", "xterm"}}));
    terminal.progress("x");
  }
  EXPECT_EQ(shown(), "\rx\x1b[K\r\x1b[K");
}

TEST_F(FakeTerminal, that_is_dumb_gets_neither_colour_nor_progress) {
  Terminal terminal(stream_, ColourChoice::kAuto, environment({{"TERM", "dumb"}}));
  EXPECT_FALSE(terminal.colour());
  terminal.progress("x");
  terminal.print("done\n");
  EXPECT_EQ(shown(), "done\r\n");
}

TEST(Pipe, gets_neither_colour_nor_progress) {
  int ends[2];
  ASSERT_EQ(pipe2(ends, O_CLOEXEC), 0);
  {
    Terminal terminal(ends[1], ColourChoice::kAuto, environment({{"TERM", "xterm"}}));
    EXPECT_FALSE(terminal.is_terminal());
    EXPECT_FALSE(terminal.colour());
    EXPECT_EQ(terminal.width(), 80u);
    terminal.progress("x");
    terminal.print("done\n");
  }
  char buffer[16];
  EXPECT_EQ(read(ends[0], buffer, sizeof buffer), 5);
  close(ends[0]);
  close(ends[1]);
}

TEST(Colour, follows_choice_then_variables_then_the_stream) {
  struct Case {
    ColourChoice choice;
    bool is_terminal;
    std::map<std::string, std::string> variables;
    bool expected;
  };
  using enum ColourChoice;
  const Case cases[] = {
      {kAlways, false, {{"NO_COLOR", "1"}}, true},
      {kNever, true, {{"FORCE_COLOR", "1"}, {"TERM", "xterm"}}, false},
      {kAuto, true, {{"NO_COLOR", "1"}, {"FORCE_COLOR", "1"}, {"TERM", "xterm"}}, false},
      {kAuto, true, {{"NO_COLOR", ""}, {"TERM", "xterm"}}, true},
      {kAuto, false, {{"CLICOLOR_FORCE", "1"}}, true},
      {kAuto, false, {{"FORCE_COLOR", "3"}}, true},
      {kAuto, false, {{"FORCE_COLOR", "0"}}, false},
      {kAuto, true, {{"FORCE_COLOR", "0"}, {"TERM", "xterm"}}, true},
      {kAuto, true, {{"TERM", "dumb"}}, false},
      {kAuto, true, {}, false},
      {kAuto, false, {{"TERM", "xterm"}}, false},
  };
  for (const Case& c : cases) {
    EXPECT_EQ(wants_colour(c.choice, c.is_terminal, environment(c.variables)), c.expected)
        << &c - cases;
  }
}

TEST(Colour, is_always_never_or_auto) {
  EXPECT_EQ(*parse_colour("always"), ColourChoice::kAlways);
  EXPECT_EQ(*parse_colour("never"), ColourChoice::kNever);
  EXPECT_EQ(*parse_colour("auto"), ColourChoice::kAuto);
  EXPECT_EQ(parse_colour("yes").error().kind, ErrorKind::kUsage);
}

TEST(ProgressText, has_a_bar_and_counts) {
  EXPECT_EQ(progress_text(512, 1024, "states", "2 violated", 10),
            "[#####-----] 512/1,024 states, 2 violated");
  EXPECT_EQ(progress_text(2000, 1000, "states", "", 4), "[####] 2,000/1,000 states");
  EXPECT_EQ(progress_text(7, 0, "operations recorded", ""), "7 operations recorded");
}

}  // namespace
}  // namespace everycrash::reports
