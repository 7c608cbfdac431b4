#include "harness/check/serial.h"

#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <iterator>
#include <map>
#include <optional>
#include <set>
#include <string_view>
#include <utility>

#include "harness/trace/event.h"

namespace everycrash {
namespace {

constexpr int64_t kWordsMaxBytes = 4 << 20;  // of a larger file the bytes are compared
constexpr size_t kShownBytes = 40;

std::optional<Content> content_at(const FileSystem& tree, const std::string& path) {
  const NodeId node = tree.find(path);
  if (node == kNoNode) return std::nullopt;
  return content_of(tree.node(node));
}

bool is_letter(char c) {
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' ||
         c == '-' || c == '.' || (static_cast<unsigned char>(c) & 0x80) != 0;
}

/// How often each word is in TEXT.
std::map<std::string, int> words_of(const std::string& text) {
  std::map<std::string, int> words;
  std::string word;
  for (const char c : text) {
    if (is_letter(c)) {
      word += c;
    } else if (!word.empty()) {
      ++words[std::exchange(word, "")];
    }
  }
  if (!word.empty()) ++words[word];
  return words;
}

bool is_alike(const FileSystem& expected, const FileSystem& found, const std::string& path) {
  const std::optional<Content> a = content_at(expected, path);
  const std::optional<Content> b = content_at(found, path);
  if (a == b) return true;
  if (!a || !b || !S_ISREG(a->type) || !S_ISREG(b->type)) return false;
  if (std::max(a->size, b->size) > kWordsMaxBytes) return false;
  return words_of(expected.content(expected.find(path))) ==
         words_of(found.content(found.find(path)));
}

/// "12 bytes ("6")", "nothing".
std::string shown(const FileSystem& tree, const std::string& path) {
  const NodeId node = tree.find(path);
  if (node == kNoNode) return "no such file";
  if (!tree.node(node).is_file()) return "something that is no file";
  std::string text = tree.content(node);
  while (text.ends_with('\n')) text.pop_back();
  const bool plain = std::all_of(text.begin(), text.end(), [](char c) { return c >= ' '; });
  if (plain && text.size() <= kShownBytes) return fmt::format("\"{}\"", text);
  return fmt::format("{} bytes", tree.node(node).size);
}

/// The files that both instances changed.
std::set<std::string> changed_by_both(const Trace& trace) {
  std::set<std::string> changed[2];
  for (const Operation& record : trace.records()) {
    if (!is_operation(record.kind) || !changes_state(record) || record.runner > 1) continue;
    changed[record.runner].emplace(record.path);
    changed[record.runner].emplace(record.other_path);
  }
  std::set<std::string> both;
  std::set_intersection(changed[0].begin(), changed[0].end(), changed[1].begin(), changed[1].end(),
                        std::inserter(both, both.end()));
  return both;
}

/// What one of the two instances made of its run.
class Runner {
 public:
  void take(const Operation& record) {
    if (record.kind == Kind::kProcess && process_ == 0) process_ = record.process;
    if (record.kind == Kind::kExit && record.process == process_) succeeded_ = record.mode == 0;
    if (is_operation(record.kind)) follow(record);
  }

  /// It said that it failed, and not because the other took away what it had made for itself.
  [[nodiscard]] bool was_refused() const { return process_ != 0 && !succeeded_ && !was_robbed_; }
  /// Something that it did may be what the other went on from.
  [[nodiscard]] bool changed_something() const { return changed_something_; }

 private:
  void follow(const Operation& record) {
    const std::string path(record.path);
    if (record.failed()) {
      was_robbed_ |= record.result == -ENOENT && made_.contains(path);
      return;
    }
    changed_something_ |= changes_state(record);
    const bool made = record.has(format::kCreated) || record.has(format::kTruncated);
    if (record.kind == Kind::kOpen && made) made_.insert(path);
    if (record.kind == Kind::kUnlink || record.kind == Kind::kRename) made_.erase(path);
  }

  int32_t process_ = 0;
  bool succeeded_ = false;
  bool was_robbed_ = false;
  bool changed_something_ = false;
  std::set<std::string> made_;
};

struct Refusals {
  size_t count = 0;
  bool halfway = false;  ///< one of them had changed something before
};

Refusals find_refusals(const Trace& trace) {
  Runner runners[2];
  for (const Operation& record : trace.records()) {
    if (record.runner < 2) runners[record.runner].take(record);
  }
  Refusals refusals;
  for (const Runner& runner : runners) {
    if (!runner.was_refused()) continue;
    ++refusals.count;
    refusals.halfway |= runner.changed_something();
  }
  return refusals;
}

/// True if FOUND holds of PATH what two runs one after the other hold on the way: where one was
/// refused, at some time since the first of them was done; where both were, at any time.
bool is_on_the_way(const SerialRuns& serial, const FileSystem& found, const std::string& path,
                   size_t refused) {
  const NameHistory& name = serial.both.judged().at(path);
  size_t first = 0;
  if (refused == 1) {
    const std::optional<size_t> alone = name.latest(content_at(serial.alone.final_tree(), path));
    if (!alone) return false;
    first = *alone;
  }
  const std::optional<Content> content = content_at(found, path);
  return std::any_of(name.versions.begin() + static_cast<ptrdiff_t>(first), name.versions.end(),
                     [&](const Version& version) { return version.content == content; });
}

using Counts = std::map<std::pair<std::string, std::string>, int>;

Counts effects_of(std::string_view events) {
  Counts counts;
  for (const Event& event : parse_events(events)) {
    if (event.is_effect()) ++counts[{std::string(event.kind), std::string(event.key)}];
  }
  return counts;
}

}  // namespace

SerialRuns compare_serial_runs(History alone, History both, const History& again,
                               const IgnoreGlobs& ignore) {
  SerialRuns runs{std::move(alone), std::move(both), {}, {}};
  for (const auto& [path, name] : runs.both.judged()) {
    if (is_ignored(path, ignore) || runs.alone.not_judged().contains(path)) continue;
    const bool same =
        content_at(runs.both.final_tree(), path) == content_at(again.final_tree(), path);
    (same ? runs.judged : runs.varying).insert(path);
  }
  return runs;
}

std::vector<Complaint> find_serial_faults(const SerialRuns& serial, const Trace& trace,
                                          const History& pair) {
  std::vector<Complaint> complaints;
  const std::set<std::string> both = changed_by_both(trace);
  const Refusals refusals = find_refusals(trace);
  const size_t refused = refusals.count;
  for (const std::string& path : serial.judged) {
    if (is_alike(serial.both.final_tree(), pair.final_tree(), path)) continue;
    // One of them may have found that the other is at work, and left it alone.
    const bool alone = is_alike(serial.alone.final_tree(), pair.final_tree(), path);
    if (alone && (refused > 0 || !both.contains(path))) continue;
    if (refused > 0 && is_on_the_way(serial, pair.final_tree(), path, refused)) continue;
    const std::string found = shown(pair.final_tree(), path);
    const std::string wanted = shown(serial.both.final_tree(), path);
    if (refusals.halfway) {
      complaints.push_back(
          {Judge::kSerial, Verdict::kNotMeasured, path,
           fmt::format("one of the two failed halfway, and {} is what no order of two whole runs "
                       "leaves: {}, instead of {}; give a checker",
                       path, found, wanted)});
      continue;
    }
    complaints.push_back(
        {Judge::kSerial, Verdict::kViolated, path,
         fmt::format("{} is what no order of the two leaves: {}; one after the other they leave {}",
                     path, found, wanted)});
  }
  const Counts expected = effects_of(serial.both.events());
  for (const auto& [effect, count] : effects_of(pair.events())) {
    const auto known = expected.find(effect);
    const int allowed = known == expected.end() ? 1 : known->second;
    if (count <= allowed) continue;
    complaints.push_back(
        {Judge::kExactlyOnce, Verdict::kViolated, fmt::format("{} {}", effect.first, effect.second),
         fmt::format("{} {} happened {} times with two runners at once, one after the other {}",
                     effect.first, effect.second, count, known == expected.end() ? 0 : allowed)});
  }
  return complaints;
}

}  // namespace everycrash
