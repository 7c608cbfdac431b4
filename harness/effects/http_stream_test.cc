#include "harness/effects/http_stream.h"

#include <gtest/gtest.h>

namespace everycrash {
namespace {

constexpr const char* kKeyed =
    "POST /charge?dry=0 HTTP/1.1\r\nHost: x\r\nIdempotency-Key: order-17\r\n"
    "Content-Length: 3\r\n\r\nabc";

std::string post(const std::string& body) {
  return "POST /charge HTTP/1.1\r\nHost: x\r\nContent-Length: " + std::to_string(body.size()) +
         "\r\n\r\n" + body;
}

std::string key_of(const std::string& bytes) {
  HttpStream stream;
  const std::vector<HttpRequest> requests = stream.add(bytes);
  return requests.empty() ? "no request" : requests.front().key;
}

TEST(HttpStream, TellsMethodPathAndKey) {
  HttpStream stream;
  const std::vector<HttpRequest> requests = stream.add(kKeyed);
  ASSERT_EQ(requests.size(), 1u);
  EXPECT_EQ(requests[0].method, "POST");
  EXPECT_EQ(requests[0].path, "/charge");
  EXPECT_EQ(requests[0].key, "order-17");
  EXPECT_TRUE(requests[0].has_key);
}

TEST(HttpStream, TakesAKeyInQuotesAsOneWithout) {
  EXPECT_EQ(key_of("POST / HTTP/1.1\r\nIdempotency-Key: \"a b\"\r\nContent-Length: 0\r\n\r\n"),
            "a_b");
}

TEST(HttpStream, HasNoRequestBeforeItsLastByte) {
  const std::string bytes = kKeyed;
  HttpStream stream;
  for (size_t i = 0; i + 1 < bytes.size(); ++i) {
    EXPECT_TRUE(stream.add(bytes.substr(i, 1)).empty()) << i;
  }
  EXPECT_EQ(stream.add(bytes.substr(bytes.size() - 1)).size(), 1u);
}

TEST(HttpStream, TellsSeveralRequestsOfOneConnection) {
  HttpStream stream;
  EXPECT_EQ(stream.add(post("a") + post("b")).size(), 2u);
  EXPECT_EQ(stream.add(post("c")).size(), 1u);
}

TEST(HttpStream, KnowsARequestWithoutKeyByItsBody) {
  EXPECT_EQ(key_of(post("order 17")), key_of(post("order 17")));
  EXPECT_NE(key_of(post("order 17")), key_of(post("order 18")));
  EXPECT_EQ(key_of(post("order-17")), "body:order-17");
  EXPECT_EQ(key_of(post("")), "body:empty");
}

TEST(HttpStream, UnderstandsChunkedBodies) {
  const std::string chunked =
      "POST /charge HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n"
      "5\r\norder\r\n3\r\n 17\r\n0\r\n\r\n";
  EXPECT_EQ(key_of(chunked), key_of(post("order 17")));
}

TEST(HttpStream, TellsAnUnfinishedRequestByItsHead) {
  HttpStream stream;
  EXPECT_FALSE(stream.unfinished());
  EXPECT_TRUE(stream.add(std::string(kKeyed).substr(0, std::string(kKeyed).size() - 1)).empty());
  ASSERT_TRUE(stream.unfinished());
  EXPECT_EQ(stream.unfinished()->key, "order-17");
}

TEST(HttpStream, KnowsWhatIsNotHttp) {
  HttpStream redis;
  EXPECT_TRUE(redis.add("*1\r\n$4\r\nPING\r\n").empty());
  EXPECT_EQ(redis.what(), HttpStream::What::kOther);
  HttpStream answer;
  EXPECT_TRUE(answer.add("HTTP/1.1 200 OK\r\n\r\n").empty());
  EXPECT_EQ(answer.what(), HttpStream::What::kOther);
  HttpStream short_one;
  EXPECT_TRUE(short_one.add("PO").empty());
  EXPECT_EQ(short_one.what(), HttpStream::What::kUndecided);
}

TEST(HttpStream, SortsMethodsByWhatARepeatDoes) {
  HttpRequest request;
  request.method = "GET";
  EXPECT_TRUE(request.is_safe());
  request.method = "PUT";
  EXPECT_FALSE(request.is_safe());
  EXPECT_TRUE(request.is_idempotent());
  request.method = "POST";
  EXPECT_FALSE(request.is_idempotent());
}

}  // namespace
}  // namespace everycrash
