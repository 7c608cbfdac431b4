#include "harness/disk/schedule.h"

#include <fmt/format.h>

#include <algorithm>
#include <random>
#include <set>

namespace everycrash {
namespace {

using What = BackgroundEvent::What;

/// The records after which something can happen: operations that change files.
std::vector<uint64_t> places_in(const Trace& trace) {
  std::vector<uint64_t> places;
  for (const Operation& record : trace.records()) {
    if (is_operation(record.kind) && !record.failed() && !syncs_all(record.kind)) {
      places.push_back(record.sequence);
    }
  }
  return places;
}

/// Files that are written, each once, the last first.
std::vector<uint64_t> written_files(const Trace& trace) {
  std::vector<uint64_t> files;
  const auto records = trace.records();
  for (auto it = records.rbegin(); it != records.rend(); ++it) {
    const bool writes = it->kind == Kind::kWrite || it->kind == Kind::kMapWrite;
    if (!writes || it->failed()) continue;
    if (std::find(files.begin(), files.end(), it->inode) == files.end()) files.push_back(it->inode);
  }
  return files;
}

/// Small, and the same on every machine: std distributions are not.
class Choice {
 public:
  explicit Choice(uint64_t seed) : engine_(seed) {}
  size_t below(size_t limit) { return static_cast<size_t>(engine_() % limit); }

 private:
  std::mt19937_64 engine_;
};

class Scheduler {
 public:
  Scheduler(const Trace& trace, size_t count, uint64_t seed)
      : places_(places_in(trace)), files_(written_files(trace)), count_(count), choice_(seed) {}

  std::vector<Schedule> run() {
    add({});
    if (places_.empty()) return std::move(found_);
    at_the_end();
    one_event();
    // Few places and files have few schedules: the attempts are bounded.
    for (size_t i = 0; i < 20 * count_ && found_.size() < count_; ++i) random();
    return std::move(found_);
  }

 private:
  void add(std::vector<BackgroundEvent> events) {
    if (found_.size() >= count_) return;
    std::stable_sort(events.begin(), events.end(),
                     [](const auto& a, const auto& b) { return a.after < b.after; });
    std::string key;
    for (const BackgroundEvent& event : events) {
      key += fmt::format("{}.{}.{} ", static_cast<int>(event.what), event.after, event.inode);
    }
    if (known_.insert(key).second) found_.push_back({std::move(events)});
  }

  void at_the_end() {
    const uint64_t end = places_.back();
    add({{What::kCommit, end, 0}});
    for (const uint64_t file : files_) {
      add({{What::kWriteBack, end, file}, {What::kTransaction, end, 0}});
    }
    add({{What::kTransaction, end, 0}});
  }

  void one_event() {
    for (auto place = places_.rbegin(); place != places_.rend(); ++place) {
      add({{What::kCommit, *place, 0}});
      add({{What::kTransaction, *place, 0}});
      for (const uint64_t file : files_) add({{What::kWriteBack, *place, file}});
      add({{What::kEverything, *place, 0}});
    }
  }

  void random() {
    std::vector<BackgroundEvent> events;
    const size_t wanted = 1 + choice_.below(3);
    for (size_t i = 0; i < wanted; ++i) {
      BackgroundEvent event;
      event.after = places_[choice_.below(places_.size())];
      event.what = static_cast<What>(choice_.below(4));
      if (event.what == What::kWriteBack) {
        if (files_.empty()) continue;
        event.inode = files_[choice_.below(files_.size())];
      }
      events.push_back(event);
    }
    add(std::move(events));
  }

  std::vector<uint64_t> places_;
  std::vector<uint64_t> files_;
  size_t count_;
  Choice choice_;
  std::vector<Schedule> found_;
  std::set<std::string> known_;
};

std::string file_name(const Trace& trace, uint64_t inode) {
  for (const Operation& record : trace.records()) {
    const bool names = record.inode == inode && !record.path.empty() && is_operation(record.kind);
    if (names) return std::string(record.path);
  }
  return "a file";
}

}  // namespace

std::vector<Schedule> schedules_for(const Trace& trace, size_t count, uint64_t seed) {
  return Scheduler(trace, count, seed).run();
}

std::string Schedule::describe(const Trace& trace) const {
  if (events.empty()) return "nothing in the background";
  std::string text;
  for (const BackgroundEvent& event : events) {
    if (!text.empty()) text += ", ";
    switch (event.what) {
      case What::kWriteBack:
        text += "write-back of " + file_name(trace, event.inode);
        break;
      case What::kCommit:
        text += "fsync of another file";
        break;
      case What::kTransaction:
        text += "a commit of the whole transaction";
        break;
      case What::kEverything:
        text += "syncfs";
        break;
    }
    const Operation* record = trace.find(event.after);
    if (record != nullptr) text += fmt::format(" after \"{}\"", everycrash::describe(*record));
  }
  return text;
}

}  // namespace everycrash
