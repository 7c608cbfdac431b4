#include "harness/explain/cluster.h"

#include <fcntl.h>
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <unordered_map>
#include <utility>

#include "harness/base/digest.h"
#include "harness/trace/event.h"
#include "harness/trace/point_name.h"
#include "harness/trace/stable_name.h"

namespace everycrash {
namespace {

/// Failing in the same way: complaints of one judge about one file.
struct Way {
  Judge judge;
  std::string path;
  friend auto operator<=>(const Way&, const Way&) = default;
};

std::vector<Way> ways_of(const std::vector<Complaint>& complaints) {
  std::vector<Way> ways;
  for (const Complaint& complaint : complaints) {
    if (complaint.verdict != Verdict::kViolated) continue;
    Way way{complaint.judge, complaint.path};
    if (std::find(ways.begin(), ways.end(), way) == ways.end()) ways.push_back(std::move(way));
  }
  return ways;
}

/// Of the first violation.
EffectFault fault_of(const std::vector<Complaint>& complaints) {
  for (const Complaint& complaint : complaints) {
    if (complaint.verdict == Verdict::kViolated) return effect_fault_of(complaint);
  }
  return EffectFault::kNone;
}

/// "the rename that records it (a -> b)" of an operation, "effect charge order-17" of an effect.
std::string edge_of(const Operation& operation, bool records) {
  if (!operation.events.empty()) return describe_events(operation);
  const std::string text = describe(operation);
  const size_t blank = text.find(' ');
  return fmt::format("the {}{} ({})", text.substr(0, blank), records ? " that records it" : "",
                     blank == std::string::npos ? "" : text.substr(blank + 1));
}

bool brings(const Operation* operation, std::string_view effect) {
  if (operation == nullptr) return false;
  for (const Event& event : parse_events(operation->events)) {
    if (fmt::format("{} {}", event.kind, event.key) == effect) return true;
  }
  return false;
}

std::string title_of_effect(const Trace& trace, const Cluster& cluster) {
  if (cluster.effect_fault == EffectFault::kLoss) {
    return fmt::format("The effect {} can get lost{}", cluster.path,
                       brings(trace.find(cluster.closer), cluster.path)
                           ? ": the files record it before it happens"
                           : "");
  }
  return fmt::format("The effect {} can happen twice{}", cluster.path,
                     brings(trace.find(cluster.opener), cluster.path)
                         ? ": it happens before the files record it"
                         : "");
}

std::string cause_key(const Trace& trace, const ChanceNames& chance, uint64_t opener,
                      const SiteOf& site_of) {
  const Operation* operation = trace.find(opener);
  if (operation == nullptr) return "initial";
  std::string what(name_of(operation->kind));
  if (!operation->events.empty()) {
    const std::vector<Event> events = parse_events(operation->events);
    if (!events.empty())
      what += " " + path_pattern(fmt::format("{}{}", events.back().step, events.back().kind), 0);
  }
  return fmt::format("{} {} at {}", what,
                     path_pattern(point_path(*operation), operation->process, chance),
                     site_of(operation->stack));
}

bool is_hex(char c) {
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f');
}

/// The length of the run of hexadecimal digits at FROM.
size_t hex_run(std::string_view text, size_t from) {
  size_t end = from;
  while (end < text.size() && is_hex(text[end])) ++end;
  return end - from;
}

/// TEXT with '#' for folders of two hexadecimal digits at its end, each followed by a '/'.
std::string without_fan_out(std::string text) {
  size_t folder = text.size();
  std::string sorted;
  for (; folder >= 3 && text[folder - 1] == '/' && hex_run(text, folder - 3) == 2 &&
         (folder == 3 || text[folder - 4] == '/');
       folder -= 3) {
    sorted += "#/";
  }
  text.replace(folder, std::string::npos, sorted);
  return text;
}

/// PATH with '#' for what names a file by a hash of its content: a long run of hexadecimal digits,
/// with the folders of two digits before it that sort by its beginning ("objects/3f/a0c1...").
std::string without_hashes(std::string_view path) {
  constexpr size_t kHashMin = 16;
  std::string text;
  for (size_t at = 0; at < path.size();) {
    const size_t run = hex_run(path, at);
    const std::string_view digits = path.substr(at, run);
    const bool mixed = digits.find_first_of("0123456789") != std::string_view::npos &&
                       digits.find_first_of("abcdef") != std::string_view::npos;
    if (run < kHashMin || !mixed) {
      text += run == 0 ? path.substr(at, 1) : digits;
      at += std::max<size_t>(run, 1);
      continue;
    }
    at += run;
    text = without_fan_out(std::move(text)) + "#";
  }
  return text;
}

std::string shown(std::string_view path) {
  return path.empty() ? "the state directory" : std::string(path);
}

/// The name that OPERATION makes, "" if it makes none.
std::string_view name_made_by(const Operation& operation) {
  switch (operation.kind) {
    case Kind::kRename:
    case Kind::kLink:
      return operation.other_path;
    case Kind::kOpen:
      return operation.has(format::kCreated) ? operation.path : "";
    case Kind::kSymlink:
    case Kind::kMakeDirectory:
    case Kind::kMakeNode:
      return operation.path;
    default:
      return "";
  }
}

std::string_view name_taken_by(const Operation& operation) {
  const bool takes = operation.kind == Kind::kUnlink || operation.kind == Kind::kRename ||
                     operation.kind == Kind::kRemoveDirectory;
  return takes ? operation.path : "";
}

/// True if what closes the window of harm is about the file that what opens it is about; also where
/// nothing is known to close it.
bool is_about_one_file(const Operation& opener, const Operation* closer) {
  if (closer == nullptr || (opener.inode != 0 && opener.inode == closer->inode)) return true;
  const std::string_view path = point_path(opener);
  return path == closer->path || path == closer->other_path;
}

/// "rename(state.json)", "chmod state.json to 0644".
std::string call_of(const Operation& operation) {
  if (operation.kind == Kind::kChangeMode) return describe(operation);
  return fmt::format("{}({})", name_of(operation.kind), point_path(operation));
}

/// True if a name is there exactly as long as the window is open: a lock, say.
bool is_there_between(const Operation& opener, const Operation* closer) {
  const std::string_view made = name_made_by(opener);
  return closer != nullptr && !made.empty() && made == name_taken_by(*closer);
}

/// Of a window whose ends alone are known.
std::string title_of_window(const Operation& opener, const Operation* closer) {
  if (closer == nullptr) {
    return fmt::format("A crash right after {} is not survived", describe(opener));
  }
  if (is_there_between(opener, closer)) {
    return fmt::format("A crash while {} exists is not survived", name_made_by(opener));
  }
  const bool printed = closer->kind == Kind::kPrint || closer->kind == Kind::kEvent;
  if (opener.kind == Kind::kWrite && opener.path == name_taken_by(*closer)) {
    return fmt::format("A crash once {} is written, until it is removed, is not survived",
                       opener.path);
  }
  const std::string first = call_of(opener);
  const std::string last = printed ? edge_of(*closer, false) : call_of(*closer);
  return fmt::format("A crash between {} and {} is not survived", first,
                     first == last ? "the next one" : last);
}

/// How each state fails at each of its points. It is judged at the last of them, where most had
/// been promised; what is held against it there need not hold at the others.
class Failures {
 public:
  Failures(const KillStates& kills, const std::vector<std::vector<Complaint>>& complaints,
           const FirstFailing& first_failing)
      : points_(kills.points()), first_failing_(first_failing), innocent_(points_.size()) {
    for (const std::vector<Complaint>& of_state : complaints) ways_.push_back(ways_of(of_state));
    find_innocent();
  }

  /// At the point numbered INDEX.
  std::vector<Way> at(size_t index) {
    if (innocent_[index]) return {};
    const KillStates::Point& at = points_[index];
    std::vector<Way> ways = ways_[at.state];
    const auto by_checker = [](const Way& way) { return way.judge == Judge::kChecker; };
    if (first_failing_ == nullptr || std::none_of(ways.begin(), ways.end(), by_checker))
      return ways;
    const auto [since, fresh] = since_.try_emplace(at.state, 0);
    if (fresh) since->second = first_failing_(at.state);
    if (at.point.record < since->second) std::erase_if(ways, by_checker);
    return ways;
  }

 private:
  /// What can be told without asking: of a point whose run of failing points does not reach the
  /// last point of its state, and that is at the beginning, before the program had done or promised
  /// anything, or fails by a promise alone.
  void find_innocent() {
    std::vector<size_t> last(ways_.size());
    for (size_t i = 0; i < points_.size(); ++i) last[points_[i].state] = i;
    for (size_t begin = 0; begin < points_.size();) {
      size_t end = begin;
      while (end < points_.size() && !ways_[points_[end].state].empty()) ++end;
      for (size_t i = begin; i < end; ++i) {
        const std::vector<Way>& ways = ways_[points_[i].state];
        const bool promise_alone = std::all_of(ways.begin(), ways.end(), [](const Way& way) {
          return way.judge == Judge::kAcknowledged;
        });
        innocent_[i] = last[points_[i].state] >= end && (begin == 0 || promise_alone);
      }
      begin = end + 1;
    }
  }

  const std::vector<KillStates::Point>& points_;
  const FirstFailing& first_failing_;
  std::vector<std::vector<Way>> ways_;  // by state
  std::vector<bool> innocent_;          // by point
  std::unordered_map<uint32_t, uint64_t> since_;
};

/// Takes the points in the order of the trace.
class ClusterBuilder {
 public:
  ClusterBuilder(const Trace& trace, const SiteOf& site_of)
      : trace_(trace), chance_(trace.records()), site_of_(site_of) {}

  /// At the point AT, its state fails in WAYS (none: it does not); COMPLAINTS are against it.
  void add(const KillStates::Point& at, const std::vector<Way>& ways,
           const std::vector<Complaint>& complaints) {
    follow(at.point.record, ways);
    if (ways.empty()) return;
    // A state is counted once, under its first complaint; the others come from the same crash.
    const Way& first = ways.front();
    const uint64_t opener = open_.at(first);
    const auto [it, fresh] =
        by_key_.try_emplace(cause_key(trace_, chance_, opener, site_of_), clusters_.size());
    if (fresh) {
      clusters_.push_back({.key = it->first,
                           .opener = opener,
                           .judge = first.judge,
                           .path = first.path,
                           .effect_fault = fault_of(complaints),
                           .example = at.state});
    }
    Cluster& cluster = clusters_[it->second];
    if (counted_.emplace(it->second, at.state).second) cluster.states.push_back(at.state);
    // The example is judged at the last point that has its state; the cause told is the one there.
    if (at.state == cluster.example) cluster.opener = opener;
    cluster.points.push_back(at.point);
  }

  std::vector<Cluster> finish() {
    for (Cluster& cluster : clusters_) {
      const auto end = closed_.find({{cluster.judge, cluster.path}, cluster.opener});
      if (end != closed_.end()) cluster.closer = end->second;
    }
    return std::move(clusters_);
  }

 private:
  /// Closes the windows of what does not fail any more after RECORD, and opens those of WAYS.
  void follow(uint64_t record, const std::vector<Way>& ways) {
    std::erase_if(open_, [&](const auto& entry) {
      if (std::find(ways.begin(), ways.end(), entry.first) != ways.end()) return false;
      closed_.emplace(entry, record);
      return true;
    });
    for (const Way& way : ways) open_.try_emplace(way, record);
  }

  const Trace& trace_;
  const ChanceNames chance_;
  const SiteOf& site_of_;
  std::vector<Cluster> clusters_;
  std::map<std::string, size_t> by_key_;
  std::set<std::pair<size_t, uint32_t>> counted_;  // cluster and state
  std::map<Way, uint64_t> open_;  // way of failing -> record that began it, while it goes on
  std::map<std::pair<Way, uint64_t>, uint64_t> closed_;  // and the record that ended it
};

/// True if CLOSER goes on with writing the file that OPENER wrote to.
bool goes_on_writing(const Operation& opener, const Operation* closer) {
  if (closer == nullptr) return true;
  const bool content = closer->kind == Kind::kWrite || closer->kind == Kind::kMapWrite ||
                       closer->kind == Kind::kTruncate || closer->kind == Kind::kAllocate;
  return content && is_about_one_file(opener, closer);
}

bool changes_attributes(const Operation* operation) {
  return operation != nullptr &&
         (operation->kind == Kind::kChangeMode || operation->kind == Kind::kChangeOwner ||
          operation->kind == Kind::kChangeTimes || operation->kind == Kind::kSetAttribute ||
          operation->kind == Kind::kRemoveAttribute);
}

/// True if what is wrong is, as far as it is known, the content of the file of OPENER: the
/// complaint is not about another one, and neither are attributes what sets it right.
bool is_about_content(const Cluster& cluster, const Operation& opener, const Operation* closer) {
  return (cluster.path.empty() || cluster.path == point_path(opener)) &&
         !changes_attributes(closer);
}

/// True if WRITE is one to a file that was opened to be appended to: a log is never whole.
bool appends(const Trace& trace, const Operation& write) {
  const auto& records = trace.records();
  for (auto at = records.rbegin(); at != records.rend(); ++at) {
    if (at->sequence > write.sequence || at->kind != Kind::kOpen || at->failed()) continue;
    if (at->inode == write.inode && at->process == write.process) {
      return (at->open_flags & O_APPEND) != 0;
    }
  }
  return false;
}

std::string title_of_promise(const Trace& trace, const Operation& print, const Operation* closer) {
  const std::string line = printed_line(trace, print);
  return fmt::format("{} is acknowledged before {}", line.empty() ? "A result" : line,
                     closer == nullptr ? "it is in the files" : edge_of(*closer, true));
}

}  // namespace

std::string printed_line(const Trace& trace, const Operation& record) {
  constexpr size_t kShown = 40;
  constexpr size_t kLongest = 4096;
  std::string text(record.payload);
  const auto& records = trace.records();
  auto before = std::lower_bound(
      records.begin(), records.end(), record.sequence,
      [](const Operation& one, uint64_t sequence) { return one.sequence < sequence; });
  while (before != records.begin() && text.size() < kLongest) {
    --before;
    if (before->kind != Kind::kPrint || before->process != record.process) continue;
    if (before->payload.ends_with('\n')) break;
    text.insert(0, before->payload);
  }
  while (text.ends_with('\n')) text.pop_back();
  text.erase(0, text.rfind('\n') + 1);
  if (text.empty()) return "";
  return fmt::format("\"{}{}\"", text.substr(0, kShown), text.size() > kShown ? "..." : "");
}

std::string path_pattern(std::string_view path, int32_t process) {
  std::string named =
      stable_name(without_hashes(path), [process](int32_t number) { return number == process; });
  if (const size_t chance = named.find("<random>"); chance != std::string::npos) {
    // "objects/3f/tmp_XXXXXX" will be "objects/3f/a0c1...".
    const size_t name = named.rfind('/', chance) + 1;  // 0 where there is no folder
    named = without_fan_out(named.substr(0, name)) + named.substr(name);
  }
  std::string pattern;
  for (const char c : named) {
    const bool digit = c >= '0' && c <= '9';
    if (!digit) {
      pattern += c;
    } else if (pattern.empty() || pattern.back() != '#') {
      pattern += '#';
    }
  }
  return pattern;
}

std::string path_pattern(std::string_view path, int32_t process, const ChanceNames& chance) {
  return path_pattern(chance.pattern_of(path), process);
}

std::string Cluster::id() const {
  return digest_of(key).hex().substr(0, 12);
}

std::vector<Cluster> cluster_kill_states(const Trace& trace, const KillStates& kills,
                                         const std::vector<std::vector<Complaint>>& complaints,
                                         const SiteOf& site_of, const FirstFailing& first_failing) {
  Failures failures(kills, complaints, first_failing);
  ClusterBuilder clusters(trace, site_of);
  for (size_t i = 0; i < kills.points().size(); ++i) {
    const KillStates::Point& at = kills.points()[i];
    clusters.add(at, failures.at(i), complaints[at.state]);
  }
  return clusters.finish();
}

std::string window_of(const Trace& trace, const Cluster& cluster) {
  if (cluster.judge != Judge::kExactlyOnce) return "";
  const Operation* opener = trace.find(cluster.opener);
  const Operation* closer = trace.find(cluster.closer);
  const bool duplicate = cluster.effect_fault == EffectFault::kDuplicate;
  if (opener == nullptr && closer == nullptr) return "";
  if (opener == nullptr) return fmt::format("before {}", edge_of(*closer, duplicate));
  const std::string from = edge_of(*opener, !duplicate);
  if (closer == nullptr) return fmt::format("after {}", from);
  return fmt::format("between {} and {}", from, edge_of(*closer, duplicate));
}

std::string title_of(const Trace& trace, const Cluster& cluster) {
  if (cluster.judge == Judge::kExactlyOnce) return title_of_effect(trace, cluster);
  const Operation* opener = trace.find(cluster.opener);
  if (opener == nullptr) return "The state before the first operation is not accepted";
  const Operation* closer = trace.find(cluster.closer);
  const std::string object = shown(point_path(*opener));
  if (cluster.judge == Judge::kNoLeftovers && !cluster.path.empty() &&
      cluster.path == name_made_by(*opener)) {
    return fmt::format("{} stays behind after a crash", shown(cluster.path));
  }
  if (is_there_between(*opener, closer)) return title_of_window(*opener, closer);
  const bool one_file = cluster.judge == Judge::kHalfFile || is_about_one_file(*opener, closer);
  const bool about_content = is_about_content(cluster, *opener, closer);
  switch (opener->kind) {
    case Kind::kOpen:
      if (!about_content || (!one_file && opener->has(format::kCreated))) {
        return title_of_window(*opener, closer);
      }
      if (opener->has(format::kTruncated) && !opener->has(format::kCreated)) {
        return fmt::format("{} is emptied before its new content is written", object);
      }
      return fmt::format("{} exists before its content is written", object);
    case Kind::kTruncate:
      if (!about_content ||
          (cluster.judge != Judge::kHalfFile && !goes_on_writing(*opener, closer)))
        return title_of_window(*opener, closer);
      return fmt::format("{} is cut before its new content is written", object);
    case Kind::kWrite:
    case Kind::kMapWrite:
      if (cluster.judge != Judge::kHalfFile && cluster.points.front().whole() &&
          !goes_on_writing(*opener, closer)) {
        return title_of_window(*opener, closer);
      }
      if (cluster.judge != Judge::kHalfFile && appends(trace, *opener)) {
        return cluster.points.front().whole()
                   ? title_of_window(*opener, closer)
                   : fmt::format("A crash within {} is not survived", call_of(*opener));
      }
      return fmt::format("{} is only partly written", object);
    case Kind::kUnlink:
    case Kind::kRemoveDirectory:
      if (!one_file) return title_of_window(*opener, closer);
      return fmt::format("{} is removed before its successor is there", object);
    case Kind::kPrint:
      return title_of_promise(trace, *opener, closer);
    case Kind::kEvent: {
      const std::vector<Event> events = parse_events(opener->payload);
      if (!events.empty() && events.back().is_effect()) {
        return fmt::format("The effect {} {} happens before the files record it",
                           events.back().kind, events.back().key);
      }
      return fmt::format("A crash after the step {} is not survived",
                         events.empty() ? "" : events.back().step);
    }
    default:
      return title_of_window(*opener, closer);
  }
}

}  // namespace everycrash
