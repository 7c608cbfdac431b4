#include <gtest/gtest.h>

#include <set>
#include <sstream>

#include "scenarios/job_ledger/break_table.h"

namespace scenarios::job_ledger {
namespace {

TEST(BreakTable, HasEachBreakOnceInOrder) {
  int expected = static_cast<int>(Break::kNone);
  std::set<std::string_view> names;
  for (const BreakEntry<Break>& entry : break_table()) {
    EXPECT_EQ(static_cast<int>(entry.value), ++expected) << entry.name;
    EXPECT_TRUE(names.insert(entry.name).second) << entry.name;
    EXPECT_EQ(parse_break(entry.name), entry.value);
    EXPECT_EQ(break_name(entry.value), entry.name);
  }
  EXPECT_EQ(expected, static_cast<int>(Break::kTruthFromMarkers));
}

TEST(BreakTable, ExpectsOnlyCrashKindsThatExist) {
  const std::set<std::string> kinds = {"kill", "power", "concurrent", "clock"};
  for (const BreakEntry<Break>& entry : break_table()) {
    std::istringstream words{std::string(entry.found_under)};
    int count = 0;
    for (std::string kind; words >> kind; ++count) EXPECT_TRUE(kinds.contains(kind)) << kind;
    EXPECT_GT(count, 0) << entry.name;
  }
}

TEST(BreakTable, SaysOfEachBreakWhatTheCheckerSaysOfIt) {
  for (const BreakEntry<Break>& entry : break_table()) EXPECT_NE(entry.signs, "") << entry.name;
}

TEST(BreakTable, AnUnknownNameSaysHowToListThem) {
  const auto parsed = parse_break("no-such");
  ASSERT_FALSE(parsed);
  EXPECT_NE(parsed.error().message.find("--list-breaks"), std::string::npos);
}

}  // namespace
}  // namespace scenarios::job_ledger
