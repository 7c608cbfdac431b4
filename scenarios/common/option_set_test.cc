#include "scenarios/common/option_set.h"

#include <gtest/gtest.h>

namespace scenarios {
namespace {

using Words = std::vector<std::string>;

struct Options {
  int count = 1;
  std::optional<int64_t> start;
  std::string name;
  bool loud = false;
  bool operator==(const Options&) const = default;
};

void add_options(OptionSet& set, Options& options) {
  set.number("--count", 1, 10, options.count);
  set.number("--start", 0, 100, options.start);
  set.text("--name", options.name);
  set.flag("--loud", options.loud);
}

TEST(OptionSet, LeavesWhatIsNotNamedAsItIs) {
  EXPECT_EQ(parse_options("sample", add_options, {}), Options());
  EXPECT_EQ(to_arguments(add_options, Options()), (Words{"--count", "1"}));
}

TEST(OptionSet, MakesTheArgumentsOfWhatItHasRead) {
  const Words given = {"--count", "7", "--start", "0", "--name", "a b", "--loud"};
  const auto options = parse_options("sample", add_options, given);
  ASSERT_TRUE(options) << options.error().message;
  EXPECT_EQ(*options, (Options{7, 0, "a b", true}));
  EXPECT_EQ(to_arguments(add_options, *options), given);
}

TEST(OptionSet, SaysWhatIsWrong) {
  const auto why = [](const Words& given) {
    const auto options = parse_options("sample", add_options, given);
    return options ? "nothing" : options.error().message;
  };
  EXPECT_EQ(why({"--count", "11"}), "--count takes a number from 1 to 10, not '11'");
  EXPECT_EQ(why({"--start", "5x"}), "--start takes a number from 0 to 100, not '5x'");
  EXPECT_EQ(why({"--count"}), "option '--count' needs a value");
  EXPECT_EQ(why({"--bogus", "1"}), "unknown option '--bogus'; `sample --help` lists them");
}

}  // namespace
}  // namespace scenarios
