#include "scenarios/job_ledger/feed.h"

#include "harness/include/everycrash/everycrash.h"
#include "scenarios/common/past_life.h"
#include "scenarios/job_ledger/daily_text.h"

namespace scenarios::job_ledger {
namespace {

constexpr std::string_view kLineStart = "effect publish ";

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
  return effects_before_the_crash().map(count_posts);
}

Expected<PostCounts> posts_so_far() {
  auto posts = posts_before_the_crash();
  const auto since = events_since_the_crash().map(count_posts);
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
