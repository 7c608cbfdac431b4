// The outside world: what has been published. It is nothing that the job could take back.
//
// Publishing appends `effect publish DAY` to the file that $EVERYCRASH_EVENTS names. What was
// published before a crash is told by $EVERYCRASH_EFFECTS, a file of the same lines. Like the feeds
// of many sites this one takes the same post twice, but tells which days it has: whoever does not
// want to publish twice must ask, and must be alone while he does.
#pragma once

#include <map>
#include <string>
#include <string_view>

#include "scenarios/common/failure.h"

namespace scenarios::job_ledger {

/// How often each day was published.
using PostCounts = std::map<std::string, int, std::less<>>;

/// Counts the lines `effect publish DAY`; other lines, and a last one without its end, are skipped.
[[nodiscard]] PostCounts count_posts(std::string_view events);

/// What was published before the crash, and since; nothing where the variables are not set.
[[nodiscard]] Expected<PostCounts> posts_before_the_crash();
[[nodiscard]] Expected<PostCounts> posts_so_far();

/// Publishes the text, under the day that it says it is about. The feed refuses a text that is not
/// whole.
[[nodiscard]] Outcome publish(std::string_view post);

}  // namespace scenarios::job_ledger
