// Plans of faults: their text, and which calls meet them.
#include "harness/inject/faults/plan.h"

#include <errno.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

namespace everycrash::faults {
namespace {

using format::Kind;
using preload::FaultOrder;

std::string text_of(const Fault& fault) {
  char text[4096];
  return {text, write_fault(fault, text, sizeof text)};
}

Fault fault_of(const std::string& text) {
  Fault fault;
  const char* wrong = parse_fault(text.c_str(), fault);
  EXPECT_EQ(wrong, nullptr) << text << ": " << wrong;
  return fault;
}

/// What becomes of a row of calls under some faults.
class Calls {
 public:
  explicit Calls(const std::string& faults) {
    EXPECT_EQ(parse_plan(faults.c_str(), plan_), nullptr) << faults;
  }
  FaultOrder call(Kind kind, std::string_view path, int64_t bytes = 0) {
    return call(static_cast<uint16_t>(kind), path, bytes);
  }
  FaultOrder call(uint16_t kind, std::string_view path, int64_t bytes = 0, uint64_t connection = 0,
                  int64_t overwrites = 0) {
    FaultOrder order = {};
    const preload::FaultQuery query = {kind,  path.data(), path.size(),
                                       bytes, connection,  overwrites};
    return order_for(plan_, query, state_, order) ? order : FaultOrder{};
  }
  /// Which of COUNT equal calls meet a fault: "..x.x".
  std::string pattern(Kind kind, std::string_view path, int count) {
    std::string met;
    for (int i = 0; i < count; ++i)
      met += call(kind, path, 10).what == FaultOrder::kNone ? '.' : 'x';
    return met;
  }

 private:
  Plan plan_;
  format::FaultState state_{};
};

TEST(FaultText, ReadsBackAsWritten) {
  for (const char* text : {"write(state.json*) ENOSPC when=3",
                           "fsync(*) EIO when=2..",
                           "open(a/b) EACCES",
                           "any(*) EINTR when=1..9+2",
                           "any(*) EINTR when=3..+2",
                           "rename(x) kill-before when=2",
                           "unlink(x) kill-after",
                           "write(*) short",
                           "write(*) short=100",

                           "write(*.log) full=65536",
                           "write(*) full=0",
                           "syncs(*) lost",
                           "print() EPIPE",
                           "any(*) delay=50ms..500ms chance=10%",
                           "any(*) delay=2s",
                           "start() clock=+2h",
                           "rename(x) clock=-90s when=3",
                           "start() clock=-100ms",
                           "connect(127.0.0.1:*) ECONNREFUSED when=2",
                           "receive(*) ETIMEDOUT",
                           "send(*:25) hang",
                           "network(unix:/run/db.sock) hang=200ms",
                           "receive(*) short",
                           "receive(*:80) EIO when=1 after-send=3",
                           "receive(*) hang after-send=2 chance=50%",
                           "send(*) short=10",
                           "read(state*) EIO when=2",
                           "read(*) short",
                           "connect(*) delay=1s chance=50%",
                           "network(*) kill-before when=3",
                           "write(100%25%20%29%0a\xc3\xa4) EIO when=1"}) {
    EXPECT_EQ(text_of(fault_of(text)), text);
  }
}

TEST(FaultText, HasOneFormForWhatIsTheSame) {
  EXPECT_EQ(text_of(fault_of("  write(a)   EIO  chance=100% when=1..+1 ")), "write(a) EIO");
  EXPECT_EQ(text_of(fault_of("any(*) delay=1000ms..60s")), "any(*) delay=1s..1m");
  EXPECT_EQ(text_of(fault_of("write(a) EIO when=4..4")), "write(a) EIO when=4");
}

TEST(FaultText, IsRefusedWithAReason) {
  for (const char* text : {"",
                           "write",
                           "write(a",
                           "write() EIO",
                           "wriet(a) EIO",
                           "write(a)",
                           "write(a) EFOO",
                           "write(a) EIO when=0",
                           "write(a) EIO when=3..2",
                           "write(a) EIO when=1+0",
                           "write(a) EIO often",
                           "write(a) EIO after-send=1",
                           "receive(a) EIO after-send=0",
                           "write(a) EIO chance=0%",
                           "write(a) EIO chance=10",
                           "write(a) lost",
                           "write(a) lost=1",
                           "rename(a) short",
                           "write(a) short=0",
                           "fsync(a) full=1",
                           "write(a) hang",
                           "print(a) EIO",
                           "start() EIO",
                           "start(x) clock=+1s",
                           "start() clock=1s",
                           "any(*) delay=5ms..1ms",
                           "any(*) delay=5",
                           "mapwrite(a) EIO",
                           "write(%2) EIO",
                           "write(%00) EIO",
                           "open(a) hang",
                           "read(a) hang",
                           "send(*) hang=0s",
                           "send(*) hang=5",
                           "connect(*) short",
                           "connect(*) full=1",
                           "send(*) lost",
                           "receive(*) kill-after",
                           "start() hang",
                           "connect() EIO"}) {
    Fault fault;
    EXPECT_NE(parse_fault(text, fault), nullptr) << text;
  }
}

TEST(FaultText, ThatIsTooLongIsNotCut) {
  Fault fault;
  EXPECT_NE(parse_fault(("write(" + std::string(2000, 'x') + ") EIO").c_str(), fault), nullptr);
  char text[8];
  EXPECT_EQ(write_fault(fault_of("write(state) EIO"), text, sizeof text), 0U);
}

TEST(FaultPlan, ReadsBackAsWritten) {
  const std::string text = "control fifo=/tmp/a%20b\nseed 7\nwrite(a) EIO when=1\nsyncs(*) lost\n";
  Plan plan;
  ASSERT_EQ(parse_plan(text.c_str(), plan), nullptr);
  EXPECT_EQ(plan.count, 2U);
  EXPECT_STREQ(plan.fifo, "/tmp/a b");
  char again[4096];
  EXPECT_EQ(std::string(again, write_plan(plan, again, sizeof again)), text);
}

TEST(FaultPlan, CountsTheCallsThatAFaultNames) {
  EXPECT_EQ(Calls("write(a) EIO").pattern(Kind::kWrite, "a", 3), "xxx");
  EXPECT_EQ(Calls("write(a) EIO when=2").pattern(Kind::kWrite, "a", 4), ".x..");
  EXPECT_EQ(Calls("write(a) EIO when=2..").pattern(Kind::kWrite, "a", 4), ".xxx");
  EXPECT_EQ(Calls("write(a) EIO when=2..5+2").pattern(Kind::kWrite, "a", 7), ".x.x...");
  EXPECT_EQ(Calls("write(a) EIO when=1..+3").pattern(Kind::kWrite, "a", 7), "x..x..x");
}

TEST(FaultPlan, DoesNotCountOthers) {
  Calls run("write(a) EIO when=2");
  EXPECT_EQ(run.call(Kind::kWrite, "a").what, FaultOrder::kNone);
  EXPECT_EQ(run.call(Kind::kWrite, "b").what, FaultOrder::kNone);
  EXPECT_EQ(run.call(Kind::kOpen, "a").what, FaultOrder::kNone);
  EXPECT_EQ(run.call(Kind::kWrite, "a").what, FaultOrder::kFail);
}

TEST(FaultPlan, GivesTheFirstFaultThatIsDue) {
  Calls run("write(a) EIO when=1\nwrite(*) ENOSPC when=2..\n");
  EXPECT_EQ(run.call(Kind::kWrite, "a").error, EIO);
  EXPECT_EQ(run.call(Kind::kWrite, "a").error, ENOSPC);
}

TEST(FaultPlan, ChancesAreDecidedByTheSeedAlone) {
  const std::string fault = "write(a) EIO chance=30%";
  const std::string met = Calls(fault).pattern(Kind::kWrite, "a", 200);
  EXPECT_EQ(Calls(fault).pattern(Kind::kWrite, "a", 200), met);
  EXPECT_NE(Calls("seed 2\n" + fault).pattern(Kind::kWrite, "a", 200), met);
  const auto count = std::count(met.begin(), met.end(), 'x');
  EXPECT_GT(count, 30);
  EXPECT_LT(count, 90);
}

TEST(FaultPlan, FillsTheDiskUpToItsLastByte) {
  Calls run("write(*) full=25");
  EXPECT_EQ(run.call(Kind::kWrite, "a", 10).what, FaultOrder::kNone);
  EXPECT_EQ(run.call(Kind::kWrite, "b", 10).what, FaultOrder::kNone);
  const FaultOrder cut = run.call(Kind::kWrite, "a", 10);
  EXPECT_EQ(cut.what, FaultOrder::kShorten);
  EXPECT_EQ(cut.value, 5);
  const FaultOrder refused = run.call(Kind::kWrite, "a", 1);
  EXPECT_EQ(refused.what, FaultOrder::kFail);
  EXPECT_EQ(refused.error, ENOSPC);
}

TEST(FaultPlan, ShortensOnlyWhatCanBeShort) {
  EXPECT_EQ(Calls("write(a) short").call(Kind::kWrite, "a", 10).value, 5);
  EXPECT_EQ(Calls("write(a) short=3").call(Kind::kWrite, "a", 10).value, 3);
  EXPECT_EQ(Calls("write(a) short=30").call(Kind::kWrite, "a", 10).what, FaultOrder::kNone);
  EXPECT_EQ(Calls("write(a) short").call(Kind::kWrite, "a", 1).what, FaultOrder::kNone);
}

TEST(FaultPlan, DelaysBetweenBothTimes) {
  Calls run("any(*) delay=50ms..500ms");
  for (int i = 0; i < 50; ++i) {
    const FaultOrder order = run.call(Kind::kUnlink, "a");
    EXPECT_EQ(order.what, FaultOrder::kDelay);
    EXPECT_GE(order.value, 50);
    EXPECT_LE(order.value, 500);
  }
}

TEST(FaultPlan, KnowsSocketsByTheirPeer) {
  const auto meets = [](const std::string& fault, uint16_t call, std::string_view peer) {
    return Calls(fault).call(call, peer, 10).what != FaultOrder::kNone;
  };
  constexpr auto kConnect = static_cast<uint16_t>(Kind::kConnect);
  constexpr uint16_t kReceive = preload::FaultQuery::kReceive;
  EXPECT_TRUE(meets("connect(127.0.0.1:*) EIO", kConnect, "127.0.0.1:80"));
  EXPECT_FALSE(meets("connect(127.0.0.1:*) EIO", kConnect, "127.0.0.2:80"));
  EXPECT_FALSE(meets("connect(*) EIO", kReceive, "127.0.0.1:80"));
  EXPECT_TRUE(meets("network(*:80) hang", kReceive, "127.0.0.1:80"));
  EXPECT_TRUE(meets("network(*:80) hang", static_cast<uint16_t>(Kind::kSend), "127.0.0.1:80"));
  EXPECT_TRUE(meets("receive(unix:/run/*) EIO", kReceive, "unix:/run/db.sock"));
  EXPECT_FALSE(meets("network(*) EIO", preload::FaultQuery::kRead, "state"));
  EXPECT_FALSE(meets("any(*) EIO", kConnect, "127.0.0.1:80"));
  EXPECT_FALSE(meets("any(*) EIO", preload::FaultQuery::kRead, "state"));
}

TEST(FaultPlan, AFullDiskTakesWhatOverwrites) {
  constexpr auto kWrite = static_cast<uint16_t>(Kind::kWrite);
  Calls run("write(*) full=4");
  EXPECT_EQ(run.call(kWrite, "a", 10, 0, 10).what, FaultOrder::kNone);
  const FaultOrder half = run.call(kWrite, "a", 10, 0, 3);
  EXPECT_EQ(half.what, FaultOrder::kShorten);
  EXPECT_EQ(half.value, 3 + 4);
  EXPECT_EQ(run.call(kWrite, "b", 1).what, FaultOrder::kFail);
  EXPECT_EQ(run.call(kWrite, "a", 10, 0, 10).what, FaultOrder::kNone) << "still there";
}

TEST(FaultPlan, CountsReceivesFromASendAndOnItsConnectionAlone) {
  constexpr auto kSend = static_cast<uint16_t>(Kind::kSend);
  constexpr uint16_t kReceive = preload::FaultQuery::kReceive;
  Calls run("receive(*:80) EIO when=2 after-send=2");
  const auto meets = [&](uint16_t call, std::string_view peer, uint64_t connection) {
    return run.call(call, peer, 10, connection).what != FaultOrder::kNone;
  };
  EXPECT_FALSE(meets(kSend, "a:80", 7));
  for (int i = 0; i < 3; ++i) EXPECT_FALSE(meets(kReceive, "a:80", 7)) << "the first answer";
  EXPECT_FALSE(meets(kSend, "a:81", 9)) << "another peer";
  EXPECT_FALSE(meets(kSend, "a:80", 8));
  EXPECT_FALSE(meets(kReceive, "a:80", 7)) << "another connection";
  EXPECT_FALSE(meets(kSend, "a:80", 7)) << "a third send changes nothing";
  EXPECT_FALSE(meets(kReceive, "a:80", 8));
  EXPECT_TRUE(meets(kReceive, "a:80", 8));
  EXPECT_FALSE(meets(kReceive, "a:80", 8));
}

TEST(FaultPlan, CutsReadsAndReceivesShort) {
  EXPECT_EQ(Calls("read(a) short").call(preload::FaultQuery::kRead, "a", 10).value, 5);
  EXPECT_EQ(Calls("receive(*) short").call(preload::FaultQuery::kReceive, "p:1", 10).value, 1);
  EXPECT_EQ(Calls("receive(*) short=4").call(preload::FaultQuery::kReceive, "p:1", 10).value, 4);
}

TEST(FaultPlan, NamesItsPointsInLibfiu) {
  EXPECT_STREQ(name_of(fault_of("write(a) EIO")), "everycrash/call/error");
  EXPECT_STREQ(name_of(fault_of("read(a) short")), "everycrash/call/short");
  EXPECT_STREQ(name_of(fault_of("connect(*) ECONNREFUSED")), "everycrash/net/error");
  EXPECT_STREQ(name_of(fault_of("network(*) hang=1s")), "everycrash/net/hang");
}

TEST(FaultPlan, NamesSyncsByTheirFile) {
  const auto loses = [](const std::string& glob, Kind kind, std::string_view path) {
    return Calls("syncs(" + glob + ") lost").call(kind, path).what == FaultOrder::kLose;
  };
  EXPECT_TRUE(loses("state.json*", Kind::kFileSync, "state.json.tmp"));
  EXPECT_TRUE(loses("state.json*", Kind::kDataSync, "deep/state.json"));
  EXPECT_FALSE(loses("state.json*", Kind::kFileSync, "other"));
  EXPECT_FALSE(loses("state.json*", Kind::kFileSync, ""));
  EXPECT_TRUE(loses(".", Kind::kFileSync, ""));
  EXPECT_TRUE(loses("*", Kind::kFileSync, ""));
  EXPECT_TRUE(loses("*", Kind::kSyncAll, ""));
  EXPECT_FALSE(loses(".*", Kind::kSyncFileSystem, ""));
  EXPECT_FALSE(loses("*", Kind::kWrite, "state.json"));
}

TEST(FaultPlan, MeansTheStateDirectoryByAny) {
  Calls run("any(*) EIO");
  EXPECT_EQ(run.call(Kind::kRename, "a").what, FaultOrder::kFail);
  EXPECT_EQ(run.call(Kind::kPrint, "").what, FaultOrder::kNone);
  EXPECT_EQ(run.call(Kind::kEvent, "").what, FaultOrder::kNone);
}

TEST(Glob, KnowsStarsSetsAndSingleBytes) {
  const auto matches = [](const char* glob, std::string_view path) {
    return matches_glob(glob, path.data(), path.size());
  };
  EXPECT_TRUE(matches("a*c*e", "abcde"));
  EXPECT_FALSE(matches("a*c*e", "abcd"));
  EXPECT_TRUE(matches("sub/*", "sub/deeper/file"));
  EXPECT_FALSE(matches("sub/*", "other/sub/file"));
  EXPECT_TRUE(matches("log.[0-9]?", "log.17"));
  EXPECT_FALSE(matches("log.[!0-9]", "log.1"));
  EXPECT_TRUE(matches("odd[name", "odd[name"));
}

}  // namespace
}  // namespace everycrash::faults
