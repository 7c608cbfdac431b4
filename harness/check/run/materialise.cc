// How a folder becomes the next state:
//
// 1. arrange: walk both trees down, skipping folders with equal digests; remove what is not wanted,
//    make folders, and list the files that differ. After this all wanted folders exist.
// 2. place: bring each listed file into its state, in place where it is the same kind of thing:
//    only pages whose digests differ are written. A file with several names is placed at all of
//    them at once, so that the other names need no visit.
// 3. finish: set modes and times of folders, deepest first, since changing their contents needs
//    access to them and changes their times; then look at everything that was touched, to know it
//    again in note_changes().
#include "harness/check/run/materialise.h"

#include <dirent.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <ctime>

#include "harness/base/path_text.h"

namespace everycrash {
namespace {

constexpr mode_t kAccess = 0700;
/// Times are renewed after this, so that files never look older than a fresh crash.
constexpr time_t kFreshSeconds = 20;
/// Tells our own times from the kernel's, which are as coarse as a clock tick.
constexpr long kMarkNs = 123'456'789;

std::string join(const std::string& folder, std::string_view name) {
  return folder == "." ? std::string(name) : fmt::format("{}/{}", folder, name);
}

/// The path that the *at calls take for a path from the root of a tree.
std::string disk_path(const std::string& path) {
  return path.empty() ? "." : path;
}

bool same_time(const struct timespec& a, const struct timespec& b) {
  return a.tv_sec == b.tv_sec && a.tv_nsec == b.tv_nsec;
}

}  // namespace

bool TreeOnDisk::Stamp::operator==(const Stamp& other) const {
  return inode == other.inode && mode == other.mode && links == other.links && size == other.size &&
         same_time(modified, other.modified) && same_time(changed, other.changed);
}

TreeOnDisk::TreeOnDisk(std::filesystem::path directory)
    : directory_(std::move(directory)), privileged_(geteuid() == 0) {
  root_ = open(directory_.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
}

TreeOnDisk::~TreeOnDisk() {
  if (root_ >= 0) close(root_);
}

Status TreeOnDisk::become(const FileSystem& tree) {
  Status done = become_from_known(tree);
  pending_.clear();
  finishing_.clear();
  touched_.clear();
  placed_.clear();
  watch_.quiet();  // forgets what was done here
  if (!done) {
    // Half way in, nothing is certain: find out what is there, all of it unknown.
    top_ = Folder{};
    Status found = note_entries(".", top_);
    if (!found) return found;
  }
  return done;
}

Status TreeOnDisk::become_from_known(const FileSystem& tree) {
  if (root_ < 0) return system_error("cannot open " + directory_.string(), ENOENT);
  if (!looked_) {
    Status found = note_entries(".", top_);
    if (!found) return found;
    looked_ = true;
  }
  struct timespec now {};
  clock_gettime(CLOCK_REALTIME, &now);
  const bool stale = now.tv_sec - mark_.tv_sec > kFreshSeconds || now.tv_sec < mark_.tv_sec;
  if (stale) mark_ = {now.tv_sec - 1, kMarkNs};

  Status done = arrange(tree, ".", kRootNode, top_);
  for (size_t i = 0; done && i < pending_.size(); ++i) done = place(tree, pending_[i]);
  if (done) done = finish(tree);
  if (done && stale) done = refresh_times(".", top_);
  return done;
}

Status TreeOnDisk::arrange(const FileSystem& tree, const std::string& path, NodeId id,
                           Folder& folder) {
  const Node& node = tree.node(id);
  if (folder.digest == node.digest) return {};
  Status done = open_up(path, folder);
  if (!done) return done;
  finishing_.push_back({path, &folder, id});

  for (auto entry = folder.entries.begin(); entry != folder.entries.end();) {
    const std::optional<uint32_t> name = tree.known_name(entry->first);
    const auto wanted = name ? node.entries.find(*name) : node.entries.end();
    const bool keep = wanted != node.entries.end() &&
                      tree.node(wanted->second).is_directory() == (entry->second.folder != nullptr);
    if (!keep) {
      done = remove(join(path, entry->first), entry->second);
      if (!done) return done;
      entry = folder.entries.erase(entry);
    } else {
      ++entry;
    }
  }
  for (const auto& [name, child] : node.entries) {
    const std::string& text = tree.name(name);
    if (tree.node(child).is_directory()) {
      Entry& entry = folder.entries[text];
      const std::string child_path = join(path, text);
      if (!entry.folder) {
        if (mkdirat(root_, child_path.c_str(), kAccess) != 0) {
          return system_error("cannot make folder " + child_path, errno);
        }
        entry.folder = std::make_unique<Folder>();
        watch_.add(directory_ / child_path);
      }
      done = arrange(tree, child_path, child, *entry.folder);
      if (!done) return done;
      continue;
    }
    const auto entry = folder.entries.find(text);
    if (entry != folder.entries.end() && entry->second.file->known &&
        entry->second.file->digest == tree.node(child).digest) {
      continue;
    }
    pending_.push_back({join(path, text), child});
  }
  return {};
}

/// An ordinary user must be allowed to list and change a folder before it can be arranged.
Status TreeOnDisk::open_up(const std::string& path, Folder& folder) {
  if (privileged_ || folder.opened) return {};
  if (folder.attributes && (folder.attributes->mode & kAccess) == kAccess) return {};
  if (fchmodat(root_, path.c_str(), kAccess, 0) != 0) {
    return system_error("cannot get access to folder " + path, errno);
  }
  folder.opened = true;
  return {};
}

Status TreeOnDisk::remove(const std::string& path, Entry& entry) {
  if (entry.file) return remove_name(path, entry.file);
  Status done = open_up(path, *entry.folder);
  if (!done) return done;
  for (auto& [name, child] : entry.folder->entries) {
    done = remove(join(path, name), child);
    if (!done) return done;
  }
  if (unlinkat(root_, path.c_str(), AT_REMOVEDIR) != 0 && errno != ENOENT) {
    return system_error("cannot remove folder " + path, errno);
  }
  return {};
}

Status TreeOnDisk::remove_name(const std::string& path, const std::shared_ptr<File>& file) {
  if (unlinkat(root_, path.c_str(), 0) != 0 && errno != ENOENT) {
    return system_error("cannot remove " + path, errno);
  }
  std::erase(file->paths, path);
  if (!file->paths.empty()) touched_.push_back(file);
  return {};
}

TreeOnDisk::Entry* TreeOnDisk::find(std::string_view path, Folder** parent) {
  Folder* folder = &top_;
  while (true) {
    const size_t slash = path.find('/');
    const auto entry = folder->entries.find(path.substr(0, slash));
    if (slash == std::string_view::npos) {
      if (parent != nullptr) *parent = folder;
      return entry == folder->entries.end() ? nullptr : &entry->second;
    }
    if (entry == folder->entries.end() || !entry->second.folder) return nullptr;
    folder = entry->second.folder.get();
    path.remove_prefix(slash + 1);
  }
}

bool TreeOnDisk::reusable(const File& file, const Node& node) {
  if (!file.known) return false;
  const uint32_t had = file.attributes->mode & S_IFMT;
  return had == (node.attributes->mode & S_IFMT) && file.target == node.target &&
         file.attributes->device == node.attributes->device;
}

Status TreeOnDisk::place(const FileSystem& tree, const Pending& pending) {
  const Node& node = tree.node(pending.node);
  if (node.links.size() > 1) return place_linked(tree, pending);
  Folder* parent = nullptr;
  const Entry* entry = find(pending.path, &parent);
  if (entry != nullptr && entry->file->paths.size() == 1 && reusable(*entry->file, node)) {
    return update(tree, pending.node, entry->file);
  }
  if (entry != nullptr) {
    Status removed = remove_name(pending.path, entry->file);
    if (!removed) return removed;
  }
  return create(tree, pending.path, pending.node,
                parent->entries[std::string(base_name(pending.path))].file);
}

Status TreeOnDisk::place_linked(const FileSystem& tree, const Pending& pending) {
  if (placed_.contains(pending.node)) return {};
  const Node& node = tree.node(pending.node);
  std::vector<std::string> wanted;
  for (const Node::Link& link : node.links) {
    const std::optional<std::string> folder = tree.path_of(link.parent);
    if (folder) wanted.push_back(join(disk_path(*folder), tree.name(link.name)));
  }
  const auto is_wanted = [&](const std::string& path) {
    return std::find(wanted.begin(), wanted.end(), path) != wanted.end();
  };
  std::shared_ptr<File> file;
  for (const std::string& path : wanted) {
    const Entry* entry = find(path);
    if (entry == nullptr || !entry->file || !reusable(*entry->file, node)) continue;
    if (std::all_of(entry->file->paths.begin(), entry->file->paths.end(), is_wanted)) {
      file = entry->file;
      break;
    }
  }
  Status done;
  if (file) done = update(tree, pending.node, file);
  for (const std::string& path : wanted) {
    if (!done) return done;
    Folder* parent = nullptr;
    const Entry* entry = find(path, &parent);
    if (entry != nullptr && file && entry->file == file) continue;
    done =
        open_up(path.find('/') == std::string::npos ? "." : std::string(folder_of(path)), *parent);
    if (done && entry != nullptr) done = remove_name(path, entry->file);
    if (!done) return done;
    std::shared_ptr<File>& slot = parent->entries[std::string(base_name(path))].file;
    if (!file) {
      done = create(tree, path, pending.node, slot);
      file = slot;
    } else if (linkat(root_, file->paths.front().c_str(), root_, path.c_str(), 0) == 0) {
      slot = file;
      file->paths.push_back(path);
      touched_.push_back(file);
    } else {
      done = system_error("cannot link " + path, errno);
    }
  }
  placed_[pending.node] = file;
  return done;
}

Status TreeOnDisk::create(const FileSystem& tree, const std::string& path, NodeId id,
                          std::shared_ptr<File>& made) {
  const Node& node = tree.node(id);
  const mode_t type = node.attributes->mode & S_IFMT;
  int failed = 0;
  if (type == S_IFLNK) {
    failed = symlinkat(node.target.c_str(), root_, path.c_str());
  } else if (type == S_IFREG) {
    const int file = openat(root_, path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    failed = file < 0 ? -1 : close(file);
  } else {
    failed = mknodat(root_, path.c_str(), type | 0600, node.attributes->device);
    if (failed != 0 && errno == EPERM) {
      note(fmt::format("{} is a device, which only root can make; it is missing in crash states",
                       path));
      made = std::make_shared<File>();
      made->paths = {path};
      return {};
    }
  }
  if (failed != 0) return system_error("cannot make " + path, errno);
  made = std::make_shared<File>();
  made->known = true;
  made->paths = {path};
  made->target = node.target;
  struct stat info {};
  if (fstatat(root_, path.c_str(), &info, AT_SYMLINK_NOFOLLOW) != 0) {
    return system_error("cannot look at " + path, errno);
  }
  Attributes attributes;
  attributes.mode = info.st_mode;
  attributes.owner = info.st_uid;
  attributes.group = info.st_gid;
  attributes.device = node.attributes->device;
  made->attributes = std::make_shared<Attributes>(attributes);
  return update(tree, id, made);
}

Status TreeOnDisk::update(const FileSystem& tree, NodeId id, const std::shared_ptr<File>& file) {
  const Node& node = tree.node(id);
  const std::string& path = file->paths.front();
  Status done;
  file->known = false;  // until it is whole
  if (node.is_file()) done = write_pages(path, node, *file);
  // A write takes set-user-ID bits away, so modes come after it.
  const bool special = (node.attributes->mode & (S_ISUID | S_ISGID)) != 0;
  if (done && (special || !(*file->attributes == *node.attributes))) {
    done = put_attributes(path, *node.attributes, special ? nullptr : file->attributes.get());
  }
  if (!done) return done;
  file->known = true;
  file->attributes = node.attributes;
  file->digest = node.digest;
  touched_.push_back(file);
  return {};
}

Status TreeOnDisk::write_pages(const std::string& path, const Node& node, File& file) {
  constexpr auto kPage = static_cast<int64_t>(format::kPageSize);
  std::vector<std::pair<uint64_t, const Page*>> changed;  // nullptr = zeros
  for (const auto& [number, digest] : file.pages) {
    if (!node.pages.contains(number) && static_cast<int64_t>(number) * kPage < node.size) {
      changed.emplace_back(number, nullptr);
    }
  }
  for (const auto& [number, held] : node.pages) {
    const auto had = file.pages.find(number);
    if (had == file.pages.end() || had->second != held.digest) {
      changed.emplace_back(number, held.page.get());
    }
  }
  if (changed.empty() && file.size == node.size) return {};

  int descriptor = openat(root_, path.c_str(), O_WRONLY | O_NOFOLLOW | O_CLOEXEC);
  if (descriptor < 0 && errno == EACCES) {
    auto opened = std::make_shared<Attributes>(*file.attributes);
    opened->mode |= S_IRUSR | S_IWUSR;
    fchmodat(root_, path.c_str(), opened->mode & 07777, 0);
    file.attributes = std::move(opened);
    descriptor = openat(root_, path.c_str(), O_WRONLY | O_NOFOLLOW | O_CLOEXEC);
  }
  if (descriptor < 0) return system_error("cannot open " + path, errno);
  static constexpr Page kZeros{};
  bool done = file.size == node.size || ftruncate(descriptor, node.size) == 0;
  for (const auto& [number, page] : changed) {
    const int64_t start = static_cast<int64_t>(number) * kPage;
    const int64_t size = std::min(kPage, node.size - start);
    if (size <= 0) continue;
    const Page& bytes = page != nullptr ? *page : kZeros;
    done = done && pwrite(descriptor, bytes.data(), static_cast<size_t>(size), start) == size;
  }
  const int error = errno;
  close(descriptor);
  if (!done) return system_error("cannot write " + path, error);
  file.size = node.size;
  file.pages.clear();
  for (const auto& [number, held] : node.pages) file.pages.emplace(number, held.digest);
  return {};
}

void TreeOnDisk::note(const std::string& text) {
  if (std::find(notes_.begin(), notes_.end(), text) == notes_.end()) notes_.push_back(text);
}

}  // namespace everycrash
