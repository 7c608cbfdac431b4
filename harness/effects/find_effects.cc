#include "harness/effects/find_effects.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <fnmatch.h>

#include <algorithm>
#include <cerrno>
#include <iterator>
#include <map>
#include <set>
#include <utility>

#include "harness/base/digest.h"
#include "harness/base/path_text.h"
#include "harness/effects/sent_bytes.h"

namespace everycrash {
namespace {

constexpr size_t kKeyMax = 60;

/// TEXT as one word of an event line; what is long is told apart by a hash.
std::string one_word(std::string_view text) {
  std::string word(text.substr(0, kKeyMax));
  for (char& c : word) {
    if (c <= ' ' || c == '\x7f') c = '_';
  }
  if (text.size() > kKeyMax) word += "~" + short_id_of(text);
  return word.empty() ? "-" : word;
}

/// Child commands: an effect when one that was chosen has ended well.
class Commands {
 public:
  explicit Commands(const std::vector<std::string>& globs) : globs_(globs) {}

  void start(const Operation& record) {
    running_.erase(record.process);
    std::string argv(record.payload);
    while (!argv.empty() && argv.back() == '\0') argv.pop_back();
    const size_t first = argv.find('\0');
    // A script is known by its own name, behind that of its interpreter.
    std::string called = argv.substr(0, first);
    std::string rest = first == std::string::npos ? "" : argv.substr(first + 1);
    if (!is_chosen(called, record.path)) {
      const size_t second = rest.find('\0');
      called = rest.substr(0, second);
      rest = second == std::string::npos ? "" : rest.substr(second + 1);
      if (called.empty() || !is_chosen(called, called)) return;
    }
    std::replace(rest.begin(), rest.end(), '\0', ' ');
    running_[record.process] =
        fmt::format("effect {} {}", one_word(base_name(called)), one_word(rest));
  }

  std::optional<std::string> end(const Operation& record) {
    const auto found = running_.find(record.process);
    if (found == running_.end()) return std::nullopt;
    std::string line = std::move(found->second);
    running_.erase(found);
    if (record.mode != 0) return std::nullopt;
    return line;
  }

 private:
  /// By the name that it was CALLED by; where the glob has a path, by that or that of the FILE.
  [[nodiscard]] bool is_chosen(std::string_view called, std::string_view file) const {
    const auto fits = [](const std::string& glob, std::string_view text) {
      return fnmatch(glob.c_str(), std::string(text).c_str(), 0) == 0;
    };
    return std::any_of(globs_.begin(), globs_.end(), [&](const std::string& glob) {
      if (glob.find('/') == std::string::npos) return fits(glob, base_name(called));
      return fits(glob, called) || fits(glob, file);
    });
  }

  const std::vector<std::string>& globs_;
  std::map<int32_t, std::string> running_;  // by process
};

/// Files that appear in chosen folders.
class Outboxes {
 public:
  Outboxes(const Trace& trace, const EffectRules& rules)
      : globs_(rules.folders), temporary_(rules.temporary) {
    if (globs_.empty()) return;
    for (const Operation& record : trace.records()) {
      if (!record.failed() && (record.kind == Kind::kRename || record.kind == Kind::kUnlink))
        taken_away_.emplace(record.path);
    }
  }

  void take(const Operation& record) {
    if (globs_.empty()) return;
    switch (record.kind) {
      case Kind::kOpen:
        if (!record.failed()) open(record);
        return;
      case Kind::kWrite:
      case Kind::kMapWrite:
      case Kind::kTruncate:
        return change(record);
      case Kind::kClose:  // one that fails closes, too: close(2)
        if (const auto found = files_.find(record.inode); found != files_.end())
          found->second.close();
        return;
      case Kind::kExit:
        for (auto& [inode, file] : files_) {
          if (file.process == record.process) file.close();
        }
        return;
      case Kind::kUnlink:
        return leave(record);
      case Kind::kRename:
        leave(record);
        return arrive(record);
      case Kind::kLink:
        return arrive(record);
      default:
        return;
    }
  }

  /// What was found, in no order.
  std::vector<FoundEffect> finish() {
    for (const auto& [inode, file] : files_) tell(file);
    files_.clear();
    for (FoundEffect& effect : found_) effect.gone = next_leave(effect.file, effect.sequence);
    return std::move(found_);
  }

 private:
  /// One that is written where it is to be found.
  struct File {
    std::string path;
    bool rewritten = false;  ///< the name was there before
    int32_t process = 0;     ///< that had it last
    uint64_t made = 0;       ///< record
    uint64_t changed = 0;    ///< record
    uint64_t whole = 0;      ///< record with which it held all that its writer had for it; 0 = none
    bool is_spoilt = false;  ///< the latest write has failed
    void close() {
      if (!is_spoilt) whole = changed;
    }
    /// Nothing was ever written to it, by this name or another descriptor.
    [[nodiscard]] bool is_reserved() const { return changed == made && !rewritten; }
  };

  void open(const Operation& record) {
    const auto known = files_.find(record.inode);
    if (known != files_.end() && known->second.whole != 0) {
      if (known->second.is_reserved()) {
        if ((record.open_flags & O_ACCMODE) != O_RDONLY) known->second.whole = 0;
        return;
      }
      tell(known->second);
      files_.erase(known);
    }
    const bool made = record.has(format::kCreated);
    const bool emptied = (record.open_flags & O_TRUNC) != 0 || record.has(format::kTruncated);
    if ((!made && !emptied) || !in_outbox(record.path)) return;
    if (is_temporary(record.path)) return;
    files_[record.inode] = {.path = std::string(record.path),
                            .rewritten = !made,
                            .process = record.process,
                            .made = record.sequence,
                            .changed = record.sequence};
  }

  void change(const Operation& record) {
    const auto found = files_.find(record.inode);
    if (found == files_.end()) return;
    File& file = found->second;
    file.process = record.process;
    file.is_spoilt = record.failed() && record.result != -EINTR && record.result != -EAGAIN;
    if (!record.failed()) file.changed = record.sequence;
  }

  void leave(const Operation& record) {
    if (!record.failed()) left_[std::string(record.path)].insert(record.sequence);
  }

  /// The record that takes PATH away next after SEQUENCE, or a folder that it is in.
  [[nodiscard]] uint64_t next_leave(std::string_view path, uint64_t sequence) const {
    uint64_t first = ~uint64_t{0};
    for (; !path.empty(); path = folder_of(path)) {
      const auto left = left_.find(path);
      if (left == left_.end()) continue;
      const auto next = left->second.upper_bound(sequence);
      if (next != left->second.end()) first = std::min(first, *next);
    }
    return first;
  }

  void arrive(const Operation& record) {
    const bool new_name = record.kind == Kind::kLink || record.other_inode == 0;
    // From one name in the outbox to another: it had appeared before, unless as a temporary file.
    if (!record.failed() && new_name && in_outbox(record.other_path) &&
        !temporary_.contains(record.other_path))
      found_.push_back(
          {record.sequence, line_of(record.other_path), std::string(record.other_path)});
  }

  /// To write a file again that lies there already, half or whole, has no further effect.
  void tell(const File& file) {
    if (file.whole == 0) return;
    found_.push_back(
        {file.whole, line_of(file.path) + (file.rewritten ? " repeatable" : ""), file.path});
  }

  [[nodiscard]] bool is_temporary(std::string_view path) const {
    return taken_away_.contains(std::string(path)) || temporary_.contains(path);
  }

  [[nodiscard]] bool in_outbox(std::string_view path) const {
    const std::string folder(folder_of(path));
    return std::any_of(globs_.begin(), globs_.end(), [&](std::string glob) {
      while (glob.ends_with('/')) glob.pop_back();
      if (glob.starts_with("./")) glob.erase(0, 2);
      return fnmatch(glob.c_str(), folder.c_str(), FNM_PATHNAME) == 0;
    });
  }

  static std::string line_of(std::string_view path) {
    return fmt::format("effect {} {}", one_word(folder_of(path)), one_word(base_name(path)));
  }

  const std::vector<std::string>& globs_;
  const TemporaryNames& temporary_;
  std::set<std::string> taken_away_;  // names that the run makes and moves or removes again
  std::map<std::string, std::set<uint64_t>, std::less<>> left_;  // records that took a name away
  std::map<uint64_t, File> files_;                               // by inode
  std::vector<FoundEffect> found_;
};

}  // namespace

FoundEffects find_effects(const Trace& trace, const EffectRules& rules, SinkMemory sink) {
  FoundEffects found;
  found.sink_before = sink;
  Commands commands(rules.commands);
  Outboxes outboxes(trace, rules);
  SentBytes sent(trace, rules, std::move(sink), found);
  for (const Operation& record : trace.records()) {
    std::optional<std::string> line;
    if (record.kind == Kind::kProcess) commands.start(record);
    if (record.kind == Kind::kExit) line = commands.end(record);
    if (record.kind == Kind::kConnect) sent.connect(record);
    if (record.kind == Kind::kSend) sent.send(record);
    outboxes.take(record);
    if (line) found.effects.push_back({record.sequence, std::move(*line), ""});
  }
  sent.finish();
  std::vector<FoundEffect> files = outboxes.finish();
  std::move(files.begin(), files.end(), std::back_inserter(found.effects));
  std::stable_sort(
      found.effects.begin(), found.effects.end(),
      [](const FoundEffect& a, const FoundEffect& b) { return a.sequence < b.sequence; });
  return found;
}

void announce_effects(const FoundEffects& found, Trace& trace) {
  for (auto it = found.effects.begin(); it != found.effects.end();) {
    std::string lines;
    const uint64_t sequence = it->sequence;
    for (; it != found.effects.end() && it->sequence == sequence; ++it) lines += it->line + "\n";
    trace.announce(sequence, std::move(lines));
  }
}

SinkMemory sink_memory_at(const FoundEffects& found, uint64_t record) {
  SinkMemory memory = found.sink_before;
  for (const SinkRequest& request : found.requests) {
    if (request.sequence > record) break;
    memory.take(request.request);
  }
  return memory;
}

}  // namespace everycrash
