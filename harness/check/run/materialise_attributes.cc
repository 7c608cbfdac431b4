// Modes, owners, extended attributes and times of a TreeOnDisk.
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/xattr.h>
#include <unistd.h>

#include <cerrno>
#include <climits>

#include "harness/check/run/materialise.h"

namespace everycrash {

/// Sets what differs from HAD; everything if HAD is null.
Status TreeOnDisk::put_attributes(const std::string& path, const Attributes& wanted,
                                  const Attributes* had) {
  const bool link = S_ISLNK(wanted.mode);
  struct stat info {};
  if (had == nullptr) {
    if (fstatat(root_, path.c_str(), &info, AT_SYMLINK_NOFOLLOW) != 0) {
      return system_error("cannot look at " + path, errno);
    }
  } else {
    info.st_uid = had->owner;
    info.st_gid = had->group;
    info.st_mode = had->mode;
  }
  bool owned = false;
  if (info.st_uid != wanted.owner || info.st_gid != wanted.group) {
    owned = fchownat(root_, path.c_str(), wanted.owner, wanted.group, AT_SYMLINK_NOFOLLOW) == 0;
    if (!owned && errno != EPERM && errno != EINVAL) {
      return system_error("cannot set the owner of " + path, errno);
    }
    if (!owned) note(fmt::format("the owner of {} cannot be set without being root", path));
  }
  Status done = put_extended(path, wanted, had);
  if (!done) return done;
  // A change of owner takes set-user-ID bits away.
  const bool mode =
      had == nullptr || owned || info.st_mode != wanted.mode || had->extended != wanted.extended;
  if (!link && mode && fchmodat(root_, path.c_str(), wanted.mode & 07777, 0) != 0) {
    return system_error("cannot set the mode of " + path, errno);
  }
  return {};
}

Status TreeOnDisk::put_extended(const std::string& path, const Attributes& wanted,
                                const Attributes* had) {
  if (wanted.extended.empty() && (had != nullptr && had->extended.empty())) return {};
  // There are no *at calls for these.
  const std::string full = (directory_ / path).string();
  std::string names;
  if (had == nullptr) {
    names.resize(XATTR_LIST_MAX);
    const ssize_t size = llistxattr(full.c_str(), names.data(), names.size());
    names.resize(size < 0 ? 0 : static_cast<size_t>(size));
  } else {
    for (const auto& [name, value] : had->extended) names += name + '\0';
  }
  for (size_t at = 0; at < names.size(); at = names.find('\0', at) + 1) {
    const std::string name = names.c_str() + at;
    if (wanted.extended.contains(name)) continue;
    if (lremovexattr(full.c_str(), name.c_str()) != 0 && errno == EACCES) {
      fchmodat(root_, path.c_str(), 0700, 0);
      lremovexattr(full.c_str(), name.c_str());
    }
  }
  for (const auto& [name, value] : wanted.extended) {
    if (had != nullptr) {
      const auto before = had->extended.find(name);
      if (before != had->extended.end() && before->second == value) continue;
    }
    const auto set = [&] {
      return lsetxattr(full.c_str(), name.c_str(), value.data(), value.size(), 0) == 0;
    };
    if (set()) continue;
    // An ordinary user needs write access for it; the mode is set again after this.
    if (errno == EACCES && fchmodat(root_, path.c_str(), 0700, 0) == 0 && set()) continue;
    if (errno != EPERM && errno != EACCES && errno != ENOTSUP) {
      return system_error(fmt::format("cannot set attribute {} of {}", name, path), errno);
    }
    note(fmt::format("attribute {} of {} cannot be set here", name, path));
  }
  return {};
}

/// Gives everything that was touched its time, and looks at it to know it again. Files come first:
/// the mode of a folder may forbid to reach them.
Status TreeOnDisk::finish(const FileSystem& tree) {
  for (const std::shared_ptr<File>& file : touched_) {
    if (file->paths.empty() || !file->known) continue;
    Status done = stamp(file->paths.front(), *file->attributes, file->stamp);
    if (!done) return done;
  }
  for (auto item = finishing_.rbegin(); item != finishing_.rend(); ++item) {
    Folder& folder = *item->folder;
    const Node& node = tree.node(item->node);
    const bool same = folder.attributes && *folder.attributes == *node.attributes && !folder.opened;
    Status done;
    if (!same) done = put_attributes(item->path, *node.attributes, nullptr);
    if (done) done = stamp(item->path, *node.attributes, folder.stamp);
    if (!done) return done;
    folder.opened = false;
    folder.attributes = node.attributes;
    folder.digest = node.digest;
  }
  return {};
}

Status TreeOnDisk::stamp(const std::string& path, const Attributes& attributes, Stamp& stamp) {
  struct timespec times[2] = {mark_, mark_};
  if (attributes.times) {
    times[0] = {attributes.times->access_s, attributes.times->access_ns};
    times[1] = {attributes.times->modify_s, attributes.times->modify_ns};
  }
  if (utimensat(root_, path.c_str(), times, AT_SYMLINK_NOFOLLOW) != 0 ||
      !look(root_, path, stamp)) {
    return system_error("cannot set the time of " + path, errno);
  }
  return {};
}

Status TreeOnDisk::refresh_times(const std::string& path, Folder& folder) {
  for (auto& [name, entry] : folder.entries) {
    const std::string child = path == "." ? name : path + "/" + name;
    Status done;
    if (entry.folder) {
      done = refresh_times(child, *entry.folder);
    } else if (entry.file->known) {
      done = stamp(child, *entry.file->attributes, entry.file->stamp);
    }
    // Behind a folder that forbids it to an ordinary user, old times stay: no command sees them.
    if (!done && !privileged_) continue;
    if (!done) return done;
  }
  return stamp(path, *folder.attributes, folder.stamp);
}

}  // namespace everycrash
