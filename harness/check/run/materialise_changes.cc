// What a command changed in a TreeOnDisk.
#include <dirent.h>
#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <set>

#include "harness/check/run/materialise.h"

namespace everycrash {
namespace {

std::string below(const std::string& folder, const std::string& name) {
  return folder == "." ? name : folder + "/" + name;
}

/// Names in the folder at PATH; fails with errno.
bool list(int root, const std::string& path, std::set<std::string>& names) {
  const int descriptor =
      openat(root, path.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  DIR* directory = descriptor < 0 ? nullptr : fdopendir(descriptor);
  if (directory == nullptr) return false;
  while (const dirent* entry = readdir(directory)) {
    const std::string name = entry->d_name;
    if (name != "." && name != "..") names.insert(name);
  }
  closedir(directory);
  return true;
}

}  // namespace

bool TreeOnDisk::look(int root, const std::string& path, Stamp& stamp) {
  struct stat info {};
  if (fstatat(root, path.c_str(), &info, AT_SYMLINK_NOFOLLOW) != 0) return false;
  stamp = {info.st_ino, info.st_mode, info.st_nlink, info.st_size, info.st_mtim, info.st_ctim};
  return true;
}

Result<bool> TreeOnDisk::note_changes() {
  struct stat info {};
  if (root_ < 0 || fstat(root_, &info) != 0 || info.st_nlink == 0) {
    // A command removed the state directory itself.
    close(root_);
    mkdir(directory_.c_str(), 0700);
    root_ = open(directory_.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (root_ < 0) return system_error("cannot make " + directory_.string() + " again", errno);
    top_ = Folder{};
    watch_.add(directory_);
    return true;
  }
  if (watch_.quiet()) return false;
  return note_folder(".", top_);
}

Result<bool> TreeOnDisk::note_folder(const std::string& path, Folder& folder) {
  Stamp now;
  const bool same = look(root_, path, now) && now == folder.stamp;
  if (!same) {
    folder.attributes = nullptr;
    Status found = note_entries(path, folder);
    if (!found) return tl::unexpected(found.error());
  } else if (!privileged_ && (now.mode & S_IXUSR) == 0) {
    return false;  // closed to us, and to the command too, or it would have changed the mode
  }
  bool changed = !same;
  for (auto& [name, entry] : folder.entries) {
    const std::string child = below(path, name);
    if (entry.folder) {
      Result<bool> inside = note_folder(child, *entry.folder);
      if (!inside) return inside;
      changed = *inside || changed;
    } else {
      changed = note_file(child, entry) || changed;
    }
  }
  if (changed) folder.digest = {};
  return changed;
}

/// True if the file at PATH is not the one that was made there, or was changed.
bool TreeOnDisk::note_file(const std::string& path, Entry& entry) {
  Stamp now;
  if (entry.file->known && look(root_, path, now) && now == entry.file->stamp) return false;
  // The name may mean another file now, so it gets an identity of its own.
  std::erase(entry.file->paths, path);
  entry.file = std::make_shared<File>();
  entry.file->paths = {path};
  return true;
}

/// Brings the entries of FOLDER in line with the names that are there.
Status TreeOnDisk::note_entries(const std::string& path, Folder& folder) {
  std::set<std::string> names;
  bool listed = list(root_, path, names);
  if (!listed && errno == EACCES && fchmodat(root_, path.c_str(), 0700, 0) == 0) {
    folder.opened = true;
    listed = list(root_, path, names);
  }
  if (!listed) return system_error("cannot list folder " + path, errno);
  watch_.add(directory_ / path);
  for (auto entry = folder.entries.begin(); entry != folder.entries.end();) {
    struct stat info {};
    const std::string child = below(path, entry->first);
    const bool there = names.contains(entry->first) &&
                       fstatat(root_, child.c_str(), &info, AT_SYMLINK_NOFOLLOW) == 0;
    if (there && S_ISDIR(info.st_mode) == (entry->second.folder != nullptr)) {
      names.erase(entry->first);
      ++entry;
      continue;
    }
    if (entry->second.file) std::erase(entry->second.file->paths, child);
    entry = folder.entries.erase(entry);
  }
  for (const std::string& name : names) {
    Status found = discover(below(path, name), folder.entries[name]);
    if (!found) return found;
  }
  return {};
}

/// Takes in something that a command made at PATH.
Status TreeOnDisk::discover(const std::string& path, Entry& entry) {
  struct stat info {};
  if (fstatat(root_, path.c_str(), &info, AT_SYMLINK_NOFOLLOW) != 0) {
    return system_error("cannot look at " + path, errno);
  }
  if (S_ISDIR(info.st_mode)) {
    entry.folder = std::make_unique<Folder>();
    return note_entries(path, *entry.folder);
  }
  entry.file = std::make_shared<File>();
  entry.file->paths = {path};
  return {};
}

}  // namespace everycrash
