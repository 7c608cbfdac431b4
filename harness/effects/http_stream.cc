#include "harness/effects/http_stream.h"

#include <boost/asio/buffer.hpp>
#include <boost/beast/http/parser.hpp>
#include <boost/beast/http/string_body.hpp>

#include <algorithm>
#include <array>
#include <utility>

#include "harness/base/digest.h"

namespace everycrash {
namespace {

namespace http = boost::beast::http;

constexpr uint64_t kBodyMax = 256 << 20;
constexpr uint32_t kHeadMax = 64 << 10;
constexpr size_t kKeyMax = 200;
constexpr size_t kWordMax = 24;
constexpr std::array<std::string_view, 9> kMethods = {
    "GET ", "HEAD ", "POST ", "PUT ", "PATCH ", "DELETE ", "OPTIONS ", "TRACE ", "CONNECT "};

/// Whether bytes that begin like TEXT begin a request.
HttpStream::What look_at_start(std::string_view text) {
  for (const std::string_view method : kMethods) {
    const size_t size = std::min(method.size(), text.size());
    if (text.substr(0, size) != method.substr(0, size)) continue;
    return size == method.size() ? HttpStream::What::kHttp : HttpStream::What::kUndecided;
  }
  return HttpStream::What::kOther;
}

/// TEXT as one word of an event line.
std::string one_word(std::string text) {
  for (char& c : text) {
    if (c <= ' ' || c == '\x7f') c = '_';
  }
  if (text.size() > kKeyMax) text.resize(kKeyMax);
  return text;
}

/// The header is a string of RFC 8941, in quotes; most programs leave them out.
std::string without_quotes(std::string text) {
  if (text.size() >= 2 && text.front() == '"' && text.back() == '"') {
    text = text.substr(1, text.size() - 2);
  }
  return text;
}

/// Short enough to stand for itself.
bool is_word(std::string_view text) {
  return text.size() <= kWordMax &&
         std::all_of(text.begin(), text.end(), [](char c) { return c > ' ' && c < '\x7f'; });
}

std::string hash_of(std::string_view text) {
  return short_id_of(text);
}

HttpRequest describe(const http::request<http::string_body>& message) {
  HttpRequest request;
  request.method = std::string(message.method_string());
  const std::string target(message.target());
  request.path = one_word(target.substr(0, target.find('?')));
  if (!request.path.starts_with("/")) request.path = "/" + request.path;
  const auto key = message.find("Idempotency-Key");
  if (key != message.end()) {
    request.key = one_word(without_quotes(std::string(key->value())));
    request.has_key = !request.key.empty();
  }
  if (!request.has_key) {
    // The query is part of what is asked for; the path alone names the effect.
    const std::string said =
        target.substr(request.path.size() < target.size() ? request.path.size() : target.size()) +
        message.body();
    request.key = "body:" + (said.empty() ? "empty" : is_word(said) ? said : hash_of(said));
  }
  const auto expect = message.find(http::field::expect);
  request.expects_continue = expect != message.end();
  request.keeps_alive = message.keep_alive();
  return request;
}

}  // namespace

struct HttpStream::Parsing {
  What what = What::kUndecided;
  std::string waiting;  // bytes that were not taken yet
  std::unique_ptr<http::request_parser<http::string_body>> parser;

  void start() {
    parser = std::make_unique<http::request_parser<http::string_body>>();
    parser->eager(true);
    parser->body_limit(kBodyMax);
    parser->header_limit(kHeadMax);
  }

  /// One request, if the bytes that wait hold all of it.
  std::optional<HttpRequest> take() {
    while (!waiting.empty()) {
      boost::system::error_code error;
      const size_t used = parser->put(boost::asio::buffer(waiting), error);
      waiting.erase(0, used);
      if (error && error != http::error::need_more) {
        what = What::kOther;
        return std::nullopt;
      }
      if (parser->is_done()) {
        HttpRequest request = describe(parser->get());
        start();
        return request;
      }
      if (error || used == 0) return std::nullopt;
    }
    return std::nullopt;
  }
};

bool HttpRequest::is_safe() const {
  return method == "GET" || method == "HEAD" || method == "OPTIONS" || method == "TRACE" ||
         method == "CONNECT";
}

bool HttpRequest::is_idempotent() const {
  return method == "PUT" || method == "DELETE";
}

HttpStream::HttpStream() : parsing_(std::make_unique<Parsing>()) {
  parsing_->start();
}
HttpStream::HttpStream(HttpStream&&) noexcept = default;
HttpStream& HttpStream::operator=(HttpStream&&) noexcept = default;
HttpStream::~HttpStream() = default;

std::vector<HttpRequest> HttpStream::add(std::string_view bytes) {
  std::vector<HttpRequest> requests;
  if (parsing_->what == What::kOther) return requests;
  parsing_->waiting += bytes;
  if (parsing_->what == What::kUndecided) parsing_->what = look_at_start(parsing_->waiting);
  if (parsing_->what != What::kHttp) return requests;
  while (std::optional<HttpRequest> request = parsing_->take()) {
    requests.push_back(std::move(*request));
  }
  return requests;
}

std::optional<HttpRequest> HttpStream::unfinished() const {
  if (parsing_->what != What::kHttp || !parsing_->parser->is_header_done()) return std::nullopt;
  return describe(parsing_->parser->get());
}

HttpStream::What HttpStream::what() const {
  return parsing_->what;
}

}  // namespace everycrash
