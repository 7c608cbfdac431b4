// What a step does: it makes the text of its output file. Pure: the same step, the same text.
#pragma once

#include <cstdint>
#include <string>

#include "scenarios/common/failure.h"

namespace scenarios::state_manager {

struct WorkOptions {
  uint64_t seed = 1;      ///< which steps fail at first, and the jitter of the backoff
  std::string poisoned;   ///< a step whose work fails every time, as if that could heal
  std::string bad_input;  ///< a step whose input is bad: fails, and cannot heal
};

[[nodiscard]] std::string output_name(const std::string& step);
/// The one right content; some are longer than a page (4096 bytes).
[[nodiscard]] std::string output_text(const std::string& step);

/// The work of attempt number `attempt` (0 = the first). About one step in 16 fails at first and
/// succeeds later.
[[nodiscard]] Expected<std::string> do_work(const std::string& step, int attempt,
                                            const WorkOptions& options);

/// How long to wait before the next attempt: min(longest, shortest * 2^attempt) plus jitter.
[[nodiscard]] int64_t backoff_ms(const std::string& step, int attempt, uint64_t seed);

inline constexpr int kMaxRetries = 3;
inline constexpr int64_t kShortestBackoffMs = 1000;
inline constexpr int64_t kLongestBackoffMs = 30000;
inline constexpr int64_t kJitterMs = 500;

}  // namespace scenarios::state_manager
