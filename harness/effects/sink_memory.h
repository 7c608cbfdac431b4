// The receiver of tests, as a pure model: what it has done for the requests so far, and what it
// answers to the next. The same model tells what a real sink has done (sink.h) and what one would
// have done for the requests of a recorded run.
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "harness/base/error.h"
#include "harness/effects/http_stream.h"

namespace everycrash {

/// How a sink behaves. As text: "8025,no-dedup,delay=200ms,fail=2,drop=all".
struct SinkOptions {
  static constexpr uint64_t kAll = ~uint64_t{0};
  uint16_t port = 0;         ///< on 127.0.0.1; 0 = any that is free
  bool deduplicates = true;  ///< a request whose Idempotency-Key it knows is answered, not done
  uint32_t delay_ms = 0;     ///< before each answer
  uint64_t fail = 0;         ///< the first so many requests are answered 503 and not done
  uint64_t drop = 0;         ///< the first so many that are done get no answer
};
/// Errors are kUsage.
[[nodiscard]] Result<SinkOptions> parse_sink(std::string_view text);
[[nodiscard]] std::string to_text(const SinkOptions& options);

/// A value; not thread-safe.
class SinkMemory {
 public:
  explicit SinkMemory(const SinkOptions& options) : options_(options) {}

  struct Answer {
    int status = 200;
    bool done = false;     ///< it had an effect
    bool dropped = false;  ///< close the connection instead of answering
  };
  /// Takes one request. Safe ones (GET) are answered and have no effect.
  Answer take(const HttpRequest& request);
  /// Remembers an effect that was done earlier, as a line of lines().
  void know(std::string_view line);

  /// What was done, in order: "effect POST/charge order-17".
  [[nodiscard]] const std::vector<std::string>& lines() const { return lines_; }

 private:
  SinkOptions options_;
  uint64_t failed_ = 0, dropped_ = 0;
  std::set<std::string, std::less<>> keys_;
  std::vector<std::string> lines_;
};

/// The line of event.h for a request that is done. REPEATABLE: doing it again has no further effect
/// (event.h).
[[nodiscard]] std::string effect_line(const HttpRequest& request, bool repeatable);

}  // namespace everycrash
