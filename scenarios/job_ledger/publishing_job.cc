#include "scenarios/job_ledger/publishing_job.h"

#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>

#include "harness/include/everycrash/everycrash.h"
#include "scenarios/job_ledger/daily_text.h"
#include "scenarios/job_ledger/durable_save.h"

namespace scenarios::job_ledger {
namespace {

Outcome print(const std::string& line) {
  return write_all(STDOUT_FILENO, line + "\n", "standard output");
}

Expected<std::string> read_work(int work_fd, const char* name) {
  const auto text = read_file(work_fd, name);
  if (!text) return tl::unexpected(text.error());
  if (!*text) return failed(std::string("work/") + name + " is missing");
  return **text;
}

}  // namespace

Outcome PublishingJob::run() {
  const PublishLock::Rules rules{options_.mistake, now_ms(options_)};
  auto lock = PublishLock::take(workplace_.locks.get(), rules);
  if (!lock) return tl::unexpected(lock.error());
  if (!*lock) {
    std::fputs("job_ledger: another runner is at work, or was a moment ago\n", stderr);
    return {};
  }
  EVERYCRASH_STEP("locked");
  const Outcome ran = run_alone(**lock);
  const Outcome released = (*lock)->release();
  return ran ? released : ran;
}

Outcome PublishingJob::run_alone(PublishLock& lock) {
  const auto tasks = make_list();
  if (!tasks) return tl::unexpected(tasks.error());
  if (const Outcome read = read_marks(); !read) return read;
  const Outcome begun = print(std::to_string(tasks->size()) + " days to publish").and_then([&] {
    return lock.begin_work();
  });
  if (!begun) return begun;
  for (const Task& task : *tasks) {
    if (const Outcome published = publish_day(task); !published) return published;
  }
  return {};
}

Expected<std::vector<PublishingJob::Task>> PublishingJob::make_list() const {
  const auto posts = posts_so_far();
  if (!posts) return tl::unexpected(posts.error());
  std::vector<Task> tasks;
  for (int number = 1; number <= options_.days; ++number) {
    const std::string day = day_name(number);
    struct stat info {};
    const std::string entry = entry_name(day);
    if (fstatat(workplace_.done.get(), entry.c_str(), &info, 0) == 0) continue;
    if (errno != ENOENT) return call_failed("look for done/" + entry);
    const bool asks = options_.mistake != Break::kTruthFromMarkers;
    tasks.push_back({day, asks && posts->contains(day)});
  }
  return tasks;
}

Outcome PublishingJob::read_marks() {
  for (const char* const stage : {kGenerated, kWritten, kPublished}) {
    const auto mark = read_file(workplace_.stages.get(), stage);
    if (!mark) return tl::unexpected(mark.error());
    marks_[stage] = mark->value_or("");
  }
  return {};
}

Outcome PublishingJob::publish_day(const Task& task) {
  const auto nothing = [] { return Outcome(); };
  Outcome done;
  if (!task.is_out) {
    done = stage(kGenerated, task.day, [&] {
             return save_durably(workplace_.work.get(), kDraftName, draft_text(task.day));
           }).and_then([&] { return stage(kWritten, task.day, [&] { return write_post(); }); });
  }
  return done
      .and_then([&] {
        return task.is_out ? stage(kPublished, task.day, nothing)
                           : stage(kPublished, task.day, [&] { return send_post(); });
      })
      .and_then([&] { return enter_into_ledger(task.day); })
      .and_then([&] { return print("published " + task.day); });
}

Outcome PublishingJob::stage(const char* name, const std::string& day,
                             const std::function<Outcome()>& work) {
  const std::string mark = day + "\n";
  if (marks_[name] == mark) return {};
  const auto set_mark = [&] { return save_durably(workplace_.stages.get(), name, mark); };
  const Outcome finished = options_.mistake == Break::kStageBeforeWork ? set_mark().and_then(work)
                                                                       : work().and_then(set_mark);
  if (!finished) return finished;
  marks_[name] = mark;
  EVERYCRASH_STEP(name);
  return {};
}

Outcome PublishingJob::write_post() {
  return read_work(workplace_.work.get(), kDraftName)
      .and_then([](const std::string& draft) { return post_text(draft); })
      .and_then([&](const std::string& post) {
        return save_durably(workplace_.work.get(), kPostName, post);
      });
}

Outcome PublishingJob::send_post() {
  return read_work(workplace_.work.get(), kPostName).and_then([](const std::string& post) {
    return publish(post);
  });
}

Outcome PublishingJob::enter_into_ledger(const std::string& day) {
  const auto save = options_.mistake == Break::kMarkerNotDurable ? save_for_now : save_durably;
  return save(workplace_.done.get(), entry_name(day), entry_text(day));
}

}  // namespace scenarios::job_ledger
