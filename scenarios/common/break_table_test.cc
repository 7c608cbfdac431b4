#include "scenarios/common/break_table.h"

#include <gtest/gtest.h>

namespace scenarios {
namespace {

enum class Break { kNone, kNoSync, kLateSync, kEnd };

constexpr BreakEntry<Break> kEntries[] = {
    {Break::kNoSync, "no-sync", "power:posix+xfs", "never syncs", "is empty"},
    {Break::kLateSync, "late-sync", "kill power", "syncs too late", "is empty|is cut"},
};
constexpr BreakTable<Break> kBreaks("sample", kEntries);

TEST(BreakTable, NamesParseBack) {
  for (const BreakEntry<Break>& entry : kBreaks.entries()) {
    EXPECT_EQ(kBreaks.find(entry.name), entry.value);
    EXPECT_EQ(kBreaks.name_of(entry.value), entry.name);
  }
  EXPECT_EQ(kBreaks.name_of(Break::kNone), "none");
}

TEST(BreakTable, AnUnknownNameSaysHowToListThem) {
  const auto found = kBreaks.find("no-such");
  ASSERT_FALSE(found);
  EXPECT_NE(found.error().message.find("`sample --list-breaks`"), std::string::npos);
}

TEST(BreakTable, KnowsTheCrashKindsThatThereAre) {
  static_assert(names_crash_kinds("kill"));
  static_assert(names_crash_kinds("io-error again lost-fsync"));
  static_assert(names_crash_kinds("power:posix+xfs clock"));
  EXPECT_FALSE(names_crash_kinds(""));
  EXPECT_FALSE(names_crash_kinds("kill  power"));
  EXPECT_FALSE(names_crash_kinds("thunder"));
}

}  // namespace
}  // namespace scenarios
