#include "scenarios/job_ledger/feed.h"

#include <gtest/gtest.h>

#include "scenarios/job_ledger/daily_text.h"

namespace scenarios::job_ledger {
namespace {

TEST(Feed, CountsEachPostOfADay) {
  const PostCounts posts = count_posts(
      "effect publish 2026-01-01\nstep 02_write\neffect publish 2026-01-02\n"
      "effect publish 2026-01-01\n");
  EXPECT_EQ(posts, (PostCounts{{"2026-01-01", 2}, {"2026-01-02", 1}}));
}

TEST(Feed, SkipsAHalfLine) {
  EXPECT_TRUE(count_posts("effect publish 2026-01-0").empty());
}

TEST(Feed, RefusesATextThatIsNotWhole) {
  const std::string post = *post_text(draft_text("2026-01-01"));
  EXPECT_TRUE(publish(post));
  EXPECT_FALSE(publish(post.substr(0, post.size() - 1)));
  EXPECT_FALSE(publish(""));
}

TEST(DailyText, TellsItsDay) {
  EXPECT_EQ(day_name(1), "2026-01-01");
  EXPECT_EQ(day_name(32), "2026-02-01");
  EXPECT_EQ(*day_of(draft_text("2026-02-01")), "2026-02-01");
  EXPECT_EQ(*day_of(*post_text(draft_text("2026-02-01"))), "2026-02-01");
}

TEST(DailyText, IsLongerThanAPageOnSomeDays) {
  int longer = 0;
  for (int number = 1; number <= 20; ++number) {
    longer += draft_text(day_name(number)).size() > 4096 ? 1 : 0;
  }
  EXPECT_GT(longer, 3);
  EXPECT_LT(longer, 17);
}

}  // namespace
}  // namespace scenarios::job_ledger
