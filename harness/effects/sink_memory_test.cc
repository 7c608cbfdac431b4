#include "harness/effects/sink_memory.h"

#include <gtest/gtest.h>

namespace everycrash {
namespace {

HttpRequest post(const std::string& key, bool has_key = true) {
  return {.method = "POST", .path = "/charge", .key = key, .has_key = has_key};
}

SinkMemory sink(const char* text) {
  const Result<SinkOptions> options = parse_sink(text);
  EXPECT_TRUE(options) << options.error().message;
  return SinkMemory(*options);
}

TEST(SinkMemory, DoesAKnownKeyOnceAndAnswersItAlways) {
  SinkMemory memory = sink("0");
  EXPECT_TRUE(memory.take(post("a")).done);
  const SinkMemory::Answer again = memory.take(post("a"));
  EXPECT_FALSE(again.done);
  EXPECT_EQ(again.status, 200);
  EXPECT_EQ(memory.lines(), std::vector<std::string>{"effect POST/charge a"});
}

TEST(SinkMemory, DoesARequestWithoutKeyEachTime) {
  SinkMemory memory = sink("0");
  EXPECT_TRUE(memory.take(post("body:1", false)).done);
  EXPECT_TRUE(memory.take(post("body:1", false)).done);
}

TEST(SinkMemory, DoesEveryRequestWithoutDeduplication) {
  SinkMemory memory = sink("0,no-dedup");
  EXPECT_TRUE(memory.take(post("a")).done);
  EXPECT_TRUE(memory.take(post("a")).done);
}

TEST(SinkMemory, FailsTheFirstRequestsWithoutDoingThem) {
  SinkMemory memory = sink("0,fail=1");
  const SinkMemory::Answer first = memory.take(post("a"));
  EXPECT_EQ(first.status, 503);
  EXPECT_FALSE(first.done);
  EXPECT_TRUE(memory.take(post("a")).done);
}

TEST(SinkMemory, DoesTheWorkAndDropsTheAnswer) {
  SinkMemory memory = sink("0,drop=1");
  const SinkMemory::Answer first = memory.take(post("a"));
  EXPECT_TRUE(first.done);
  EXPECT_TRUE(first.dropped);
  const SinkMemory::Answer second = memory.take(post("a"));
  EXPECT_FALSE(second.done);
  EXPECT_FALSE(second.dropped);
}

TEST(SinkMemory, AnswersSafeRequestsWithoutAnEffect) {
  SinkMemory memory = sink("0,fail=all");
  HttpRequest get{.method = "GET", .path = "/"};
  EXPECT_EQ(memory.take(get).status, 200);
  EXPECT_TRUE(memory.lines().empty());
}

TEST(SinkMemory, RemembersWhatWasDoneEarlier) {
  SinkMemory memory = sink("0");
  memory.know("effect POST/charge a");
  EXPECT_FALSE(memory.take(post("a")).done);
  EXPECT_EQ(memory.lines().size(), 1u);
}

TEST(SinkOptions, SurviveBeingWritten) {
  for (const char* text : {"8025", "0,no-dedup", "8025,delay=250ms,fail=2,drop=all"}) {
    const Result<SinkOptions> options = parse_sink(text);
    ASSERT_TRUE(options) << text;
    EXPECT_EQ(to_text(*options), text);
  }
}

TEST(SinkOptions, ThatMeanNothingAreRefused) {
  for (const char* text : {"", "70000", "80,dedup", "80,delay=5", "80,fail=", "fail=x", "80,"}) {
    const Result<SinkOptions> options = parse_sink(text);
    EXPECT_FALSE(options) << text;
  }
}

}  // namespace
}  // namespace everycrash
