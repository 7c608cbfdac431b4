// Which calls of a recorded run fail, and how they are named.
#include "harness/inject/fault_sweep.h"

#include <gmock/gmock.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>

#include "harness/base/folder_for_test.h"
#include "harness/effects/sink.h"
#include "harness/inject/chaos_plan.h"
#include "harness/inject/fault_text.h"
#include "harness/inject/faulted_runs.h"
#include "harness/record/recorder.h"

namespace everycrash {
namespace {

using testing::Contains;
using testing::Each;
using testing::Not;

class FaultSweep : public testing::Test {
 protected:
  void SetUp() override {
    std::filesystem::create_directories(base_ / "state");
    std::filesystem::create_directories(base_ / "work");
  }

  RecordOptions shell(const std::string& script) const {
    return {.command = {"/bin/sh", "-c", script},
            .state_directory = base_ / "state",
            .trace_file = base_ / "trace",
            .work_directory = base_ / "work",
            .trace_capacity = 64 << 20};
  }

  std::vector<std::string> sweep(const std::string& script) {
    EXPECT_TRUE(record(shell(script)));
    const Result<Trace> trace = Trace::open(base_ / "trace");
    EXPECT_TRUE(trace);
    std::vector<std::string> texts;
    for (const SweptFault& swept : sweep_of(*trace)) texts.push_back(swept.text);
    return texts;
  }

  FaultedRun run(const std::string& script, const std::string& fault) {
    auto runs = FaultedRuns::create(shell(script), base_ / "runs", FileSystem());
    EXPECT_TRUE(runs) << runs.error().message;
    const Result<std::string> plan = plan_of({fault}, 1);
    EXPECT_TRUE(plan) << plan.error().message;
    Result<FaultedRun> run = (*runs)->run(*plan);
    EXPECT_TRUE(run) << run.error().message;
    return std::move(*run);
  }

  FolderForTest base_;
};

TEST_F(FaultSweep, LetsEachCallFailByItselfAndOnceForGood) {
  const auto faults = sweep("echo one >f; echo two >f");
  EXPECT_THAT(faults, Contains("write(f) ENOSPC when=1"));
  EXPECT_THAT(faults, Contains("write(f) ENOSPC when=2"));
  EXPECT_THAT(faults, Contains("write(f) short when=2"));
  EXPECT_EQ(std::count(faults.begin(), faults.end(), "write(f) ENOSPC"), 1);
  EXPECT_THAT(faults, Contains("open(f) ENOSPC when=1"));
  EXPECT_THAT(faults, Not(Contains("open(f) ENOSPC when=2"))) << "the second makes nothing";
}

TEST_F(FaultSweep, LetsADiskBecomeFullForGoodAtEachWrite) {
  const auto faults = sweep("echo one >f; echo three >g");
  EXPECT_THAT(faults, Contains("write(*) full=0"));
  EXPECT_THAT(faults, Contains("write(*) full=4")) << "full from the second on";
  EXPECT_THAT(faults, Contains("write(*) full=2"));
  EXPECT_THAT(faults, Contains("write(*) full=7")) << "4 bytes, and half of the next 6";
}

TEST_F(FaultSweep, LetsAFullDiskOverwriteWhatIsThere) {
  const std::string script = "printf 1234567890 >f; printf abc 1<>f; printf x >g";
  EXPECT_THAT(sweep(script), Not(Contains("write(*) full=13")));
  const FaultedRun left = run(script, "write(*) full=10");
  EXPECT_EQ(left.tree.content(left.tree.find("f")), "abc4567890");
  EXPECT_EQ(left.tree.content(left.tree.find("g")), "");
}

TEST_F(FaultSweep, LeavesAloneWhatItCannotHit) {
  if (std::system("command -v setfacl >/dev/null") != 0) GTEST_SKIP() << "no setfacl";
  EXPECT_THAT(sweep("echo x >f; setfacl -m g::rwx f"),
              Not(Contains(testing::StartsWith("chmod(f)"))));
}

TEST_F(FaultSweep, GivesPeersNoErrorThatTheyCannotHave) {
  RecordOptions options = shell("");
  options.command = {"/usr/bin/python3", "-c",
                     "import socket, sys\n"
                     "inside = socket.socket(); inside.bind(('127.0.0.1', 0)); inside.listen()\n"
                     "a = socket.create_connection(inside.getsockname()); a.sendall(b'x')\n"
                     "b = socket.socket(socket.AF_UNIX); b.connect(sys.argv[1]); b.sendall(b'x')",
                     (base_ / "peer").string()};
  const int peer = socket(AF_UNIX, SOCK_STREAM, 0);
  sockaddr_un address = {.sun_family = AF_UNIX};
  (base_ / "peer").string().copy(address.sun_path, sizeof address.sun_path - 1);
  ASSERT_EQ(bind(peer, reinterpret_cast<sockaddr*>(&address), sizeof address), 0);
  ASSERT_EQ(listen(peer, 1), 0);
  EXPECT_TRUE(record(options));
  close(peer);
  const Result<Trace> trace = Trace::open(base_ / "trace");
  ASSERT_TRUE(trace);
  std::vector<std::string> faults;
  for (const SweptFault& swept : sweep_of(*trace)) faults.push_back(swept.text);
  EXPECT_THAT(faults, Contains(testing::StartsWith("connect(unix:")));
  EXPECT_THAT(faults, Each(testing::AllOf(Not(testing::HasSubstr("ETIMEDOUT")),
                                          Not(testing::HasSubstr("(127.0.0.1:")))));
}

TEST_F(FaultSweep, SpreadsFullDisksOverARunWithManyWrites) {
  EXPECT_TRUE(record(shell("for i in $(seq 120); do echo $i; done >f")));
  const Result<Trace> trace = Trace::open(base_ / "trace");
  ASSERT_TRUE(trace);
  const auto sweep = sweep_of(*trace);
  EXPECT_EQ(std::count_if(sweep.begin(), sweep.end(),
                          [](const SweptFault& swept) { return swept.fills_disk; }),
            2 * 40);
  EXPECT_EQ(count_full_disks(*trace).tried, 40u);
  EXPECT_EQ(count_full_disks(*trace).writes, 120u);
}

TEST_F(FaultSweep, LetsWhatIsSentToAPeerFail) {
  SinkOptions behaviour;
  const Result<int> socket = listen_on_loopback(behaviour.port);
  ASSERT_TRUE(socket) << socket.error().message;
  Sink sink(*socket, behaviour, nullptr);
  RecordOptions options = shell("");
  const std::string port = std::to_string(behaviour.port);
  options.command = {"/bin/bash", "-c",
                     "exec 3<>/dev/tcp/127.0.0.1/" + port +
                         " && printf 'POST /x HTTP/1.1\r\nHost: x\r\n\r\n' >&3"
                         " && read -r answer <&3"};
  EXPECT_TRUE(record(options));
  const Result<Trace> trace = Trace::open(base_ / "trace");
  ASSERT_TRUE(trace);
  std::vector<std::string> faults;
  for (const SweptFault& swept : sweep_of(*trace)) faults.push_back(swept.text);
  const std::string peer = "(127.0.0.1:" + port + ")";
  EXPECT_THAT(faults, Contains("connect" + peer + " ECONNREFUSED"));
  EXPECT_THAT(faults, Contains("connect" + peer + " ETIMEDOUT when=1"));
  for (const char* error : {"ECONNRESET", "EPIPE", "ETIMEDOUT"})
    EXPECT_THAT(faults, Contains("send" + peer + " " + error + " when=1"));
  EXPECT_THAT(faults, Contains("receive" + peer + " ECONNRESET when=1 after-send=1"));
}

TEST_F(FaultSweep, CountsWhatItsGlobNamesInEveryFolder) {
  EXPECT_THAT(sweep("mkdir d; echo one >d/f; echo two >f"), Contains("write(f) EIO when=2"));
}

TEST_F(FaultSweep, LeavesOpenWhatDiffersFromRunToRun) {
  EXPECT_THAT(sweep("echo x >log.$$"), Contains("write(log.*) EIO when=1"));
}

TEST_F(FaultSweep, StartsTheRunAtMostOnceForEachCallAndErrno) {
  EXPECT_TRUE(record(shell("for i in 1 2 3; do echo $i >f; mv f g; done; sync g; rm g")));
  const Result<Trace> trace = Trace::open(base_ / "trace");
  ASSERT_TRUE(trace);
  const auto records = trace->records();
  const auto calls = std::count_if(records.begin(), records.end(), [](const Operation& record) {
    return is_operation(record.kind);
  });
  std::map<int, long> once;
  std::set<std::string> texts;
  for (const SweptFault& swept : sweep_of(*trace)) {
    EXPECT_TRUE(texts.insert(swept.text).second) << swept.text << " is tried twice";
    if (!swept.for_good()) ++once[swept.fault.error];
  }
  EXPECT_GT(once.size(), 3U);
  for (const auto& [error, count] : once) EXPECT_LE(count, calls) << "errno " << error;
}

TEST_F(FaultSweep, ARunMeetsItsFaultAndTellsHowItEnds) {
  const FaultedRun good = run("echo one >f; mv f g", "rename(g) EIO when=2");
  EXPECT_FALSE(good.met);
  EXPECT_TRUE(good.succeeded());
  const FaultedRun bad = run("echo one >f; mv f g", "rename(g) EIO when=1");
  EXPECT_TRUE(bad.met);
  EXPECT_FALSE(bad.succeeded());
  EXPECT_NE(bad.tree.find("f"), kNoNode);
}

TEST_F(FaultSweep, ADiskFillsUp) {
  const FaultedRun left = run("echo 12345 >f; echo 67890 >f2; true", "write(*) full=8");
  EXPECT_EQ(left.tree.content(left.tree.find("f")), "12345\n");
  EXPECT_EQ(left.tree.content(left.tree.find("f2")), "67");
}

TEST_F(FaultSweep, AKillComesBeforeOrAfterTheCall) {
  EXPECT_EQ(run("echo one >f; mv f g", "rename(g) kill-before").tree.find("g"), kNoNode);
  const FaultedRun after = run("echo one >f; mv f g; echo two >h", "rename(g) kill-after");
  EXPECT_TRUE(after.killed);
  EXPECT_NE(after.tree.find("g"), kNoNode);
  EXPECT_EQ(after.tree.find("h"), kNoNode);
}

TEST_F(FaultSweep, AFailedSyncLosesItsDataThoughMemoryShowsIt) {
  const FaultedRun left = run("echo one >f; sync f || sync f", "fsync(f) EIO when=1");
  EXPECT_TRUE(left.succeeded());
  EXPECT_EQ(left.tree.content(left.tree.find("f")), "one\n");
  ASSERT_TRUE(left.without_dropped);
  const FileSystem& tree = left.without_dropped->tree;
  EXPECT_EQ(tree.content(tree.find("f")), "");
  EXPECT_EQ(left.without_dropped->files, "f");
}

TEST_F(FaultSweep, AnInterruptedSyncLosesNothing) {
  EXPECT_FALSE(run("echo one >f; sync f || sync f", "fsync(f) EINTR when=1").without_dropped);
}

TEST_F(FaultSweep, TheClockAndTheTimesOfFilesAreOffTogether) {
  const FaultedRun run_by_clock =
      run("date +%Y; touch f; [ $(($(date +%s) - $(stat -c %Y f))) -le 1 ] && echo young",
          "start() clock=+400d");
  const time_t now = time(nullptr);
  const int year = gmtime(&now)->tm_year + 1900;
  EXPECT_THAT(run_by_clock.printed, testing::HasSubstr("young"));
  EXPECT_THAT(run_by_clock.printed, Not(testing::HasSubstr(std::to_string(year))));
}

TEST_F(FaultSweep, ARunTellsEffectsThatItDoesNotNameItself) {
  auto runs = FaultedRuns::create(shell("/bin/true 1; echo x >f; /bin/true 2"), base_ / "runs",
                                  FileSystem(), {.commands = {"true"}});
  ASSERT_TRUE(runs);
  const Result<std::string> plan = plan_of({"write(f) kill-before"}, 1);
  ASSERT_TRUE(plan);
  const Result<FaultedRun> killed = (*runs)->run(*plan);
  ASSERT_TRUE(killed) << killed.error().message;
  EXPECT_EQ(killed->events, "effect true 1\n");
  const Result<FaultedRun> whole = (*runs)->run("");
  ASSERT_TRUE(whole) << whole.error().message;
  EXPECT_EQ(whole->events, "effect true 1\neffect true 2\n");
}

TEST_F(FaultSweep, TheSinkRemembersWhatItHadDoneBeforeARun) {
  SinkOptions behaviour;
  const Result<int> socket = listen_on_loopback(behaviour.port);
  ASSERT_TRUE(socket) << socket.error().message;
  Sink sink(*socket, behaviour, nullptr);
  RecordOptions options = shell("");
  options.command = {"/bin/bash", "-c",
                     "exec 3<>/dev/tcp/127.0.0.1/" + std::to_string(behaviour.port) +
                         " && printf 'POST /charge HTTP/1.1\\r\\nHost: x\\r\\n"
                         "Idempotency-Key: order-1\\r\\nContent-Length: 1\\r\\n\\r\\nx' >&3"
                         " && read -r answer <&3 && echo \"$answer\""};
  size_t reminded_of = 0;
  auto runs = FaultedRuns::create(options, base_ / "runs", FileSystem(), {.sink = behaviour},
                                  [&](const SinkMemory& before) {
                                    reminded_of = before.lines().size();
                                    sink.become(before);
                                  });
  ASSERT_TRUE(runs);
  const Result<FaultedRun> first = (*runs)->run("");
  ASSERT_TRUE(first) << first.error().message;
  EXPECT_THAT(first->printed, testing::HasSubstr("200"));
  EXPECT_EQ(first->events, "effect POST/charge order-1\n");
  EXPECT_EQ(reminded_of, 0U);
  const Result<FaultedRun> again = (*runs)->run_on(first->tree, "", first->sink);
  ASSERT_TRUE(again) << again.error().message;
  EXPECT_EQ(again->events, "") << "it knows the key";
  EXPECT_EQ(reminded_of, 1U);
  EXPECT_THAT(again->sink.lines(), testing::ElementsAre("effect POST/charge order-1"));
  const Result<FaultedRun> anew = (*runs)->run("");
  ASSERT_TRUE(anew) << anew.error().message;
  EXPECT_EQ(anew->events, first->events) << "each run begins with a new sink";
}

TEST_F(FaultSweep, RunsSideBySideSeeThePathThatWasRecorded) {
  RecordOptions options = shell("pwd; echo x >$EVERYCRASH_DIR/f");
  options.place = base_ / "state";
  options.own_network = true;
  auto runs = FaultedRuns::create(options, base_ / "runs", FileSystem());
  ASSERT_TRUE(runs);
  const Result<FaultedRun> left = (*runs)->run("");
  if (!left && left.error().kind == ErrorKind::kUnavailable) GTEST_SKIP() << left.error().message;
  ASSERT_TRUE(left) << left.error().message;
  EXPECT_EQ(left->printed, (base_ / "state").string() + "\n");
  EXPECT_NE(left->tree.find("f"), kNoNode);
  EXPECT_FALSE(std::filesystem::exists(base_ / "state" / "f"));
}

TEST(Chaos, IsDrawnFromSeedAndRoundAlone) {
  const auto text = [](uint64_t seed, uint64_t round) {
    std::string all;
    for (const ChaosLife& life : chaos_lives(seed, round, {.calls = 200})) {
      for (const std::string& fault : life.faults) all += fault + "\n";
    }
    return all;
  };
  EXPECT_EQ(text(7, 3), text(7, 3));
  EXPECT_NE(text(7, 3), text(8, 3));
  EXPECT_NE(text(7, 3), text(7, 4));
}

TEST(Chaos, SpeaksTheLanguageOfFaults) {
  const ChaosGround ground{.calls = 50, .peers = {"127.0.0.1:80", "unix:/run/db.sock"}};
  for (uint64_t round = 0; round < 300; ++round) {
    for (const ChaosLife& life : chaos_lives(1, round, ground)) {
      EXPECT_FALSE(life.faults.empty());
      EXPECT_TRUE(plan_of(life.faults, 1)) << life.faults.front();
    }
  }
}

TEST(Chaos, TouchesTheNetworkOnlyOfWhoTalks) {
  const auto talks = [](const std::vector<std::string>& peers) {
    size_t count = 0;
    for (uint64_t round = 0; round < 100; ++round) {
      for (const ChaosLife& life : chaos_lives(1, round, {.calls = 50, .peers = peers})) {
        for (const std::string& text : life.faults) {
          count += faults::is_network(*read_fault(text)) ? 1 : 0;
        }
      }
    }
    return count;
  };
  EXPECT_EQ(talks({}), 0U);
  EXPECT_GT(talks({"127.0.0.1:80"}), 50U);
}

}  // namespace
}  // namespace everycrash
