// The single questions that the checker asks of a state directory. None of them changes anything.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "scenarios/job_ledger/feed.h"
#include "scenarios/job_ledger/workplace.h"

namespace scenarios::job_ledger {

/// The days that are due, in order.
[[nodiscard]] std::vector<std::string> due_days(int count);

/// Each whole line `published DAY` that was printed is true: the day is in the ledger.
[[nodiscard]] Outcome check_acknowledged(const Workplace& workplace, std::string_view printed);

/// Each entry of the ledger is whole, and its day was published. `posts` is null when it is not
/// known what was published.
[[nodiscard]] Outcome check_ledger(const Workplace& workplace, const std::vector<std::string>& days,
                                   const PostCounts* posts);

/// Each stage that is marked as finished for a day has its work on disk, for that day or a later.
[[nodiscard]] Outcome check_stages(const Workplace& workplace, const PostCounts* posts);

/// Each day is in the ledger, was published once, and is finished in all stages.
[[nodiscard]] Outcome check_finished(const Workplace& workplace,
                                     const std::vector<std::string>& days);
[[nodiscard]] Outcome check_posts(const std::vector<std::string>& days, const PostCounts& before,
                                  const PostCounts& after);

/// No file that a finished run does not leave.
[[nodiscard]] Outcome check_no_leftovers(const Workplace& workplace,
                                         const std::vector<std::string>& days);

}  // namespace scenarios::job_ledger
