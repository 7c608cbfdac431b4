// Calls on sockets, and reads, that meet faults.
#include <gmock/gmock.h>

#include <fstream>
#include <string>
#include <vector>

#include "harness/record/recorder_fixture.h"

namespace everycrash {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

class NetworkFaultTest : public RecorderTest {
 protected:
  /// What a program prints that meets FAULT, line by line.
  std::vector<std::string> meeting(const std::string& fault, const std::string& name,
                                   std::vector<std::string> arguments = {}) {
    options_.faults = fault.empty() ? "" : fault + "\n";
    arguments.insert(arguments.begin(), program(name));
    run(std::move(arguments));
    std::ifstream printed(outcome_.stdout_file);
    std::vector<std::string> lines;
    for (std::string line; std::getline(printed, line);) lines.push_back(line);
    return lines;
  }
  [[nodiscard]] uint64_t met() const { return trace_->faults().fired[0]; }
};

const std::string kPeer = "127.0.0.2:*";

TEST_F(NetworkFaultTest, WithoutFaultsAllIsAsEver) {
  EXPECT_THAT(meeting("", "dials"),
              ElementsAre("connect: done", "send: 8", "receive: 6", "receive: 0"));
}

TEST_F(NetworkFaultTest, AConnectionIsRefused) {
  EXPECT_THAT(meeting("connect(" + kPeer + ") ECONNREFUSED", "dials"),
              ElementsAre("connect: ECONNREFUSED"));
  EXPECT_EQ(met(), 1U);
}

TEST_F(NetworkFaultTest, AnotherPeerIsNotMeant) {
  EXPECT_EQ(meeting("network(10.0.0.1:*) ECONNREFUSED", "dials").size(), 4U);
  EXPECT_EQ(met(), 0U);
}

TEST_F(NetworkFaultTest, ASendAndAReceiveFail) {
  EXPECT_THAT(meeting("send(" + kPeer + ") ECONNRESET", "dials"),
              ElementsAre("connect: done", "send: ECONNRESET"));
  EXPECT_THAT(meeting("receive(" + kPeer + ") ETIMEDOUT when=2", "dials"),
              ElementsAre("connect: done", "send: 8", "receive: 6", "receive: ETIMEDOUT"));
}

TEST_F(NetworkFaultTest, ABrokenPipeKillsWhoDoesNotIgnoreIt) {
  options_.faults = "send(" + kPeer + ") EPIPE\n";
  run({program("dials")}, false);
  EXPECT_EQ(describe(outcome_.end), "killed by SIGPIPE");
}

TEST_F(NetworkFaultTest, AReceiveDeliversOneByteASendTheHalf) {
  EXPECT_THAT(meeting("receive(" + kPeer + ") short when=1..2", "dials"),
              ElementsAre("connect: done", "send: 8", "receive: 1", "receive: 1", "receive: 4",
                          "receive: 0"));
  EXPECT_THAT(meeting("send(" + kPeer + ") short", "dials"),
              ElementsAre("connect: done", "send: 4", "receive: 6", "receive: 0"));
}

TEST_F(NetworkFaultTest, TheSocketsOwnTimeoutsEndAHang) {
  EXPECT_THAT(meeting("receive(" + kPeer + ") hang", "dials", {"timeouts"}),
              ElementsAre("connect: done", "send: 8", "receive: EAGAIN"));
  EXPECT_THAT(meeting("send(" + kPeer + ") hang", "dials", {"timeouts"}),
              ElementsAre("connect: done", "send: EAGAIN"));
  EXPECT_EQ(meeting("connect(" + kPeer + ") hang", "dials", {"timeouts"}).front(),
            "connect: EINPROGRESS");
}

TEST_F(NetworkFaultTest, ASignalEndsAHang) {
  EXPECT_THAT(meeting("receive(" + kPeer + ") hang", "dials", {"alarm"}),
              ElementsAre("connect: done", "send: 8", "receive: EINTR"));
  EXPECT_THAT(meeting("send(" + kPeer + ") hang", "dials", {"alarm"}),
              ElementsAre("connect: done", "send: EINTR"));
  EXPECT_THAT(meeting("connect(" + kPeer + ") hang", "dials", {"alarm"}),
              ElementsAre("connect: EINTR"));
}

TEST_F(NetworkFaultTest, WhoMustNotWaitSeesThePeerFallSilent) {
  EXPECT_THAT(meeting("connect(" + kPeer + ") hang", "dials", {"nonblocking"}),
              ElementsAre("connect: EINPROGRESS", "connect: silent"));
  EXPECT_THAT(meeting("send(" + kPeer + ") hang", "dials", {"nonblocking"}),
              ElementsAre("connect: EINPROGRESS", "send: EAGAIN"));
}

TEST_F(NetworkFaultTest, AHangThatEndsOnlyDelays) {
  for (const char* call : {"connect", "send", "receive"}) {
    EXPECT_THAT(meeting(std::string(call) + "(" + kPeer + ") hang=50ms when=1", "dials"),
                ElementsAre("connect: done", "send: 8", "receive: 6", "receive: 0"))
        << call;
    EXPECT_EQ(met(), 1U) << call;
  }
}

TEST_F(NetworkFaultTest, PollSeesAPartitionHeal) {
  options_.faults = "receive(" + kPeer + ") hang=50ms when=1\n";
  run({"python3", "-c",
       "import select, socket, time\n"
       "l = socket.socket(); l.bind(('127.0.0.2', 0)); l.listen()\n"
       "c = socket.create_connection(l.getsockname()); a = l.accept()[0]\n"
       "c.setblocking(False)\n"
       "try: c.recv(1)\n"
       "except BlockingIOError: pass\n"
       "a.send(b'x')\n"
       "p = select.poll(); p.register(c, select.POLLIN)\n"
       "assert p.poll(20) == []\n"
       "assert p.poll(10000) != []\n"
       "assert c.recv(1) == b'x'\n"});
  EXPECT_EQ(met(), 1U);
}

TEST_F(NetworkFaultTest, WhoMustNotWaitComesAgainToTheSameCallWhenTheHangIsOver) {
  options_.faults = "receive(" + kPeer + ") hang=50ms\n";
  run({"python3", "-c",
       "import select, socket, sys, time\n"
       "l = socket.socket(); l.bind(('127.0.0.2', 0)); l.listen()\n"
       "c = socket.create_connection(l.getsockname()); a = l.accept()[0]\n"
       "c.setblocking(False)\n"
       "p = select.poll(); p.register(c, select.POLLIN)\n"
       "end = time.monotonic() + 20\n"
       "def come():\n"
       "  while time.monotonic() < end:\n"
       "    try: return c.recv(1)\n"
       "    except BlockingIOError: p.poll(10)\n"
       "  sys.exit('for ever')\n"
       "for word in b'ab':\n"
       "  a.send(bytes([word]))\n"
       "  assert come() == bytes([word])\n"});
  EXPECT_EQ(describe(outcome_.end), "exit status 0") << outcome_.stderr_tail;
  EXPECT_EQ(met(), 2U);
}

TEST_F(NetworkFaultTest, UnixSocketsAreMeantByTheirPath) {
  EXPECT_THAT(meeting("connect(unix:peer) ECONNREFUSED", "dials", {"unix"}),
              ElementsAre("connect: ECONNREFUSED"));
  std::filesystem::remove(state() / "peer");
  EXPECT_THAT(meeting("receive(unix:peer) hang", "dials", {"unix", "timeouts"}).back(),
              "receive: EAGAIN");
}

TEST_F(NetworkFaultTest, ReadsFailOrDeliverTheHalf) {
  EXPECT_THAT(meeting("", "reads"),
              ElementsAre("read: 10", "pread: 10", "readv: 10", "preadv: 10", "fread: 10"));
  EXPECT_THAT(meeting("read(state) short when=1..4", "reads"),
              ElementsAre("read: 5", "pread: 5", "readv: 5", "preadv: 5", "fread: 10"));
  EXPECT_THAT(meeting("read(*) EIO when=2..3", "reads"),
              ElementsAre("read: 10", "pread: EIO", "readv: EIO", "preadv: 10", "fread: 10"));
  EXPECT_EQ(met(), 2U) << "reads elsewhere are not counted";
}

TEST_F(NetworkFaultTest, ReadsAreCaughtInEveryProcess) {
  options_.faults = "read(f) EIO\n";
  run({"sh", "-c", "echo x >f; env -i cat f"}, false);
  EXPECT_EQ(describe(outcome_.end), "exit status 1");
  EXPECT_THAT(outcome_.stderr_tail, HasSubstr("Input/output error"));
}

TEST_F(NetworkFaultTest, ReadsAreNotCaughtUnlessThePlanAsks) {
  EXPECT_THAT(meeting("", "reads", {"watch"}), ElementsAre("not caught"));
  EXPECT_THAT(meeting("any(*) EIO when=99", "reads", {"watch"}), ElementsAre("not caught"));
  EXPECT_THAT(meeting("connect(*) EIO", "reads", {"watch"}), ElementsAre("not caught"));
  EXPECT_THAT(meeting("read(*) EIO when=99", "reads", {"watch"}), ElementsAre("caught"));
}

}  // namespace
}  // namespace everycrash
