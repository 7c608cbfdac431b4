// What a recorded program sends on sockets.
#include <algorithm>

#include "harness/record/recorder_fixture.h"

namespace everycrash {
namespace {

class SendTest : public RecorderTest {
 protected:
  /// Payloads of the sends to the peer that the program connected to.
  [[nodiscard]] std::vector<std::string> sent() const {
    std::vector<std::string> payloads;
    for (const Operation& record : all(Kind::kSend)) {
      if (record.inode == all(Kind::kConnect).front().inode)
        payloads.emplace_back(record.payload.substr(0, 10));
    }
    return payloads;
  }
};

TEST_F(SendTest, RecordsEveryWayOfSending) {
  run({program("talks")});
  const std::vector<std::string> payloads = sent();
  ASSERT_GE(payloads.size(), 6u);
  EXPECT_EQ(std::vector<std::string>(payloads.begin(), payloads.begin() + 5),
            (std::vector<std::string>{"one", "two", "three", "three", "four"}));
}

TEST_F(SendTest, KeepsTheLengthOfALargeSendAndItsBeginning) {
  run({program("talks")});
  const Operation large = all(Kind::kSend)[5];
  EXPECT_EQ(large.length, 16 << 20);
  EXPECT_EQ(large.payload.size(), format::kSendKept);
}

TEST_F(SendTest, NamesTheEndsOfAConnection) {
  run({program("talks")});
  const Operation connect = all(Kind::kConnect).front();
  const Operation listen = all(Kind::kListen).front();
  EXPECT_TRUE(connect.path.starts_with("127.0.0.1:")) << connect.path;
  EXPECT_TRUE(listen.path.starts_with("0.0.0.0:")) << listen.path;
  EXPECT_EQ(connect.path.substr(10), listen.path.substr(8));
  EXPECT_EQ(all(Kind::kSend).front().path, connect.path);
}

TEST_F(SendTest, RecordsNothingOfSocketPairs) {
  run({program("talks")});
  for (const Operation& record : all(Kind::kSend)) EXPECT_NE(record.payload, "inside");
}

TEST_F(SendTest, CanBeAskedToStopAtASend) {
  options_.stop = StopPoint{.point = "send(unix:peer)", .occurrence = 1};
  run({"python3", "-c",
       "import socket\n"
       "s = socket.socket(socket.AF_UNIX); s.bind('peer'); s.listen()\n"
       "c = socket.socket(socket.AF_UNIX); c.connect('peer')\n"
       "c.send(b'one')\n"
       "open('late', 'w')\n"},
      false);
  EXPECT_TRUE(outcome_.reached_point);
  EXPECT_FALSE(std::filesystem::exists(state() / "late"));
}

}  // namespace
}  // namespace everycrash
