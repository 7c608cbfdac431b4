// A real folder as a FileSystem.
#include <dirent.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <climits>
#include <map>
#include <string>
#include <vector>

#include "harness/check/run/materialise.h"

namespace everycrash {
namespace {

/// Lends this user the right to read a file or folder of its own, and takes it back.
class Access {
 public:
  Access(std::string path, mode_t mode, mode_t needed)
      : path_(std::move(path)), mode_(mode & 07777) {
    lent_ =
        geteuid() != 0 && (mode & needed) != needed && chmod(path_.c_str(), mode_ | needed) == 0;
  }
  Access(const Access&) = delete;
  Access& operator=(const Access&) = delete;
  ~Access() {
    if (lent_) chmod(path_.c_str(), mode_);
  }

 private:
  std::string path_;
  mode_t mode_;
  bool lent_;
};

class Reader {
 public:
  explicit Reader(FileSystem& tree) : tree_(tree) {}

  Status read_folder(const std::string& path, NodeId folder);
  Status read_entry(const std::string& path, NodeId parent, const std::string& name);
  static Attributes attributes_of(const std::string& path, const struct stat& info);

 private:
  Status read_content(const std::string& path, NodeId file, const struct stat& info);

  FileSystem& tree_;
  std::map<ino_t, NodeId> seen_;  // of files with several names
};

Attributes Reader::attributes_of(const std::string& path, const struct stat& info) {
  Attributes attributes;
  attributes.mode = info.st_mode;
  attributes.owner = info.st_uid;
  attributes.group = info.st_gid;
  attributes.device = info.st_rdev;
  std::array<char, XATTR_LIST_MAX> names;
  const ssize_t size = llistxattr(path.c_str(), names.data(), names.size());
  if (size <= 0) return attributes;
  const Access access(path, info.st_mode, S_IRUSR);
  for (ssize_t at = 0; at < size;) {
    const std::string name = names.data() + at;
    at += static_cast<ssize_t>(name.size()) + 1;
    std::string value(XATTR_SIZE_MAX, '\0');
    const ssize_t length = lgetxattr(path.c_str(), name.c_str(), value.data(), value.size());
    if (length < 0) continue;
    value.resize(static_cast<size_t>(length));
    attributes.extended[name] = value;
  }
  return attributes;
}

Status Reader::read_folder(const std::string& path, NodeId folder) {
  const Access access(path, tree_.node(folder).attributes->mode, S_IRUSR | S_IXUSR);
  DIR* directory = opendir(path.c_str());
  if (directory == nullptr) return system_error("cannot list " + path, errno);
  std::vector<std::string> names;
  while (const dirent* entry = readdir(directory)) names.emplace_back(entry->d_name);
  closedir(directory);
  std::sort(names.begin(), names.end());
  for (const std::string& name : names) {
    if (name == "." || name == "..") continue;
    Status done = read_entry(path + "/" + name, folder, name);
    if (!done) return done;
  }
  return {};
}

Status Reader::read_entry(const std::string& path, NodeId parent, const std::string& name) {
  struct stat info {};
  if (lstat(path.c_str(), &info) != 0) return system_error("cannot look at " + path, errno);
  const bool linked = !S_ISDIR(info.st_mode) && info.st_nlink > 1;
  if (linked) {
    const auto seen = seen_.find(info.st_ino);
    if (seen != seen_.end()) {
      tree_.set_entry(parent, tree_.name_id(name), seen->second);
      return {};
    }
  }
  std::string target;
  if (S_ISLNK(info.st_mode)) {
    target.resize(PATH_MAX);
    const ssize_t size = readlink(path.c_str(), target.data(), target.size());
    if (size < 0) return system_error("cannot read link " + path, errno);
    target.resize(static_cast<size_t>(size));
  }
  const NodeId node = tree_.create(attributes_of(path, info), target);
  tree_.set_entry(parent, tree_.name_id(name), node);
  if (linked) seen_[info.st_ino] = node;
  if (S_ISDIR(info.st_mode)) return read_folder(path, node);
  if (S_ISREG(info.st_mode)) return read_content(path, node, info);
  return {};
}

Status Reader::read_content(const std::string& path, NodeId file, const struct stat& info) {
  if (info.st_size == 0) return {};
  const Access access(path, info.st_mode, S_IRUSR);
  const int descriptor = open(path.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
  if (descriptor < 0) return system_error("cannot read " + path, errno);
  static constexpr size_t kChunk = 64 * format::kPageSize;
  std::string bytes(std::min<size_t>(kChunk, static_cast<size_t>(info.st_size)), '\0');
  int64_t offset = 0;
  ssize_t got;
  while ((got = pread(descriptor, bytes.data(), bytes.size(), offset)) > 0) {
    tree_.write(file, offset, {bytes.data(), static_cast<size_t>(got)});
    offset += got;
  }
  const int error = errno;
  close(descriptor);
  if (got < 0) return system_error("cannot read " + path, error);
  return {};
}

}  // namespace

Result<FileSystem> read_tree(const std::filesystem::path& directory) {
  FileSystem tree;
  struct stat info {};
  if (lstat(directory.c_str(), &info) != 0 || !S_ISDIR(info.st_mode)) {
    return system_error("cannot read " + directory.string(), errno != 0 ? errno : ENOTDIR);
  }
  tree.set_attributes(kRootNode, Reader::attributes_of(directory.string(), info));
  Reader reader(tree);
  Status done = reader.read_folder(directory.string(), kRootNode);
  if (!done) return tl::unexpected(done.error());
  return tree;
}

}  // namespace everycrash
