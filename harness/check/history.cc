#include "harness/check/history.h"

#include <fcntl.h>
#include <sys/stat.h>

#include <algorithm>
#include <unordered_map>

#include "harness/trace/point_name.h"

namespace everycrash {
namespace {

constexpr const char* kAppended = "is appended to";
constexpr const char* kUpdated = "is updated in place";
constexpr const char* kMapped = "is written through a memory mapping";
constexpr const char* kAcrossSync = "is written on after an fsync, as logs and databases are";
constexpr const char* kAcrossOthers = "is written on after other files were changed, as logs are";
constexpr const char* kAcrossPrint = "is written on after something was printed";

bool changes_content(const Operation& operation) {
  // What copies a file until nothing is left ends with a write of nothing.
  if (operation.kind == Kind::kWrite && operation.length == 0) return false;
  return !operation.failed() && everycrash::changes_content(operation.kind);
}

bool opens_for_writing(const Operation& operation) {
  return operation.kind == Kind::kOpen && !operation.failed() &&
         !operation.has(format::kDirectory) &&
         ((operation.open_flags & O_ACCMODE) != O_RDONLY || operation.has(format::kCreated) ||
          operation.has(format::kTruncated));
}

}  // namespace

Content content_of(const Node& node) {
  return {node.attributes->mode & S_IFMT, node.size,
          node.is_symlink() ? digest_of(node.target) : node.sum};
}

std::optional<Content> content_at(const FileSystem& tree, const std::string& path) {
  const NodeId node = tree.find(path);
  if (node == kNoNode) return std::nullopt;
  return content_of(tree.node(node));
}

size_t NameHistory::contents() const {
  return static_cast<size_t>(std::count_if(versions.begin(), versions.end(),
                                           [](const Version& v) { return v.content.has_value(); }));
}

std::optional<size_t> NameHistory::latest(const std::optional<Content>& content) const {
  for (size_t i = versions.size(); i-- > 0;) {
    if (versions[i].content == content) return i;
  }
  return std::nullopt;
}

/// Walks a trace and keeps, for each file, how it has been written since it was last opened.
class VersionCollector {
 public:
  explicit VersionCollector(FileSystem initial) : tree_(std::move(initial)) {
    history_.initial_tree_ = tree_;
  }

  Status take(const Operation& operation);
  History finish(const TemporaryNames& known);

 private:
  /// From one opening of a file for writing until the next.
  struct Session {
    bool whole = false;  ///< it began with an empty file
    int64_t start_size = 0;
    int64_t end = 0;          ///< behind the last byte written
    uint64_t opened = 0;      ///< sequence
    uint64_t last_write = 0;  ///< sequence; 0 = none
    uint64_t last_sync = 0;
    uint64_t settled = 0;  ///< the first sync of any kind after the last close
  };

  void before(const Operation& operation);
  void after(const Operation& operation);
  void open_session(const Operation& operation, NodeId node);
  void close_session(NodeId node);
  void carry_flaws(std::string_view from, std::string_view to);
  void note_close(NodeId node, uint64_t now);
  void take_write(const Operation& operation, NodeId node);
  void take_sync(const Operation& operation);
  void finish_with_sync(NodeId node, Session& session, uint64_t now);
  const char* flaw_of(const Operation& operation, const Session& session) const;
  void add_versions_below(const std::string& path, NodeId node, uint64_t sequence);
  void add_absence_below(const std::string& path, NodeId node, uint64_t sequence);
  void add_version(const std::string& path, uint64_t since, std::optional<Content> content);
  [[nodiscard]] std::vector<std::string> names_of(NodeId node) const;
  void take_print(uint64_t now);
  [[nodiscard]] bool printed_within(uint64_t from, uint64_t to) const;

  FileSystem tree_;
  History history_;
  std::unordered_map<NodeId, Session> sessions_;
  std::map<std::string, std::vector<Version>> versions_;
  std::map<std::string, std::string> flaws_;
  std::set<std::string> made_folders_;
  std::set<NodeId> made_files_;
  uint64_t last_print_ = 0;
  bool within_line_ = false;  // the last print ended no line, and nothing was changed since
  std::unordered_map<int32_t, uint64_t> last_changed_;  // inode that each thread changed last
  std::set<int32_t> processes_;

  friend class History;
};

std::vector<std::string> VersionCollector::names_of(NodeId node) const {
  std::vector<std::string> names;
  for (const Node::Link& link : tree_.node(node).links) {
    const std::optional<std::string> folder = tree_.path_of(link.parent);
    if (!folder) continue;
    names.push_back(folder->empty() ? tree_.name(link.name)
                                    : *folder + "/" + tree_.name(link.name));
  }
  return names;
}

void VersionCollector::add_version(const std::string& path, uint64_t since,
                                   std::optional<Content> content) {
  std::vector<Version>& versions = versions_[path];
  if (versions.empty() && since != 0) versions.push_back({0, std::nullopt});
  if (!versions.empty() && versions.back().content == content) return;
  versions.push_back({since, content});
}

void VersionCollector::add_versions_below(const std::string& path, NodeId id, uint64_t sequence) {
  const Node& node = tree_.node(id);
  if (!node.is_directory()) return add_version(path, sequence, content_of(node));
  for (const auto& [name, child] : node.entries) {
    add_versions_below(path.empty() ? tree_.name(name) : path + "/" + tree_.name(name), child,
                       sequence);
  }
}

void VersionCollector::add_absence_below(const std::string& path, NodeId id, uint64_t sequence) {
  const Node& node = tree_.node(id);
  if (!node.is_directory()) return add_version(path, sequence, std::nullopt);
  for (const auto& [name, child] : node.entries) {
    add_absence_below(path + "/" + tree_.name(name), child, sequence);
  }
}

/// What is in the file now is whole: its writer is done with it, or another one begins.
void VersionCollector::close_session(NodeId node) {
  const auto session = sessions_.find(node);
  if (session == sessions_.end()) return;
  const uint64_t since = std::max(session->second.last_write, session->second.opened);
  const uint64_t finished = std::max(since, session->second.last_sync);
  for (const std::string& name : names_of(node)) {
    const size_t before = versions_[name].size();
    add_version(name, since, content_of(tree_.node(node)));
    if (versions_[name].size() > before) versions_[name].back().finished = finished;
  }
  sessions_.erase(session);
}

/// Another descriptor of the same opening may live on (dup, fork), so the session goes on; but what
/// is there when a descriptor is closed may be whole. Before the first write it is not: shells
/// close the descriptor that they opened once they have duplicated it.
void VersionCollector::note_close(NodeId node, uint64_t now) {
  const auto session = sessions_.find(node);
  if (session == sessions_.end() || session->second.last_write == 0) return;
  const Session& written = session->second;
  const uint64_t finished = written.last_sync > written.last_write ? written.last_sync : now;
  for (const std::string& name : names_of(node)) {
    const size_t before = versions_[name].size();
    add_version(name, written.last_write, content_of(tree_.node(node)));
    if (versions_[name].size() > before) versions_[name].back().finished = finished;
  }
}

void VersionCollector::open_session(const Operation& operation, NodeId node) {
  Session session;
  const uint32_t fresh = operation.has(format::kCreated) ? O_TRUNC | O_EXCL : O_TRUNC;
  session.whole = (operation.open_flags & fresh) != 0 || operation.has(format::kTruncated) ||
                  operation.has(format::kNameless);
  session.start_size = session.whole ? 0 : tree_.node(node).size;
  session.opened = operation.sequence;
  sessions_[node] = session;
}

/// Why a file that is written so is not written whole; nullptr if it may be.
const char* VersionCollector::flaw_of(const Operation& operation, const Session& session) const {
  if (operation.kind == Kind::kMapWrite) return kMapped;
  if (operation.has(format::kAppend)) return kAppended;
  const bool emptied = operation.kind == Kind::kTruncate && operation.length == 0;
  if (!session.whole) {
    if (emptied && session.last_write == 0) return nullptr;
    return operation.kind == Kind::kWrite && operation.offset >= session.start_size &&
                   session.start_size > 0
               ? kAppended
               : kUpdated;
  }
  if (operation.kind == Kind::kWrite && operation.offset < session.end) return kUpdated;
  if (emptied && session.last_write != 0) return kUpdated;
  if (session.last_write != 0 && session.last_sync > session.last_write) return kAcrossSync;
  if (last_print_ > session.opened) return kAcrossPrint;
  const auto last = last_changed_.find(operation.thread);
  if (session.last_write != 0 && last != last_changed_.end() && last->second != operation.inode) {
    return kAcrossOthers;
  }
  return nullptr;
}

void VersionCollector::take_write(const Operation& operation, NodeId node) {
  if (!sessions_.contains(node)) {
    // Its opening was not seen (truncate by path): whatever was there was whole.
    for (const std::string& name : names_of(node)) {
      add_version(name, 0, content_of(tree_.node(node)));
    }
    Session session;
    session.start_size = tree_.node(node).size;
    session.opened = operation.sequence;
    sessions_[node] = session;
  }
  Session& session = sessions_[node];
  if (const char* flaw = flaw_of(operation, session)) {
    for (const std::string& name : names_of(node)) flaws_.try_emplace(name, flaw);
  }
  if (operation.kind == Kind::kTruncate && operation.length == 0) session.whole = true;
  if (operation.kind == Kind::kWrite) {
    session.end = std::max(session.end, operation.offset + operation.length);
  }
  session.last_write = operation.sequence;
}

void VersionCollector::take_sync(const Operation& operation) {
  const uint64_t now = operation.sequence;
  if (syncs_all(operation.kind)) {
    // It says nothing about how one file is written.
    for (auto& [node, session] : sessions_) finish_with_sync(node, session, now);
    return;
  }
  const NodeId node = tree_.by_inode(operation.inode);
  const auto session = sessions_.find(node);
  if (session == sessions_.end()) return;
  finish_with_sync(node, session->second, now);
  session->second.last_sync = now;
}

/// A writer that has closed a file and syncs it next, with nothing printed in between, was not done
/// with it before.
void VersionCollector::finish_with_sync(NodeId node, Session& session, uint64_t now) {
  const uint64_t written = session.last_write;
  if (written == 0 || session.last_sync > written || session.settled > written) return;
  for (const std::string& name : names_of(node)) {
    const auto versions = versions_.find(name);
    if (versions == versions_.end()) continue;
    Version& last = versions->second.back();
    const bool closed = last.since == written && last.content && last.finished > written;
    if (!closed || last_print_ > last.finished) continue;
    last.finished = now;
    session.settled = now;
  }
}

/// How a file was written goes with it to its new name, also below a folder that is moved. In what
/// order the bytes came into one that the run itself has made does not matter any more: it is put
/// in place whole.
void VersionCollector::carry_flaws(std::string_view from, std::string_view to) {
  std::map<std::string, std::string> carried;
  for (const auto& [path, flaw] : flaws_) {
    if (!path.starts_with(from)) continue;
    const std::string below = path.substr(from.size());
    if (!below.empty() && below.front() != '/') continue;
    const bool in_place = flaw == kUpdated || flaw == kMapped;
    if (in_place && made_files_.contains(tree_.find(path))) continue;
    carried.emplace(std::string(to) + below, flaw);
  }
  flaws_.insert(carried.begin(), carried.end());
}

void VersionCollector::before(const Operation& operation) {
  const NodeId node = tree_.by_inode(operation.inode);
  if (opens_for_writing(operation) && !operation.has(format::kCreated) && node != kNoNode) {
    close_session(node);
    open_session(operation, node);
  } else if (changes_content(operation) && node != kNoNode) {
    take_write(operation, node);
  } else if (operation.kind == Kind::kClose && node != kNoNode) {
    note_close(node, operation.sequence);
  } else if (operation.kind == Kind::kLink && node != kNoNode) {
    carry_flaws(operation.path, operation.other_path);
  } else if (operation.kind == Kind::kRename && node != kNoNode) {
    carry_flaws(operation.path, operation.other_path);
    if (operation.has(format::kExchange)) carry_flaws(operation.other_path, operation.path);
    const NodeId replaced = tree_.find(operation.other_path);
    if (replaced != kNoNode && replaced != node) close_session(replaced);
    add_absence_below(std::string(operation.path), node, operation.sequence);
    // Two names of one file: rename(2) does nothing.
    if (tree_.find(operation.other_path) == node) {
      add_versions_below(std::string(operation.path), node, operation.sequence);
    }
  } else if (operation.kind == Kind::kUnlink) {
    if (node != kNoNode) close_session(node);
    add_version(std::string(operation.path), operation.sequence, std::nullopt);
  }
}

void VersionCollector::after(const Operation& operation) {
  const uint64_t now = operation.sequence;
  const NodeId node = tree_.by_inode(operation.inode);
  switch (operation.kind) {
    case Kind::kOpen:
      if (operation.has(format::kCreated) && node != kNoNode) {
        open_session(operation, node);
        made_files_.insert(node);
      }
      break;
    case Kind::kRename:
      add_versions_below(std::string(operation.other_path), node, now);
      if (operation.has(format::kExchange)) {
        const NodeId other = tree_.find(operation.path);
        if (other != kNoNode) add_versions_below(std::string(operation.path), other, now);
      }
      break;
    case Kind::kLink:
      add_version(std::string(operation.other_path), now, content_of(tree_.node(node)));
      break;
    case Kind::kSymlink:
      add_version(std::string(operation.path), now, content_of(tree_.node(node)));
      break;
    case Kind::kMakeDirectory:
      made_folders_.emplace(operation.path);
      break;
    case Kind::kPrint:
      last_print_ = now;
      history_.printed_ += operation.payload;
      take_print(now);
      break;
    default:
      break;
  }
  history_.events_ += operation.events;
}

Status VersionCollector::take(const Operation& operation) {
  processes_.insert(operation.process);
  if (operation.failed()) return {};
  history_.temporary_.learn(operation);
  if (is_sync(operation.kind)) take_sync(operation);
  before(operation);
  Status done = tree_.apply(operation);
  if (!done) return done;
  after(operation);
  if (operation.kind == Kind::kPrint) history_.end_ = operation.sequence;
  if (is_operation(operation.kind) && changes_state(operation)) {
    history_.end_ = operation.sequence;
    last_changed_[operation.thread] = operation.inode;
    within_line_ = false;
  }
  return {};
}

/// Some write a line in pieces: it is told once it is whole, or once something else is done.
void VersionCollector::take_print(uint64_t now) {
  const History::Print print{history_.printed_.size(), now};
  if (within_line_) {
    history_.prints_.back() = print;
  } else {
    history_.prints_.push_back(print);
  }
  within_line_ = !history_.printed_.ends_with('\n');
}

bool VersionCollector::printed_within(uint64_t from, uint64_t to) const {
  return std::any_of(history_.prints_.begin(), history_.prints_.end(), [&](const auto& print) {
    return print.sequence >= from && print.sequence < to;
  });
}

History VersionCollector::finish(const TemporaryNames& known) {
  while (!sessions_.empty()) close_session(sessions_.begin()->first);
  for (const std::string& folder : made_folders_) {
    if (tree_.find(folder) == kNoNode) history_.temporary_.add(folder, processes_);
  }
  for (auto& [path, versions] : versions_) {
    const NodeId node = tree_.find(path);
    if (node == kNoNode && !versions.front().content) history_.temporary_.add(path, processes_);
    if (node == kNoNode || tree_.node(node).is_directory() || known.contains(path)) continue;
    const auto flaw = flaws_.find(path);
    if (flaw != flaws_.end()) {
      history_.not_judged_[path] = flaw->second;
      continue;
    }
    NameHistory name;
    name.absent_first = !versions.front().content.has_value();
    name.absence_allowed = name.absent_first;
    for (size_t i = 0; i < versions.size(); ++i) {
      if (versions[i].content) continue;
      const bool last = i + 1 == versions.size();
      if (last || printed_within(versions[i].since, versions[i + 1].since)) {
        name.absence_allowed = true;
        name.settled_absence = i;
      }
    }
    name.versions = std::move(versions);
    history_.judged_[path] = std::move(name);
  }
  history_.final_tree_ = std::move(tree_);
  return std::move(history_);
}

bool History::is_updated_in_place(const std::string& path) const {
  const auto found = not_judged_.find(path);
  return found != not_judged_.end() && (found->second == kUpdated || found->second == kMapped);
}

Result<History> History::of(const Trace& trace, const TemporaryNames& known) {
  Result<FileSystem> initial = FileSystem::initial(trace);
  if (!initial) return tl::unexpected(initial.error());
  VersionCollector builder(std::move(*initial));
  builder.add_versions_below("", kRootNode, 0);
  for (const Operation& operation : trace.records()) {
    Status done = builder.take(operation);
    if (!done) return tl::unexpected(done.error());
  }
  return builder.finish(known);
}

}  // namespace everycrash
