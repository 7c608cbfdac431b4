#include "scenarios/job_ledger/ledger_checks.h"

#include <dirent.h>
#include <fcntl.h>

#include <algorithm>
#include <memory>
#include <set>

#include "scenarios/job_ledger/daily_text.h"
#include "scenarios/job_ledger/publish_lock.h"

namespace scenarios::job_ledger {
namespace {

constexpr std::string_view kAcknowledgement = "published ";

/// A folder that does not exist has nothing in it.
Expected<std::optional<std::string>> read_in(const FileDescriptor& folder,
                                             const std::string& name) {
  if (!folder.valid()) return std::optional<std::string>();
  return read_file(folder.get(), name);
}

Expected<std::vector<std::string>> names_in(const FileDescriptor& folder) {
  std::vector<std::string> names;
  if (!folder.valid()) return names;
  FileDescriptor listing(openat(folder.get(), ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  const std::unique_ptr<DIR, int (*)(DIR*)> entries(fdopendir(listing.get()), closedir);
  if (!entries) return call_failed("list a directory");
  listing.release();
  while (const dirent* entry = readdir(entries.get())) {
    const std::string_view name = entry->d_name;
    if (name != "." && name != "..") names.emplace_back(name);
  }
  std::sort(names.begin(), names.end());
  return names;
}

Outcome check_entry(const Workplace& workplace, const std::string& day) {
  const auto entry = read_in(workplace.done, entry_name(day));
  if (!entry) return tl::unexpected(entry.error());
  const std::string file = "done/" + entry_name(day);
  if (!*entry) return failed(file + " is missing, but " + day + " was published");
  const std::string expected = entry_text(day);
  if (**entry != expected) {
    const auto at =
        std::mismatch((*entry)->begin(), (*entry)->end(), expected.begin(), expected.end()).first;
    return failed(file + " is damaged at byte " + std::to_string(at - (*entry)->begin() + 1) +
                  " of " + std::to_string(expected.size()));
  }
  return {};
}

/// The day for which a stage is marked as finished; "" for none yet.
Expected<std::string> marked_day(const Workplace& workplace, const char* stage) {
  auto mark = read_in(workplace.stages, stage);
  if (!mark) return tl::unexpected(mark.error());
  if (!*mark) return std::string();
  std::string day = **mark;
  if (!day.ends_with('\n')) return failed(std::string("stages/") + stage + " is not whole");
  day.pop_back();
  return day;
}

/// `expected` makes the one right content of that file for a day.
template <typename MakeText>
Outcome check_work(const Workplace& workplace, const char* stage, const char* file,
                   const MakeText& expected) {
  const auto marked = marked_day(workplace, stage);
  if (!marked) return tl::unexpected(marked.error());
  if (marked->empty()) return {};
  const auto text = read_in(workplace.work, file);
  if (!text) return tl::unexpected(text.error());
  const std::string claim =
      std::string("stages/") + stage + " says that it is finished for " + *marked;
  if (!*text) return failed(claim + ", but work/" + file + " is missing");
  const auto day = day_of(**text);
  if (!day) return failed(claim + ", but work/" + file + " is " + day.error().message);
  // The next day's work may have replaced it.
  if (*day < *marked) return failed(claim + ", but work/" + file + " is of " + *day);
  if (**text != expected(*day)) {
    return failed(claim + ", but work/" + file + " is not what it makes of " + *day);
  }
  return {};
}

std::string post_of(const std::string& day) {
  return post_text(draft_text(day)).value_or("");
}

Outcome check_names(const FileDescriptor& folder, const std::string& prefix,
                    const std::set<std::string, std::less<>>& expected) {
  const auto names = names_in(folder);
  if (!names) return tl::unexpected(names.error());
  for (const std::string& name : *names) {
    if (!expected.contains(name)) return failed("the file " + prefix + name + " is left");
  }
  return {};
}

}  // namespace

std::vector<std::string> due_days(int count) {
  std::vector<std::string> days;
  for (int number = 1; number <= count; ++number) days.push_back(day_name(number));
  return days;
}

Outcome check_acknowledged(const Workplace& workplace, std::string_view printed) {
  for (size_t end = printed.find('\n'); end != std::string_view::npos; end = printed.find('\n')) {
    const std::string_view line = printed.substr(0, end);
    printed.remove_prefix(end + 1);
    if (!line.starts_with(kAcknowledgement)) continue;
    const std::string day(line.substr(kAcknowledgement.size()));
    if (const Outcome checked = check_entry(workplace, day); !checked) {
      return failed(checked.error().message + " ('" + std::string(line) + "' was printed)");
    }
  }
  return {};
}

Outcome check_ledger(const Workplace& workplace, const std::vector<std::string>& days,
                     const PostCounts* posts) {
  for (const std::string& day : days) {
    const auto entry = read_in(workplace.done, entry_name(day));
    if (!entry) return tl::unexpected(entry.error());
    if (!*entry) continue;
    if (const Outcome checked = check_entry(workplace, day); !checked) return checked;
    if (posts != nullptr && !posts->contains(day)) {
      return failed("done/" + entry_name(day) + " exists, but " + day + " was never published");
    }
  }
  return {};
}

Outcome check_stages(const Workplace& workplace, const PostCounts* posts) {
  const Outcome works = check_work(workplace, kGenerated, kDraftName, draft_text).and_then([&] {
    return check_work(workplace, kWritten, kPostName, post_of);
  });
  if (!works) return works;
  const auto published = marked_day(workplace, kPublished);
  if (!published) return tl::unexpected(published.error());
  if (!published->empty() && posts != nullptr && !posts->contains(*published)) {
    return failed("stages/03_publish says that it is finished for " + *published +
                  ", but that day was never published");
  }
  return {};
}

Outcome check_finished(const Workplace& workplace, const std::vector<std::string>& days) {
  for (const std::string& day : days) {
    if (const Outcome checked = check_entry(workplace, day); !checked) return checked;
  }
  for (const char* stage : {kGenerated, kWritten, kPublished}) {
    const auto marked = marked_day(workplace, stage);
    if (!marked) return tl::unexpected(marked.error());
    if (*marked != days.back()) {
      return failed(std::string("stages/") + stage + " stands at '" + *marked +
                    "' after the last day, " + days.back());
    }
  }
  return {};
}

Outcome check_posts(const std::vector<std::string>& days, const PostCounts& before,
                    const PostCounts& after) {
  std::set<std::string, std::less<>> all(days.begin(), days.end());
  for (const PostCounts* posts : {&before, &after}) {
    for (const auto& [day, count] : *posts) all.insert(day);
  }
  const auto count_in = [](const PostCounts& posts, const std::string& day) {
    const auto found = posts.find(day);
    return found == posts.end() ? 0 : found->second;
  };
  for (const std::string& day : all) {
    const int count_before = count_in(before, day);
    const int count_after = count_in(after, day);
    const int total = count_before + count_after;
    if (std::find(days.begin(), days.end(), day) == days.end()) {
      return failed(day + " was published, but is not due");
    }
    if (total == 0) return failed(day + " was never published");
    if (total > 1) {
      return failed(day + " was published " + std::to_string(total) + " times (" +
                    std::to_string(count_before) + " before the restart, " +
                    std::to_string(count_after) + " by it)");
    }
  }
  return {};
}

Outcome check_no_leftovers(const Workplace& workplace, const std::vector<std::string>& days) {
  std::set<std::string, std::less<>> entries;
  for (const std::string& day : days) entries.insert(entry_name(day));
  return check_names(workplace.top, "", {"done", "locks", "stages", "work"})
      .and_then([&] { return check_names(workplace.locks, "locks/", {kTakeoverLockName}); })
      .and_then([&] {
        return check_names(workplace.stages, "stages/", {kGenerated, kWritten, kPublished});
      })
      .and_then([&] {
        return check_names(workplace.work, "work/", {kDraftName, kPostName});
      })
      .and_then([&] { return check_names(workplace.done, "done/", entries); });
}

}  // namespace scenarios::job_ledger
