#include "harness/effects/find_effects.h"

#include <errno.h>
#include <fcntl.h>
#include <gtest/gtest.h>

#include "harness/trace/recording_for_test.h"

namespace everycrash {
namespace {

constexpr const char* kOutside = "127.0.0.1:8080";

std::string post(const std::string& key) {
  const std::string header = key.empty() ? "" : "Idempotency-Key: " + key + "\r\n";
  return "POST /charge HTTP/1.1\r\nHost: x\r\n" + header + "Content-Length: 2\r\n\r\nhi";
}

FoundEffects find(const Trace& trace, const EffectRules& rules = {}) {
  return find_effects(trace, rules, SinkMemory(rules.sink.value_or(SinkOptions{})));
}

std::vector<std::string> lines_of(const FoundEffects& found) {
  std::vector<std::string> lines;
  for (const FoundEffect& effect : found.effects) lines.push_back(effect.line);
  return lines;
}

using Lines = std::vector<std::string>;

/// A connection to PEER on which BYTES are sent, one send each.
void talk(Recording& recording, const char* peer, const Lines& bytes, uint64_t inode = 7) {
  recording.add(Kind::kConnect, peer, "", inode, "");
  for (const std::string& each : bytes) recording.add(Kind::kSend, peer, "", inode, each);
}

TEST(FindEffects, TellsARequestAtTheSendThatCompletesIt) {
  Recording recording;
  const std::string request = post("order-17");
  talk(recording, kOutside, {request.substr(0, 20), request.substr(20)});
  const FoundEffects found = find(recording.finish());
  ASSERT_EQ(lines_of(found), Lines{"effect POST/charge order-17 repeatable"});
  EXPECT_EQ(found.effects[0].sequence, 3u);
  EXPECT_TRUE(found.assumes_keys);
}

TEST(FindEffects, KnowsARequestWithoutKeyByItsBody) {
  Recording recording;
  talk(recording, kOutside, {post("")});
  const Lines lines = lines_of(find(recording.finish()));
  ASSERT_EQ(lines.size(), 1u);
  EXPECT_TRUE(lines[0].starts_with("effect POST/charge body:"));
  EXPECT_EQ(lines[0].find("repeatable"), std::string::npos);
}

TEST(FindEffects, TakesNoSafeRequestForAnEffect) {
  Recording recording;
  talk(recording, kOutside, {"GET / HTTP/1.1\r\nHost: x\r\n\r\n"});
  EXPECT_TRUE(find(recording.finish()).effects.empty());
}

TEST(FindEffects, CountsARequestWhoseEndWasNeverSeen) {
  Recording recording;
  const std::string request = post("order-17");
  talk(recording, kOutside, {request.substr(0, request.size() - 1)});
  EXPECT_EQ(find(recording.finish()).effects.size(), 1u);
}

TEST(FindEffects, LeavesOutWhatStaysInTheWorkload) {
  Recording recording;
  recording.add(Kind::kListen, "0.0.0.0:8080", "", 3, "");
  talk(recording, kOutside, {post("a")});
  recording.add(Kind::kSend, "127.0.0.1:40000", "", 9, "HTTP/1.1 200 OK\r\n\r\n");  // accepted
  recording.add(Kind::kListen, "unix:redis.sock", "", 4, "");
  talk(recording, "unix:/state/redis.sock", {"PING\r\n"}, 8);
  const FoundEffects found = find(recording.finish());
  EXPECT_TRUE(found.effects.empty());
  EXPECT_TRUE(found.not_counted.empty());
}

TEST(FindEffects, SaysWhatItCannotCount) {
  Recording recording;
  talk(recording, "127.0.0.1:25", {"HELO x\r\n", "QUIT\r\n"}, 7);
  talk(recording, "10.0.0.1:443", {std::string("\x16\x03\x01\x00", 4)}, 8);
  const FoundEffects found = find(recording.finish());
  EXPECT_TRUE(found.effects.empty());
  EXPECT_TRUE(found.outside_peer);
  ASSERT_EQ(found.not_counted.size(), 2u);
  EXPECT_TRUE(found.not_counted[0].encrypted);
  EXPECT_EQ(found.not_counted[1].peer, "127.0.0.1:25");
  EXPECT_EQ(found.not_counted[1].messages, 2u);
  EXPECT_FALSE(found.not_counted[1].encrypted);
}

TEST(FindEffects, CountsOtherBytesOfChosenPeers) {
  Recording recording;
  talk(recording, "127.0.0.1:25", {"HELO x\r\n", "QUIT\r\n"});
  const Lines lines = lines_of(find(recording.finish(), {.peers = {"127.0.0.1:*"}}));
  ASSERT_EQ(lines.size(), 2u);
  EXPECT_TRUE(lines[0].starts_with("effect send:127.0.0.1:25 "));
  EXPECT_NE(lines[0], lines[1]);
}

TEST(FindEffects, CountsAtTheSinkWhatItDid) {
  Recording recording;
  talk(recording, kOutside, {post("a"), post("a"), post("b")});
  const EffectRules rules{.sink = SinkOptions{.port = 8080}};
  const FoundEffects found = find(recording.finish(), rules);
  EXPECT_EQ(lines_of(found), (Lines{"effect POST/charge a", "effect POST/charge b"}));
  EXPECT_FALSE(found.assumes_keys);
  EXPECT_EQ(sink_memory_at(found, 1).lines().size(), 0u);
  EXPECT_EQ(sink_memory_at(found, 3).lines().size(), 1u);
  EXPECT_EQ(sink_memory_at(found, 4).lines().size(), 2u);
}

TEST(FindEffects, CountsACommandThatEndedWell) {
  Recording recording;
  recording.add(Kind::kProcess, "/usr/sbin/sendmail", "", 0, std::string("sendmail\0bob\0", 13));
  recording.exit(0);
  recording.add(Kind::kProcess, "/usr/sbin/sendmail", "", 0, std::string("sendmail\0eve\0", 13));
  recording.exit(1);
  recording.add(Kind::kProcess, "/bin/ls", "", 0, std::string("ls\0", 3));
  recording.exit(0);
  EXPECT_EQ(lines_of(find(recording.finish(), {.commands = {"sendmail*"}})),
            Lines{"effect sendmail bob"});
}

TEST(FindEffects, KnowsACommandByItsPathWhereTheGlobHasOne) {
  for (const char* glob : {"/usr/sbin/sendmail", "*/sendmail"}) {
    Recording recording;
    recording.add(Kind::kProcess, "/usr/sbin/sendmail", "", 0, std::string("sendmail\0bob\0", 13));
    recording.exit(0);
    recording.add(Kind::kProcess, "/bin/sh", "", 0, std::string("/bin/sh\0./sendmail\0eve\0", 23));
    recording.exit(0);
    const Lines lines = lines_of(find(recording.finish(), {.commands = {glob}}));
    ASSERT_FALSE(lines.empty()) << glob;
    EXPECT_EQ(lines[0], "effect sendmail bob");
    EXPECT_EQ(lines.size(), glob[0] == '*' ? 2u : 1u);
  }
}

TEST(FindEffects, KnowsAScriptByItsOwnName) {
  Recording recording;
  recording.add(Kind::kProcess, "/bin/sh", "", 0, std::string("/bin/sh\0./notify\0bob\0", 21));
  recording.exit(0);
  EXPECT_EQ(lines_of(find(recording.finish(), {.commands = {"notify"}})),
            Lines{"effect notify bob"});
}

TEST(FindEffects, CountsFilesThatAppearInAFolder) {
  Recording recording;
  recording.create("outbox/a", 1).write("outbox/a", 1, 0, "x");
  recording.add(Kind::kClose, "outbox/a", "", 1, "");
  recording.create("outbox/b.tmp", 2).write("outbox/b.tmp", 2, 0, "x");
  recording.add(Kind::kClose, "outbox/b.tmp", "", 2, "");
  recording.rename("outbox/b.tmp", "outbox/b", 2);
  recording.create("other/c", 3);
  const FoundEffects found = find(recording.finish(), {.folders = {"outbox"}});
  EXPECT_EQ(lines_of(found), (Lines{"effect outbox a", "effect outbox b"}));
  EXPECT_EQ(found.effects[0].sequence, 2u) << "with its last write it is whole";
}

TEST(FindEffects, CountsNoFileThatIsHalfWritten) {
  Recording recording;
  recording.create("outbox/a", 1).write("outbox/a", 1, 0, "x");
  EXPECT_EQ(lines_of(find(recording.finish(), {.folders = {"outbox"}})), Lines{});
  Recording full;
  full.create("outbox/a", 1).write("outbox/a", 1, 0, "x");
  full.add(Kind::kWrite, "outbox/a", "", 1, "", 0, -ENOSPC);
  full.add(Kind::kClose, "outbox/a", "", 1, "");
  EXPECT_EQ(lines_of(find(full.finish(), {.folders = {"outbox"}})), Lines{});
}

TEST(FindEffects, WaitsForWhatFillsAFileThatWasMadeEmpty) {
  Recording recording;
  recording.create("outbox/a", 1).add(Kind::kClose, "outbox/a", "", 1, "");
  recording.open("outbox/a", 1, O_WRONLY | O_TRUNC, format::kTruncated);
  recording.write("outbox/a", 1, 0, "x").add(Kind::kClose, "outbox/a", "", 1, "");
  const FoundEffects found = find(recording.finish(), {.folders = {"outbox"}});
  ASSERT_EQ(lines_of(found), Lines{"effect outbox a"});
  EXPECT_EQ(found.effects[0].sequence, 4u);
}

TEST(FindEffects, CountsAFileThatStaysEmpty) {
  Recording recording;
  recording.create("outbox/a", 1).add(Kind::kClose, "outbox/a", "", 1, "");
  recording.open("outbox/a", 1, O_RDONLY).add(Kind::kClose, "outbox/a", "", 1, "");
  EXPECT_EQ(lines_of(find(recording.finish(), {.folders = {"outbox"}})), Lines{"effect outbox a"});
}

TEST(FindEffects, TakesNoTemporaryFileOfTheUndisturbedRunForAnEffect) {
  EffectRules rules{.folders = {"outbox"}};
  rules.temporary.add("outbox/.a.4711", {4711});
  Recording recording;
  recording.create("outbox/.a.4712", 1).write("outbox/.a.4712", 1, 0, "x");
  recording.add(Kind::kClose, "outbox/.a.4712", "", 1, "");
  EXPECT_EQ(lines_of(find(recording.finish(), rules)), Lines{});
}

TEST(FindEffects, CountsAFileThatItsWriterLeavesOpenToTheEnd) {
  Recording recording;
  recording.create("outbox/a", 1).write("outbox/a", 1, 0, "x").exit(0);
  EXPECT_EQ(lines_of(find(recording.finish(), {.folders = {"outbox"}})), Lines{"effect outbox a"});
}

TEST(FindEffects, CountsAFileWithTheLastOfSeveralCloses) {
  Recording recording;
  recording.create("outbox/a", 1);
  recording.add(Kind::kClose, "outbox/a", "", 1, "");  // a shell has another descriptor for it
  recording.write("outbox/a", 1, 0, "x");
  recording.add(Kind::kClose, "outbox/a", "", 1, "");
  const FoundEffects found = find(recording.finish(), {.folders = {"outbox"}});
  EXPECT_EQ(lines_of(found), Lines{"effect outbox a"});
  EXPECT_EQ(found.effects[0].sequence, 3u);
}

TEST(FindEffects, LetsAFileBeWrittenAgain) {
  Recording recording;
  recording.open("outbox/a", 1, O_WRONLY | O_CREAT | O_TRUNC, format::kTruncated);
  recording.write("outbox/a", 1, 0, "x");
  recording.add(Kind::kClose, "outbox/a", "", 1, "");
  EXPECT_EQ(lines_of(find(recording.finish(), {.folders = {"outbox"}})),
            Lines{"effect outbox a repeatable"});
}

TEST(FindEffects, CountsAFileWhoseCloseFails) {
  Recording recording;
  recording.create("outbox/a", 1).write("outbox/a", 1, 0, "x");
  recording.add(Kind::kClose, "outbox/a", "", 1, "", 0, -EIO);
  EXPECT_EQ(lines_of(find(recording.finish(), {.folders = {"outbox"}})), Lines{"effect outbox a"});
}

TEST(FindEffects, AreEventsOfTheirRecordsOnceAnnounced) {
  Recording recording;
  talk(recording, kOutside, {post("a")});
  Trace trace = recording.finish();
  announce_effects(find(trace), trace);
  EXPECT_EQ(trace.find(2)->events, "effect POST/charge a repeatable\n");
  EXPECT_TRUE(changes_state(*trace.find(2)));
  EXPECT_EQ(describe_events(*trace.find(2)), "effect POST/charge a");
}

TEST(FindEffects, TellsUntilWhenAFileLiesInTheOutbox) {
  Recording recording;
  recording.create("outbox/a.tmp", 1).write("outbox/a.tmp", 1, 0, "x");
  recording.rename("outbox/a.tmp", "outbox/a", 1);
  recording.create("b", 2);
  recording.rename("outbox", "sent", 3);
  const Trace trace = recording.finish();
  uint64_t moved = 0;
  for (const Operation& record : trace.records()) {
    if (record.path == "outbox") moved = record.sequence;
  }
  const FoundEffects found = find(trace, {.folders = {"outbox"}});
  ASSERT_EQ(found.effects.size(), 1u);
  EXPECT_EQ(found.effects[0].file, "outbox/a");
  EXPECT_EQ(found.effects[0].gone, moved);
}

}  // namespace
}  // namespace everycrash
