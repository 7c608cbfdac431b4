#include "harness/check/oracles/serial.h"

#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <optional>
#include <set>
#include <string_view>
#include <utility>

#include "harness/check/oracles/refusal.h"
#include "harness/trace/event.h"

namespace everycrash {
namespace {

constexpr int64_t kWordsMaxBytes = 4 << 20;  // of a larger file the bytes are compared
constexpr size_t kShownBytes = 40;

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

/// Two runners at once, and what they leave. Refers to what its maker holds.
struct Pair {
  const FileSystem& left;
  std::set<std::string> changed_by_both;
  std::vector<Refusal> refusals;
  const Trace& trace;
};

/// True if a runner that was refused was the last to change PATH, and leaves it gone, or as the
/// beginning of what it should be: that is lost, whatever the runner said.
bool is_spoilt_by_refused(const SerialRuns& serial, const Pair& pair, const std::string& path) {
  std::optional<uint32_t> last;
  for (const Operation& record : pair.trace.records()) {
    if (!is_operation(record.kind) || !changes_state(record)) continue;
    if (record.path == path || record.other_path == path) last = record.runner;
  }
  const bool by_refused = std::any_of(pair.refusals.begin(), pair.refusals.end(),
                                      [&](const Refusal& each) { return each.runner == last; });
  if (!by_refused) return false;
  const NodeId found = pair.left.find(path);
  if (found == kNoNode) return true;
  if (!pair.left.node(found).is_file()) return false;
  const std::string bytes = pair.left.content(found);
  const auto is_beginning_in = [&](const FileSystem& tree) {
    const NodeId node = tree.find(path);
    return node != kNoNode && tree.node(node).is_file() &&
           tree.node(node).size > pair.left.node(found).size &&
           tree.content(node).starts_with(bytes);
  };
  return is_beginning_in(serial.both.final_tree()) || is_beginning_in(serial.alone.final_tree());
}

Facts<SerialFact> facts_of(const SerialRuns& serial, const Pair& pair, const std::string& path) {
  Facts<SerialFact> facts;
  if (is_alike(serial.both.final_tree(), pair.left, path)) return {SerialFact::kAsBoth};
  // A runner that was refused before it had touched the file has left it alone.
  const auto refused = static_cast<size_t>(
      std::count_if(pair.refusals.begin(), pair.refusals.end(),
                    [&](const Refusal& each) { return !each.has_changed(path); }));
  return facts.set(SerialFact::kRefused, refused > 0)
      .set(SerialFact::kAsOneAlone, is_alike(serial.alone.final_tree(), pair.left, path))
      .set(SerialFact::kChangedByBoth, pair.changed_by_both.contains(path))
      .set(SerialFact::kOnTheWay, refused > 0 && is_on_the_way(serial, pair.left, path, refused))
      .set(SerialFact::kHalfway,
           std::any_of(pair.refusals.begin(), pair.refusals.end(),
                       [](const Refusal& each) { return !each.changed.empty(); }))
      .set(SerialFact::kSpoilt, is_spoilt_by_refused(serial, pair, path));
}

std::optional<Complaint> judge_path(const SerialRuns& serial, const Pair& pair,
                                    const std::string& path) {
  const SerialVerdict verdict = decide(kSerialForgives, facts_of(serial, pair, path));
  if (verdict == SerialVerdict::kFine) return std::nullopt;
  const std::string found = shown(pair.left, path);
  const std::string wanted = shown(serial.both.final_tree(), path);
  if (verdict == SerialVerdict::kNotMeasured) {
    return Complaint{.judge = Judge::kSerial,
                     .verdict = Verdict::kNotMeasured,
                     .path = path,
                     .message = fmt::format(
                         "one of the two failed halfway, and {} is what no order of two whole runs "
                         "leaves: {}, instead of {}; give a checker",
                         path, found, wanted),
                     .wrong = Wrong::kRunnerFailed};
  }
  return Complaint{
      .judge = Judge::kSerial,
      .path = path,
      .message = fmt::format(
          "{} is what no order of the two leaves: {}; one after the other they leave {}", path,
          found, wanted),
      .wrong = Wrong::kNoOrder};
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
    Facts<SerialFileFact> facts;
    facts.set(SerialFileFact::kIgnored, is_ignored(path, ignore))
        .set(SerialFileFact::kWhole, !runs.alone.not_judged().contains(path))
        .set(SerialFileFact::kSameEachTime,
             content_at(runs.both.final_tree(), path) == content_at(again.final_tree(), path));
    const SerialFile file = decide(kSerialApplies, facts);
    if (file == SerialFile::kJudged) runs.judged.insert(path);
    if (file == SerialFile::kVarying) runs.varying.insert(path);
  }
  return runs;
}

std::vector<Complaint> find_serial_faults(const SerialRuns& serial, const Trace& trace,
                                          const History& pair) {
  std::vector<Complaint> complaints;
  const Pair both{pair.final_tree(), changed_by_both(trace), find_refusals(trace), trace};
  for (const std::string& path : serial.judged) {
    if (std::optional<Complaint> complaint = judge_path(serial, both, path)) {
      complaints.push_back(std::move(*complaint));
    }
  }
  const Counts expected = effects_of(serial.both.events());
  for (const auto& [effect, count] : effects_of(pair.events())) {
    const auto known = expected.find(effect);
    const int allowed = known == expected.end() ? 1 : known->second;
    if (count <= allowed) continue;
    complaints.push_back(
        {.judge = Judge::kExactlyOnce,
         .path = fmt::format("{} {}", effect.first, effect.second),
         .message =
             fmt::format("{} {} happened {} times with two runners at once, one after the other {}",
                         effect.first, effect.second, count, known == expected.end() ? 0 : allowed),
         .wrong = Wrong::kDuplicateEffect});
  }
  return complaints;
}

}  // namespace everycrash
