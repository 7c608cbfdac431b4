// HTTP requests in what one end of a connection sends.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace everycrash {

/// What of a request tells whether two are the same. A value.
struct HttpRequest {
  std::string method;  ///< "POST"
  std::string path;    ///< the target without its query: "/charge"
  /// The Idempotency-Key without quotes, or "body:" and the body, if it is a short word, or else a
  /// hash of it (and of the query). No blanks.
  std::string key;
  bool has_key = false;           ///< it had an Idempotency-Key
  bool expects_continue = false;  ///< "Expect: 100-continue"
  bool keeps_alive = true;        ///< the connection is to stay after the answer (RFC 9112, 9.3)

  /// The method changes nothing at the receiver: GET, HEAD, OPTIONS, TRACE (RFC 9110, 9.2.1).
  [[nodiscard]] bool is_safe() const;
  /// The method may be repeated without a further effect: PUT, DELETE (RFC 9110, 9.2.2).
  [[nodiscard]] bool is_idempotent() const;
};

/// Takes the bytes of one direction of one connection apart. Not thread-safe. The only user of
/// Boost.Beast.
class HttpStream {
 public:
  enum class What : uint8_t {
    kUndecided,  ///< too few bytes yet
    kHttp,
    kOther,  ///< not HTTP/1: another protocol, or damaged
  };

  HttpStream();
  HttpStream(HttpStream&&) noexcept;
  HttpStream& operator=(HttpStream&&) noexcept;
  ~HttpStream();

  /// The requests that BYTES complete, in order.
  std::vector<HttpRequest> add(std::string_view bytes);
  /// A request whose head is there and whose body is not.
  [[nodiscard]] std::optional<HttpRequest> unfinished() const;
  [[nodiscard]] What what() const;

 private:
  struct Parsing;
  std::unique_ptr<Parsing> parsing_;
};

}  // namespace everycrash
