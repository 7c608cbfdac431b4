#include "harness/effects/sink.h"

#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <vector>

namespace everycrash {
namespace {

/// A sink of its own for each test, and what it told.
class SinkTest : public testing::Test {
 protected:
  void start(const char* text) {
    const Result<SinkOptions> options = parse_sink(text);
    ASSERT_TRUE(options);
    options_ = *options;
    const Result<int> socket = listen_on_loopback(options_.port);
    ASSERT_TRUE(socket) << socket.error().message;
    sink_ = std::make_unique<Sink>(*socket, options_,
                                   [this](const std::string& line) { told_.push_back(line); });
  }

  [[nodiscard]] int connect() const {
    const int client = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    address.sin_port = htons(options_.port);
    EXPECT_EQ(::connect(client, reinterpret_cast<sockaddr*>(&address), sizeof address), 0);
    return client;
  }

  /// Everything that is answered until the connection ends or the first answer is whole.
  static std::string ask(int client, const std::string& request) {
    EXPECT_EQ(send(client, request.data(), request.size(), MSG_NOSIGNAL),
              static_cast<ssize_t>(request.size()));
    std::string answer;
    char bytes[4096];
    while (answer.find("\r\n\r\n") == std::string::npos) {
      const ssize_t size = recv(client, bytes, sizeof bytes, 0);
      if (size <= 0) break;
      answer.append(bytes, static_cast<size_t>(size));
    }
    return answer;
  }
  std::string ask(const std::string& request) const {
    const int client = connect();
    std::string answer = ask(client, request);
    close(client);
    return answer;
  }

  static std::string post(const std::string& key) {
    return "POST /charge HTTP/1.1\r\nHost: x\r\nIdempotency-Key: " + key +
           "\r\nContent-Length: 0\r\n\r\n";
  }

  SinkOptions options_;
  std::vector<std::string> told_;
  std::unique_ptr<Sink> sink_;
};

TEST_F(SinkTest, AnswersAndTellsWhatItDid) {
  start("0");
  EXPECT_TRUE(ask(post("a")).starts_with("HTTP/1.1 200 "));
  EXPECT_TRUE(ask(post("a")).starts_with("HTTP/1.1 200 "));
  EXPECT_EQ(told_, std::vector<std::string>{"effect POST/charge a"});
}

TEST_F(SinkTest, KeepsAConnectionOpen) {
  start("0");
  const int client = connect();
  EXPECT_TRUE(ask(client, post("a")).starts_with("HTTP/1.1 200 "));
  EXPECT_TRUE(ask(client, post("b")).starts_with("HTTP/1.1 200 "));
  close(client);
  EXPECT_EQ(told_.size(), 2u);
}

TEST_F(SinkTest, ClosesAConnectionWhenAskedTo) {
  start("0");
  const int client = connect();
  ask(client, "POST /charge HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: 0\r\n\r\n");
  char bytes[64];
  ssize_t size = 1;
  while (size > 0) size = recv(client, bytes, sizeof bytes, 0);
  EXPECT_EQ(size, 0);
  close(client);
}

TEST_F(SinkTest, FailsWhenAskedTo) {
  start("0,fail=1");
  EXPECT_TRUE(ask(post("a")).starts_with("HTTP/1.1 503 "));
  EXPECT_TRUE(told_.empty());
}

TEST_F(SinkTest, DropsTheAnswerAfterTheWork) {
  start("0,drop=1");
  EXPECT_EQ(ask(post("a")), "");
  EXPECT_EQ(told_.size(), 1u);
}

TEST_F(SinkTest, ListsWhatItDid) {
  start("0");
  ask(post("a"));
  const std::string listed = ask("GET /everycrash/effects HTTP/1.1\r\nHost: x\r\n\r\n");
  EXPECT_NE(listed.find("effect POST/charge a\n"), std::string::npos) << listed;
}

TEST_F(SinkTest, GoesOnFromAnotherMemory) {
  start("0");
  ask(post("a"));
  SinkMemory memory(options_);
  memory.know("effect POST/charge b");
  sink_->become(std::move(memory));
  told_.clear();
  ask(post("a"));
  ask(post("b"));
  EXPECT_EQ(told_, std::vector<std::string>{"effect POST/charge a"});
}

TEST_F(SinkTest, DoesNotWaitForASlowAnswerWhenItEnds) {
  start("0,delay=600s");
  const int client = connect();
  const std::string request = post("a");
  ASSERT_GT(send(client, request.data(), request.size(), MSG_NOSIGNAL), 0);
  while (told_.empty()) usleep(1000);
  sink_.reset();
  close(client);
}

TEST_F(SinkTest, RefusesWhatIsNotHttp) {
  start("0");
  EXPECT_TRUE(ask("*1\r\n$4\r\nPING\r\n").starts_with("HTTP/1.1 400 "));
}

TEST_F(SinkTest, SaysThatAPortIsTaken) {
  start("0");
  uint16_t port = options_.port;
  const Result<int> second = listen_on_loopback(port);
  ASSERT_FALSE(second);
  EXPECT_EQ(second.error().kind, ErrorKind::kUsage);
}

}  // namespace
}  // namespace everycrash
