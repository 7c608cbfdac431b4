// One run of the job: publishes every day that is due and not yet out, oldest first.
//
// A day:  01_generate: work/draft.txt | 02_write: work/post.md | 03_publish: the feed
//         | done/DAY.md | "published DAY"
//
// Each stage's work is on disk before stages/NAME says that it is finished, so a later run goes on
// behind the last finished one. Publishing cannot be undone and leaves no trace in the state
// directory before the ledger entry, so a day without one is looked for in the feed.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "scenarios/job_ledger/feed.h"
#include "scenarios/job_ledger/job_options.h"
#include "scenarios/job_ledger/publish_lock.h"
#include "scenarios/job_ledger/workplace.h"

namespace scenarios::job_ledger {

/// Not thread-safe. Does not own the workplace, which must live as long.
class PublishingJob {
 public:
  PublishingJob(const Workplace& workplace, const JobOptions& options)
      : workplace_(workplace), options_(options) {}

  /// Returns once all days are out, or at once if another runner is at work (and says so on
  /// standard error). Fails when a file cannot be saved or the feed refuses a post.
  [[nodiscard]] Outcome run();

 private:
  struct Task {
    std::string day;
    bool is_out = false;  ///< published, but not yet in the ledger
  };

  [[nodiscard]] Outcome run_alone(PublishLock& lock);
  [[nodiscard]] Expected<std::vector<Task>> make_list() const;
  [[nodiscard]] Outcome read_marks();
  [[nodiscard]] Outcome publish_day(const Task& task);
  /// Does the work of a stage and marks it, unless it is marked.
  [[nodiscard]] Outcome stage(const char* name, const std::string& day,
                              const std::function<Outcome()>& work);
  [[nodiscard]] Outcome write_post();
  [[nodiscard]] Outcome send_post();
  [[nodiscard]] Outcome enter_into_ledger(const std::string& day);

  const Workplace& workplace_;
  JobOptions options_;
  /// What each stage is marked with. Who has the lock reads it once; nobody else changes it.
  std::map<std::string, std::string, std::less<>> marks_;
};

}  // namespace scenarios::job_ledger
