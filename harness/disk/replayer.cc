#include "harness/disk/replayer.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/xattr.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>

namespace everycrash {
namespace {

constexpr const char* kArriving = ".everycrash-arriving";

Status refused(const Operation& operation, int error) {
  if (error == ENOSPC) {
    return fail(ErrorKind::kUsage,
                fmt::format("the disk in memory is too small for what was recorded: {}\n"
                            "Give it more MiB with --disk-size.",
                            describe(operation)));
  }
  const ErrorKind kind = error == EOPNOTSUPP ? ErrorKind::kUnavailable : ErrorKind::kHarness;
  return fail(kind, fmt::format("a real file system refuses what was recorded: {}: {}",
                                describe(operation), strerrordesc_np(error)));
}

Status outcome(const Operation& operation, long result) {
  if (result < 0) return refused(operation, errno);
  return {};
}

/// A recorded path for a call relative to the state directory.
std::string relative(std::string_view path) {
  return path.empty() ? "." : std::string(path);
}

}  // namespace

Replayer::Replayer(const Trace& trace, FileSystem start, std::filesystem::path directory)
    : stage_(std::move(start)),
      directory_(std::move(directory)),
      root_(open(directory_.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC)),
      umask_(umask(0)) {
  for (const Operation& record : trace.records()) {
    if (is_operation(record.kind)) last_use_[record.inode] = record.sequence;
  }
}

Replayer::~Replayer() {
  for (const auto& [inode, files] : open_) {
    for (const int file : files) close(file);
  }
  if (root_ >= 0) close(root_);
  umask(umask_);
}

std::string Replayer::path_of(uint64_t inode) const {
  const NodeId node = stage_.by_inode(inode);
  if (node == kNoNode) return "";
  const std::optional<std::string> path = stage_.path_of(node);
  return path ? relative(*path) : "";
}

int Replayer::descriptor(uint64_t inode) {
  const auto found = open_.find(inode);
  if (found != open_.end() && !found->second.empty()) return found->second.back();
  const std::string path = path_of(inode);
  if (path.empty()) return -1;
  const int file = openat(root_, path.c_str(), O_RDWR | O_NOFOLLOW | O_CLOEXEC);
  if (file >= 0) open_[inode].push_back(file);
  return file;
}

int Replayer::borrowed(uint64_t inode, bool& temporary) const {
  temporary = false;
  const auto found = open_.find(inode);
  if (found != open_.end() && !found->second.empty()) return found->second.back();
  const std::string path = path_of(inode);
  if (path.empty()) return -1;
  temporary = true;
  return openat(root_, path.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
}

Status Replayer::apply(const Operation& operation) {
  if (operation.failed() || !is_operation(operation.kind)) return {};
  hold_what_loses_its_name(operation);
  Status done = change(operation);
  if (!done) return done;
  return stage_.apply(operation);
}

/// A file that is written or synced after its last name went was open all the time; it may have
/// been opened before the recording, or only to read.
void Replayer::hold_what_loses_its_name(const Operation& operation) {
  std::string_view path;
  if (operation.kind == Kind::kUnlink) path = operation.path;
  if (operation.kind == Kind::kRename) path = operation.other_path;
  const NodeId node = path.empty() ? kNoNode : stage_.find(path);
  if (node == kNoNode || !stage_.node(node).is_file()) return;
  for (const auto& [inode, last] : last_use_) {
    if (last > operation.sequence && stage_.by_inode(inode) == node) {
      static_cast<void>(descriptor(inode));
    }
  }
}

Status Replayer::change(const Operation& operation) {
  const std::string path = relative(operation.path);
  // A file without a name that was opened before the recording: nothing can be seen of it.
  if (changes_content(operation.kind) && descriptor(operation.inode) < 0) return {};
  switch (operation.kind) {
    case Kind::kOpen:
      return open_file(operation);
    case Kind::kClose: {
      std::vector<int>& files = open_[operation.inode];
      if (files.empty()) return {};
      close(files.back());
      files.pop_back();
      return {};
    }
    case Kind::kWrite:
      return write(operation);
    case Kind::kMapWrite:
      return map_write(operation);
    case Kind::kTruncate:
      return outcome(operation, ftruncate(descriptor(operation.inode), operation.length));
    case Kind::kAllocate:
      return outcome(operation,
                     fallocate(descriptor(operation.inode), static_cast<int>(operation.mode),
                               operation.offset, operation.length));
    case Kind::kRename:
      return rename(operation);
    case Kind::kLink:
      return link(operation);
    case Kind::kUnlink:
      return outcome(operation, unlinkat(root_, path.c_str(), 0));
    case Kind::kRemoveDirectory:
      if (operation.path.empty()) return {};  // the state directory itself is mounted
      return outcome(operation, unlinkat(root_, path.c_str(), AT_REMOVEDIR));
    case Kind::kSymlink:
    case Kind::kMakeDirectory:
    case Kind::kMakeNode:
      return make(operation);
    default:
      return is_sync(operation.kind) ? sync(operation) : attribute(operation);
  }
}

void Replayer::take_ownership(const Operation& operation, int file) const {
  if (operation.owner == geteuid() && operation.group == getegid()) return;
  static_cast<void>(fchown(file, operation.owner, operation.group) == 0);
}

Status Replayer::open_file(const Operation& operation) {
  const bool created = operation.has(format::kCreated);
  if (!created && !operation.has(format::kTruncated)) {
    // A further opening of a file that is there; its closing may mean something.
    if ((operation.open_flags & O_ACCMODE) == O_RDONLY) return {};
    const std::string path = path_of(operation.inode);
    const int file =
        path.empty() ? -1 : openat(root_, path.c_str(), O_RDWR | O_NOFOLLOW | O_CLOEXEC);
    if (file >= 0) open_[operation.inode].push_back(file);
    return {};
  }
  int flags = O_RDWR | O_CLOEXEC | O_NOFOLLOW;
  if (operation.has(format::kNameless)) {
    flags = O_RDWR | O_CLOEXEC | O_TMPFILE;
  } else if (created) {
    flags |= O_CREAT | O_EXCL;
  } else {
    flags |= O_TRUNC;
  }
  const std::string path = relative(operation.path);
  const int file = openat(root_, path.c_str(), flags, operation.mode & 07777);
  if (file < 0) return refused(operation, errno);
  open_[operation.inode].push_back(file);
  if (created) take_ownership(operation, file);
  return {};
}

Status Replayer::write(const Operation& operation) {
  const int file = descriptor(operation.inode);
  if (operation.call == SYS_copy_file_range && operation.other_inode != 0) {
    bool temporary = false;
    const int source = borrowed(operation.other_inode, temporary);
    off64_t from = operation.other_offset, to = operation.offset;
    const ssize_t copied =
        source < 0 ? -1 : copy_file_range(source, &from, file, &to, operation.payload.size(), 0);
    if (temporary && source >= 0) close(source);
    if (copied == static_cast<ssize_t>(operation.payload.size())) return {};
  }
  int flags = 0;
  if (operation.has(format::kSyncWrite)) flags |= RWF_SYNC;
  if (operation.has(format::kDataSyncWrite)) flags |= RWF_DSYNC;
  iovec bytes{const_cast<char*>(operation.payload.data()), operation.payload.size()};
  off_t offset = operation.offset;
  while (bytes.iov_len > 0) {
    const ssize_t put = pwritev2(file, &bytes, 1, offset, flags);
    if (put <= 0) return refused(operation, put == 0 ? ENOSPC : errno);
    bytes.iov_base = static_cast<char*>(bytes.iov_base) + put;
    bytes.iov_len -= static_cast<size_t>(put);
    offset += put;
  }
  return {};
}

Status Replayer::map_write(const Operation& operation) {
  const int file = descriptor(operation.inode);
  const auto page = static_cast<off_t>(format::kPageSize);
  const off_t begin = operation.offset / page * page;
  const size_t length = static_cast<size_t>(operation.offset - begin) + operation.payload.size();
  if (length == 0) return {};
  void* mapped = mmap(nullptr, length, PROT_READ | PROT_WRITE, MAP_SHARED, file, begin);
  if (mapped == MAP_FAILED) return refused(operation, errno);
  std::memcpy(static_cast<char*>(mapped) + (operation.offset - begin), operation.payload.data(),
              operation.payload.size());
  munmap(mapped, length);
  return {};
}

Status Replayer::rename(const Operation& operation) {
  const std::string from = relative(operation.path), to = relative(operation.other_path);
  if (operation.has(format::kUnlinked)) {
    // From outside the state directory; the file was made without a name before.
    const std::string file = fmt::format("/proc/self/fd/{}", descriptor(operation.inode));
    if (linkat(AT_FDCWD, file.c_str(), root_, kArriving, AT_SYMLINK_FOLLOW) != 0) {
      return refused(operation, errno);
    }
    return outcome(operation, renameat(root_, kArriving, root_, to.c_str()));
  }
  unsigned flags = 0;
  if (operation.has(format::kExchange)) flags |= RENAME_EXCHANGE;
  if (operation.has(format::kNoReplace)) flags |= RENAME_NOREPLACE;
  return outcome(operation, renameat2(root_, from.c_str(), root_, to.c_str(), flags));
}

Status Replayer::link(const Operation& operation) {
  const std::string to = relative(operation.other_path);
  if (operation.has(format::kUnlinked) || path_of(operation.inode).empty()) {
    const std::string file = fmt::format("/proc/self/fd/{}", descriptor(operation.inode));
    return outcome(operation, linkat(AT_FDCWD, file.c_str(), root_, to.c_str(), AT_SYMLINK_FOLLOW));
  }
  const std::string from = relative(operation.path);
  return outcome(operation, linkat(root_, from.c_str(), root_, to.c_str(), 0));
}

Status Replayer::make(const Operation& operation) {
  const std::string path = relative(operation.path);
  long made = 0;
  if (operation.kind == Kind::kSymlink) {
    made = symlinkat(std::string(operation.payload).c_str(), root_, path.c_str());
  } else if (operation.kind == Kind::kMakeDirectory) {
    made = mkdirat(root_, path.c_str(), operation.mode & 07777);
  } else {
    made = mknodat(root_, path.c_str(), operation.mode, 0);
  }
  if (made == 0 && (operation.owner != geteuid() || operation.group != getegid())) {
    made = fchownat(root_, path.c_str(), operation.owner, operation.group, AT_SYMLINK_NOFOLLOW);
  }
  return outcome(operation, made);
}

Status Replayer::sync(const Operation& operation) {
  if (operation.has(format::kLost)) return {};
  if (syncs_all(operation.kind)) {
    return outcome(operation, syncfs(root_));
  }
  bool temporary = false;
  const int file = borrowed(operation.inode, temporary);
  if (file < 0) return {};  // a file without a name that was opened to read: nothing can be seen
  int result = 0;
  if (operation.kind == Kind::kDataSync) {
    result = fdatasync(file);
  } else if (operation.kind == Kind::kSyncRange) {
    result = sync_file_range(file, operation.offset, operation.length, operation.mode);
  } else if (operation.kind == Kind::kMapSync && (operation.mode & MS_SYNC) == 0) {
    result = 0;
  } else {
    result = fsync(file);
  }
  const int error = errno;
  if (temporary) close(file);
  errno = error;
  return outcome(operation, result);
}

Status Replayer::attribute(const Operation& operation) {
  const std::string path = path_of(operation.inode);
  if (path.empty()) return {};
  const std::string full = (directory_ / path).string();
  const std::string name(operation.other_path);
  switch (operation.kind) {
    case Kind::kChangeMode:
      return outcome(operation, fchmodat(root_, path.c_str(), operation.mode & 07777, 0));
    case Kind::kChangeOwner:
      return outcome(operation, fchownat(root_, path.c_str(), operation.owner, operation.group,
                                         AT_SYMLINK_NOFOLLOW));
    case Kind::kChangeTimes: {
      format::Times times{};
      std::memcpy(&times, operation.payload.data(),
                  std::min(sizeof times, operation.payload.size()));
      const timespec wanted[] = {{times.access_s, times.access_ns},
                                 {times.modify_s, times.modify_ns}};
      return outcome(operation, utimensat(root_, path.c_str(), wanted, AT_SYMLINK_NOFOLLOW));
    }
    case Kind::kSetAttribute:
      return outcome(operation, lsetxattr(full.c_str(), name.c_str(), operation.payload.data(),
                                          operation.payload.size(), 0));
    case Kind::kRemoveAttribute:
      return outcome(operation, lremovexattr(full.c_str(), name.c_str()));
    default:
      return {};
  }
}

Status Replayer::write_back(uint64_t inode) {
  bool temporary = false;
  const int file = borrowed(inode, temporary);
  if (file < 0) return {};
  const int result = sync_file_range(
      file, 0, 0, SYNC_FILE_RANGE_WAIT_BEFORE | SYNC_FILE_RANGE_WRITE | SYNC_FILE_RANGE_WAIT_AFTER);
  const int error = errno;
  if (temporary) close(file);
  if (result != 0 && error != ESPIPE) return system_error("cannot write a file back", error);
  return {};
}

}  // namespace everycrash
