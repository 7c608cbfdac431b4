#include "harness/check/effects.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string>

#include "harness/trace/event.h"

namespace everycrash {
namespace {

using Counts = std::map<std::string, int, std::less<>>;      // by key
using Effects = std::map<std::string, Counts, std::less<>>;  // by kind

void count(std::string_view events, Effects& effects) {
  for (const Event& event : parse_events(events)) {
    if (event.is_effect()) ++effects[std::string(event.kind)][std::string(event.key)];
  }
}

int count_of(const Counts& counts, const std::string& key) {
  const auto found = counts.find(key);
  return found == counts.end() ? 0 : found->second;
}

const Counts& counts_of(const Effects& effects, const std::string& kind) {
  static const Counts kNone;
  const auto found = effects.find(kind);
  return found == effects.end() ? kNone : found->second;
}

const char* times(int number) {
  constexpr const char* kWords[] = {"never", "once", "twice", "three times"};
  return number < 4 ? kWords[number] : "many times";
}

class Comparison {
 public:
  Comparison(const std::string& kind, const Counts& expected, const Counts& found)
      : kind_(kind), expected_(expected), found_(found) {}

  void compare(std::vector<Complaint>& complaints) {
    compare_known(complaints);
    compare_unknown(complaints);
  }

 private:
  void add(std::vector<Complaint>& complaints, const std::string& message) {
    complaints.push_back({Judge::kExactlyOnce, Verdict::kViolated, "", message});
  }

  void compare_known(std::vector<Complaint>& complaints) {
    for (const auto& [key, number] : found_) {
      const int allowed = std::max(count_of(expected_, key), 1);
      if (number <= allowed) continue;
      add(complaints, fmt::format("{} {} happened {} over crash and restart, undisturbed {}", kind_,
                                  key, times(number), times(count_of(expected_, key))));
    }
  }

  /// A key of its own each time is right for some programs; then only the number can be compared.
  void compare_unknown(std::vector<Complaint>& complaints) {
    std::vector<std::string> lost, foreign;
    for (const auto& [key, number] : expected_) {
      if (count_of(found_, key) == 0) lost.push_back(key);
    }
    for (const auto& [key, number] : found_) {
      if (count_of(expected_, key) == 0) foreign.push_back(key);
    }
    if (lost.size() > foreign.size()) {
      for (const std::string& key : lost) {
        add(complaints, fmt::format("{} {} never happened, neither before the crash nor in the run "
                                    "after it",
                                    kind_, key));
        if (foreign.empty()) continue;
        return;
      }
    }
    if (foreign.size() > lost.size()) {
      add(complaints, fmt::format("{} happened {} times over crash and restart, undisturbed {} "
                                  "times; {} is a key that an undisturbed run does not use",
                                  kind_, found_.size(), expected_.size(), foreign.back()));
    }
  }

  const std::string& kind_;
  const Counts& expected_;
  const Counts& found_;
};

}  // namespace

bool has_effects(std::string_view events) {
  Effects effects;
  count(events, effects);
  return !effects.empty();
}

std::vector<Complaint> find_effect_faults(std::string_view undisturbed, std::string_view before,
                                          std::string_view after) {
  Effects expected, found;
  count(undisturbed, expected);
  count(before, found);
  count(after, found);
  std::vector<Complaint> complaints;
  for (const auto& [kind, counts] : expected) {
    Comparison(kind, counts, counts_of(found, kind)).compare(complaints);
  }
  for (const auto& [kind, counts] : found) {
    if (!expected.contains(kind)) Comparison(kind, {}, counts).compare(complaints);
  }
  return complaints;
}

}  // namespace everycrash
