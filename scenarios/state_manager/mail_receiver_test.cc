#include "scenarios/state_manager/mail_receiver.h"

#include <gtest/gtest.h>

namespace scenarios::state_manager {
namespace {

TEST(Effects, ReadBackAsWritten) {
  const auto mails = parse_effects(effect_line({"step-001", "batch/1"}) + "\n" +
                                   effect_line({"step-002", ""}) + "\n");
  ASSERT_EQ(mails.size(), 2U);
  EXPECT_EQ(mails[0].step, "step-001");
  EXPECT_EQ(mails[0].key, "batch/1");
  EXPECT_EQ(mails[1].step, "step-002");
  EXPECT_EQ(mails[1].key, "");
}

TEST(Effects, SkipOtherLinesAndAHalfOne) {
  const auto mails = parse_effects("step work\neffect mail step-001 k\neffect mail step-002");
  ASSERT_EQ(mails.size(), 1U);
  EXPECT_EQ(mails[0].step, "step-001");
}

TEST(MailStore, AcceptsEachKeyOnce) {
  MailStore store({});
  EXPECT_TRUE(store.accept({"step-001", "k1"}));
  EXPECT_FALSE(store.accept({"step-001", "k1"}));
  EXPECT_TRUE(store.accept({"step-001", "k2"}));
}

TEST(MailStore, KnowsWhatWasAcceptedBefore) {
  MailStore store(std::vector<Mail>{{"step-001", "k1"}});
  EXPECT_FALSE(store.accept({"step-001", "k1"}));
}

TEST(MailStore, CannotTellRepeatsWithoutAKey) {
  MailStore store(std::vector<Mail>{{"step-001", ""}});
  EXPECT_TRUE(store.accept({"step-001", ""}));
  EXPECT_TRUE(store.accept({"step-001", ""}));
}

}  // namespace
}  // namespace scenarios::state_manager
