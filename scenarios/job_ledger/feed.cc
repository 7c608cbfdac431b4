#include "scenarios/job_ledger/feed.h"

#include <fcntl.h>

#include <cstdlib>

#include "harness/include/everycrash/everycrash.h"
#include "scenarios/common/file_io.h"
#include "scenarios/job_ledger/daily_text.h"

namespace scenarios::job_ledger {
namespace {

constexpr std::string_view kLineStart = "effect publish ";

Expected<PostCounts> posts_in_file_of(const char* variable) {
  const char* const path = std::getenv(variable);
  if (path == nullptr || *path == '\0') return PostCounts();
  return read_file(AT_FDCWD, path).map([](const auto& text) {
    return count_posts(text.value_or(""));
  });
}

}  // namespace

PostCounts count_posts(std::string_view events) {
  PostCounts counts;
  for (size_t end = events.find('\n'); end != std::string_view::npos; end = events.find('\n')) {
    const std::string_view line = events.substr(0, end);
    events.remove_prefix(end + 1);
    if (line.starts_with(kLineStart)) ++counts[std::string(line.substr(kLineStart.size()))];
  }
  return counts;
}

Expected<PostCounts> posts_before_the_crash() {
  return posts_in_file_of("EVERYCRASH_EFFECTS");
}

Expected<PostCounts> posts_so_far() {
  auto posts = posts_before_the_crash();
  const auto since = posts_in_file_of("EVERYCRASH_EVENTS");
  if (!posts || !since) return tl::unexpected((posts ? since : posts).error());
  for (const auto& [day, count] : *since) (*posts)[day] += count;
  return posts;
}

Outcome publish(std::string_view post) {
  const auto day = day_of(post);
  if (!day) return failed("the feed refuses " + day.error().message);
  EVERYCRASH_EFFECT("publish", day->c_str());
  return {};
}

}  // namespace scenarios::job_ledger
