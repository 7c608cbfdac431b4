#include "scenarios/state_manager/step_work.h"

#include <algorithm>
#include <string_view>

namespace scenarios::state_manager {
namespace {

constexpr uint64_t kSlowStepOneIn = 16;
constexpr uint64_t kLongOutputOneIn = 10;
constexpr int kLongOutputLines = 130;

/// FNV-1a with the final mix of splitmix64: equal on every machine, unlike std::hash.
uint64_t hash_of(std::string_view text, uint64_t seed) {
  uint64_t hash = 0xcbf29ce484222325ULL ^ seed;
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3ULL;
  hash = (hash ^ (hash >> 30)) * 0xbf58476d1ce4e5b9ULL;
  hash = (hash ^ (hash >> 27)) * 0x94d049bb133111ebULL;
  return hash ^ (hash >> 31);
}

/// How many attempts fail before one succeeds.
int failing_attempts(const std::string& step, uint64_t seed) {
  const uint64_t hash = hash_of(step, seed);
  if (hash % kSlowStepOneIn != 0) return 0;
  return 1 + static_cast<int>((hash / kSlowStepOneIn) % 2);
}

}  // namespace

std::string output_name(const std::string& step) {
  return step + ".txt";
}

std::string output_text(const std::string& step) {
  const uint64_t hash = hash_of(step, 0);
  const int lines =
      hash % kLongOutputOneIn == 0 ? kLongOutputLines : 3 + static_cast<int>(hash % 4);
  std::string text;
  for (int line = 1; line <= lines; ++line) {
    text += step + " record " + std::to_string(line) + " of " + std::to_string(lines) + " value " +
            std::to_string(hash_of(step, static_cast<uint64_t>(line)) % 100000) + "\n";
  }
  return text;
}

Expected<std::string> do_work(const std::string& step, int attempt, const WorkOptions& options) {
  if (step == options.bad_input) return failed("the input of " + step + " is not valid");
  if (step == options.poisoned || attempt < failing_attempts(step, options.seed)) {
    return failed("the source of " + step + " did not answer in time", true);
  }
  return output_text(step);
}

int64_t backoff_ms(const std::string& step, int attempt, uint64_t seed) {
  const int64_t doubled = kShortestBackoffMs << std::min(attempt, 20);
  const uint64_t jitter = hash_of(step + "/" + std::to_string(attempt), seed) % kJitterMs;
  return std::min(kLongestBackoffMs, doubled) + static_cast<int64_t>(jitter);
}

}  // namespace scenarios::state_manager
