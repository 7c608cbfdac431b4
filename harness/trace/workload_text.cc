#include "harness/trace/workload_text.h"

#include <fmt/format.h>
#include <linux/falloc.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <map>
#include <set>
#include <sstream>

#include "harness/trace/trace_writer.h"

namespace everycrash {
namespace {

constexpr uint64_t kRootInode = 2;

int64_t to_number(const std::string& text, int base = 10) {
  int64_t value = 0;
  std::from_chars(text.data(), text.data() + text.size(), value, base);
  return value;
}

/// "abc" or c*N, joined by '+'.
std::string parse_text(std::string_view text) {
  std::string bytes;
  while (!text.empty()) {
    if (text.front() == '+') text.remove_prefix(1);
    if (text.front() == '"') {
      const size_t end = text.find('"', 1);
      bytes += text.substr(1, end - 1);
      text.remove_prefix(end + 1);
    } else {
      const size_t end = std::min(text.find('+'), text.size());
      const std::string count(text.substr(2, end - 2));
      bytes.append(static_cast<size_t>(to_number(count)), text[0] == '0' ? '\0' : text[0]);
      text.remove_prefix(end);
    }
  }
  return bytes;
}

class TextRecorder {
 public:
  explicit TextRecorder(TraceWriter writer) : writer_(std::move(writer)) {
    files_["."] = {kRootInode, 0, true};
    format::RecordHeader root{};
    root.inode = kRootInode;
    root.mode = S_IFDIR | 0755;
    put(Kind::kInitial, root, "", "", "");
  }

  /// False if LINE is not understood.
  bool run(const std::string& line) {
    std::istringstream words(line);
    std::vector<std::string> word;
    for (std::string next; words >> next;) word.push_back(next);
    if (word.empty()) return true;
    word.resize(5);
    if (!is_known(word)) return false;
    return initial(word) || names(word) || content(word) || syncs(word) || other(word);
  }
  Status seal() { return writer_.seal(); }

 private:
  using Words = std::vector<std::string>;
  struct File {
    uint64_t inode = 0;
    int64_t size = 0;
    bool directory = false;
  };

  void put(Kind kind, format::RecordHeader record, std::string_view path, std::string_view other,
           std::string_view payload) {
    record.kind = static_cast<uint16_t>(kind);
    if (record.call == 0) record.call = format::kNoCall;
    const Result<uint64_t> ok =
        writer_.append(record, path == "." ? "" : path, other == "." ? "" : other, payload);
    EVERYCRASH_ASSERT(ok.has_value());
  }
  /// A record about the file that the text calls NAME.
  format::RecordHeader about(const std::string& name) {
    format::RecordHeader record{};
    record.inode = files_[name].inode;
    if (files_[name].directory) record.flags = format::kDirectory;
    return record;
  }
  /// False if the line is about a file that never was.
  [[nodiscard]] bool is_known(const Words& word) const {
    static const std::set<std::string> kNeedNone = {"initial", "initial-dir", "create", "tmpfile",
                                                    "mkdir",   "symlink",     "print",  "effect"};
    if (word[1].empty() || kNeedNone.count(word[0]) != 0) return true;
    const auto found = files_.find(word[1]);
    return found != files_.end() && found->second.inode != 0;
  }
  void make(const std::string& name, bool directory) {
    files_[name] = {next_inode_++, 0, directory};
  }

  bool initial(const Words& word) {
    if (word[0] != "initial" && word[0] != "initial-dir") return false;
    const bool directory = word[0] == "initial-dir";
    make(word[1], directory);
    const std::string text = parse_text(word[2]);
    files_[word[1]].size = static_cast<int64_t>(text.size());
    format::RecordHeader record = about(word[1]);
    record.mode = directory ? S_IFDIR | 0755 : S_IFREG | 0644;
    record.length = files_[word[1]].size;
    put(Kind::kInitial, record, word[1], "", text);
    return true;
  }

  bool names(const Words& word) {
    const std::string& verb = word[0];
    if (verb == "create" || verb == "tmpfile" || verb == "mkdir" || verb == "symlink") {
      make(word[1], verb == "mkdir");
      format::RecordHeader record = about(word[1]);
      record.mode = verb == "mkdir" ? 0755 : 0644;
      if (verb == "create") record.flags |= format::kCreated;
      if (verb == "tmpfile") record.flags |= format::kCreated | format::kNameless;
      const Kind kind = verb == "mkdir"     ? Kind::kMakeDirectory
                        : verb == "symlink" ? Kind::kSymlink
                                            : Kind::kOpen;
      put(kind, record, verb == "tmpfile" ? "" : word[1], "", verb == "symlink" ? word[2] : "");
    } else if (verb == "rename" || verb == "exchange") {
      format::RecordHeader record = about(word[1]);
      if (verb == "exchange") record.flags |= format::kExchange;
      put(Kind::kRename, record, word[1], word[2], "");
      std::swap(files_[word[1]], files_[word[2]]);
      if (files_[word[2]].directory)
        move_below(fmt::format("{}/", word[1]), fmt::format("{}/", word[2]));
    } else if (verb == "link") {
      put(Kind::kLink, about(word[1]), word[1], word[2], "");
      files_[word[2]] = files_[word[1]];
    } else if (verb == "unlink") {
      put(Kind::kUnlink, about(word[1]), word[1], "", "");
    } else if (verb == "rmdir") {
      put(Kind::kRemoveDirectory, about(word[1]), word[1], "", "");
    } else {
      return false;
    }
    return true;
  }

  void move_below(const std::string& from, const std::string& to) {
    std::map<std::string, File> moved;
    for (const auto& [name, file] : files_) {
      moved[name.starts_with(from) ? to + name.substr(from.size()) : name] = file;
    }
    files_ = std::move(moved);
  }

  bool content(const Words& word) {
    const std::string& verb = word[0];
    File& file = files_[word[1]];
    format::RecordHeader record = about(word[1]);
    if (verb == "append" || verb == "write" || verb == "osync-write" || verb == "dsync-write" ||
        verb == "map-write" || verb == "copy") {
      const bool at_end = verb == "append";
      const std::string bytes = parse_text(at_end ? word[2] : word[3]);
      record.offset = at_end ? file.size : to_number(word[2]);
      record.length = record.result = static_cast<int64_t>(bytes.size());
      if (verb == "osync-write") record.flags |= format::kSyncWrite;
      if (verb == "dsync-write") record.flags |= format::kDataSyncWrite;
      if (verb == "copy") record.call = SYS_copy_file_range;
      const bool mapped = verb == "map-write";
      if (!mapped) file.size = std::max(file.size, record.offset + record.length);
      put(mapped ? Kind::kMapWrite : Kind::kWrite, record, word[1], "", bytes);
    } else if (verb == "truncate") {
      record.length = file.size = to_number(word[2]);
      put(Kind::kTruncate, record, word[1], "", "");
    } else if (verb == "empty") {
      record.flags |= format::kTruncated;
      file.size = 0;
      put(Kind::kOpen, record, word[1], "", "");
    } else if (verb == "close") {
      put(Kind::kClose, record, word[1], "", "");
    } else if (verb == "fallocate") {
      allocate(word, record, file);
    } else {
      return false;
    }
    return true;
  }

  void allocate(const Words& word, format::RecordHeader record, File& file) {
    static const std::map<std::string, uint32_t> kModes = {
        {"grow", 0},
        {"keep", FALLOC_FL_KEEP_SIZE},
        {"punch", FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE},
        {"zero", FALLOC_FL_ZERO_RANGE},
        {"collapse", FALLOC_FL_COLLAPSE_RANGE},
        {"insert", FALLOC_FL_INSERT_RANGE}};
    record.mode = kModes.at(word[2]);
    record.offset = to_number(word[3]);
    record.length = to_number(word[4]);
    const int64_t end = record.offset + record.length;
    if (word[2] == "grow" || word[2] == "zero") file.size = std::max(file.size, end);
    if (word[2] == "collapse") file.size -= record.length;
    if (word[2] == "insert") file.size += record.length;
    put(Kind::kAllocate, record, word[1], "", "");
  }

  bool syncs(const Words& word) {
    static const std::map<std::string, Kind> kSyncs = {
        {"fsync", Kind::kFileSync},         {"failed-fsync", Kind::kFileSync},
        {"dropped-fsync", Kind::kFileSync}, {"lost-fsync", Kind::kFileSync},
        {"lost-sync", Kind::kSyncAll},      {"fdatasync", Kind::kDataSync},
        {"msync", Kind::kMapSync},          {"sync", Kind::kSyncAll},
        {"syncfs", Kind::kSyncFileSystem},  {"sync_file_range", Kind::kSyncRange}};
    const auto found = kSyncs.find(word[0]);
    if (found == kSyncs.end()) return false;
    const std::string name = word[1].empty() ? "." : word[1];
    format::RecordHeader record = about(name);
    if (word[0] == "failed-fsync" || word[0] == "dropped-fsync") record.result = -5;
    if (word[0] == "dropped-fsync") record.flags |= format::kLost;
    if (word[0].starts_with("lost-")) record.flags |= format::kLost;
    if (word[0] == "msync") {
      record.mode = MS_SYNC;
      record.length = files_[name].size;
    }
    put(found->second, record, name, "", "");
    return true;
  }

  bool other(const Words& word) {
    format::RecordHeader record = word[1].empty() ? format::RecordHeader{} : about(word[1]);
    if (word[0] == "chmod") {
      record.mode = static_cast<uint32_t>(to_number(word[2], 8));
      put(Kind::kChangeMode, record, word[1], "", "");
    } else if (word[0] == "setxattr") {
      put(Kind::kSetAttribute, record, word[1], word[2], word[3]);
    } else if (word[0] == "removexattr") {
      put(Kind::kRemoveAttribute, record, word[1], word[2], "");
    } else if (word[0] == "print") {
      put(Kind::kPrint, {}, "", "", parse_text(word[1]));
    } else if (word[0] == "effect") {
      put(Kind::kEvent, {}, "", "", "effect charge " + word[1] + "\n");
    } else {
      return false;
    }
    return true;
  }

  TraceWriter writer_;
  std::map<std::string, File> files_;
  uint64_t next_inode_ = 10;
};

}  // namespace

Result<Trace> record_text(const std::vector<std::string>& lines) {
  std::string pattern =
      (std::filesystem::temp_directory_path() / "everycrash-text-XXXXXX").string();
  const int descriptor = mkstemp(pattern.data());
  if (descriptor < 0) return system_error("cannot make a temporary file", errno);
  close(descriptor);
  struct Remover {
    std::string path;
    ~Remover() { unlink(path.c_str()); }
  } remover{pattern};
  Result<TraceWriter> writer = TraceWriter::create(pattern, 64 << 20, "/state", {1, kRootInode});
  if (!writer) return tl::unexpected(writer.error());
  TextRecorder recorder(std::move(*writer));
  for (const std::string& line : lines) {
    if (!recorder.run(line)) return fail(ErrorKind::kUsage, "not understood: " + line);
  }
  if (Status ok = recorder.seal(); !ok) return tl::unexpected(ok.error());
  return Trace::open(pattern);
}

}  // namespace everycrash
