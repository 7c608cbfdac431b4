#include "scenarios/state_manager/break_table.h"

#include <gtest/gtest.h>

#include <set>
#include <sstream>

namespace scenarios::state_manager {
namespace {

TEST(BreakTable, HasEachBreakOnceInOrder) {
  int expected = static_cast<int>(Break::kNone);
  std::set<std::string_view> names;
  for (const BreakEntry<Break>& entry : break_table()) {
    EXPECT_EQ(static_cast<int>(entry.value), ++expected) << entry.name;
    EXPECT_TRUE(names.insert(entry.name).second) << entry.name;
  }
  EXPECT_EQ(expected, static_cast<int>(Break::kLockTheTarget));
}

TEST(BreakTable, ExpectsOnlyCrashKindsThatExist) {
  const std::set<std::string> kinds = {"kill",  "power", "lost-fsync", "io-error",
                                       "again", "clock", "concurrent", "power:posix+xfs"};
  for (const BreakEntry<Break>& entry : break_table()) {
    std::istringstream words{std::string(entry.found_under)};
    int count = 0;
    for (std::string kind; words >> kind; ++count) EXPECT_TRUE(kinds.contains(kind)) << kind;
    EXPECT_GT(count, 0) << entry.name;
  }
}

TEST(BreakTable, NamesParseBack) {
  for (const BreakEntry<Break>& entry : break_table()) {
    EXPECT_EQ(parse_break(entry.name), entry.value);
    EXPECT_EQ(break_name(entry.value), entry.name);
  }
}

TEST(BreakTable, UnknownNameSaysHowToListThem) {
  const auto parsed = parse_break("no-such");
  ASSERT_FALSE(parsed);
  EXPECT_NE(parsed.error().message.find("--list-breaks"), std::string::npos);
}

}  // namespace
}  // namespace scenarios::state_manager
