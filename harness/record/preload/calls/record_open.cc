// Calls that make something: open and its kin, mkdir, mknod, symlink, bind.

#include <errno.h>
#include <fcntl.h>
#include <linux/openat2.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/un.h>

#include "harness/record/preload/calls/handlers.h"
#include "harness/record/preload/calls/recording.h"
#include "harness/record/preload/core/object.h"
#include "harness/record/preload/core/user_memory.h"

namespace everycrash::preload {

namespace {

struct OpenRequest {
  int directory = AT_FDCWD;
  const char* name = nullptr;
  uint32_t flags = 0;
  uint32_t mode = 0;

  [[nodiscard]] bool nameless() const { return (flags & O_TMPFILE) == O_TMPFILE; }
  [[nodiscard]] bool writes() const { return (flags & O_ACCMODE) != O_RDONLY; }
  [[nodiscard]] bool changes() const {
    return writes() || (flags & (O_CREAT | O_TRUNC)) != 0 || nameless();
  }
  [[nodiscard]] Links links() const {
    bool keep = (flags & O_NOFOLLOW) != 0 || (flags & (O_CREAT | O_EXCL)) == (O_CREAT | O_EXCL);
    return keep ? Links::kKeep : Links::kFollow;
  }
};

bool read_request(const Call& call, OpenRequest& request) {
  auto flags = [&](int index) { return static_cast<uint32_t>(call.arguments[index]); };
  switch (call.number) {
    case SYS_creat:
      request = {AT_FDCWD, call.pointer<char>(0), O_WRONLY | O_CREAT | O_TRUNC, flags(1)};
      return true;
    case SYS_open:
      request = {AT_FDCWD, call.pointer<char>(0), flags(1), flags(2)};
      return true;
    case SYS_openat:
      request = {call.descriptor(0), call.pointer<char>(1), flags(2), flags(3)};
      return true;
    default:
      break;
  }
  open_how how = {};
  if (call.arguments[3] < static_cast<long>(sizeof how)) return false;
  if (!copy_from_user(&how, call.pointer<void>(2), sizeof how)) return false;
  request = {call.descriptor(0), call.pointer<char>(1), static_cast<uint32_t>(how.flags),
             static_cast<uint32_t>(how.mode)};
  return true;
}

// What was made, as it is now: the mode after the umask, the owner.
void describe_made(format::RecordHeader& record, const struct stat& status) {
  record.inode = status.st_ino;
  record.mode = status.st_mode;
  record.owner = status.st_uid;
  record.group = status.st_gid;
}

long finish_made(Recording& recording, int directory, const char* name,
                 const void* payload = nullptr, size_t size = 0) {
  struct stat status;
  if (recording.record().result >= 0 && raw_call(SYS_newfstatat, directory, to_long(name),
                                                 to_long(&status), AT_SYMLINK_NOFOLLOW) == 0) {
    describe_made(recording.record(), status);
  }
  return recording.finish(payload, size);
}

}  // namespace

long record_open(const Call& call) {
  OpenRequest request;
  if (!read_request(call, request) || !request.changes()) return kNotOurs;
  Object object;
  if (!look_at_name(request.directory, request.name, request.links(), object)) return kNotOurs;
  // Opening a FIFO may wait for its other end, and nothing that is not a file has content to lose.
  if (object.exists && !S_ISREG(object.status.st_mode) && !S_ISDIR(object.status.st_mode) &&
      !S_ISLNK(object.status.st_mode)) {
    return kNotOurs;
  }
  Recording recording(format::Kind::kOpen, call, object);
  format::RecordHeader& record = recording.record();
  record.open_flags = request.flags;
  record.mode = request.mode;
  if (request.nameless()) {
    record.flags = format::kNameless | format::kCreated;
  } else {
    if (!object.exists) record.flags |= format::kCreated;
    if (object.exists && (request.flags & O_TRUNC) != 0) record.flags |= format::kTruncated;
  }
  long result = recording.make();
  if (result < 0) {
    record.flags &= ~static_cast<uint32_t>(format::kCreated | format::kTruncated);
  } else {
    struct stat status;
    if (raw_call(SYS_fstat, result, to_long(&status)) == 0) describe_made(record, status);
    forget_descriptor(static_cast<int>(result));
  }
  return recording.finish();
}

long record_make_directory(const Call& call) {
  bool at = call.number == SYS_mkdirat;
  int directory = at ? call.descriptor(0) : AT_FDCWD;
  auto* name = call.pointer<char>(at ? 1 : 0);
  Object object;
  if (!look_at_name(directory, name, Links::kKeep, object)) return kNotOurs;
  Recording recording(format::Kind::kMakeDirectory, call, object);
  recording.record().flags = format::kDirectory;
  recording.record().mode = static_cast<uint32_t>(call.arguments[at ? 2 : 1]);
  recording.make();
  return finish_made(recording, directory, name);
}

long record_make_node(const Call& call) {
  bool at = call.number == SYS_mknodat;
  int directory = at ? call.descriptor(0) : AT_FDCWD;
  auto* name = call.pointer<char>(at ? 1 : 0);
  Object object;
  if (!look_at_name(directory, name, Links::kKeep, object)) return kNotOurs;
  Recording recording(format::Kind::kMakeNode, call, object);
  recording.record().mode = static_cast<uint32_t>(call.arguments[at ? 2 : 1]);
  recording.make();
  return finish_made(recording, directory, name);
}

long record_symlink(const Call& call) {
  bool at = call.number == SYS_symlinkat;
  int directory = at ? call.descriptor(1) : AT_FDCWD;
  auto* name = call.pointer<char>(at ? 2 : 1);
  Path target;
  long size = copy_string_from_user(target.data, sizeof target.data, call.pointer<char>(0));
  Object object;
  if (size < 0 || !look_at_name(directory, name, Links::kKeep, object)) return kNotOurs;
  Recording recording(format::Kind::kSymlink, call, object);
  recording.make();
  return finish_made(recording, directory, name, target.data, static_cast<size_t>(size));
}

long record_bind(const Call& call) {
  sockaddr_un address = {};
  auto size = static_cast<size_t>(call.arguments[2]);
  constexpr size_t kHead = offsetof(sockaddr_un, sun_path);
  if (size <= kHead || size > sizeof address) return kNotOurs;
  if (!copy_from_user(&address, call.pointer<void>(1), size)) return kNotOurs;
  if (address.sun_family != AF_UNIX || address.sun_path[0] == 0) return kNotOurs;
  char name[sizeof address.sun_path + 1] = {};
  memcpy(name, address.sun_path, size - kHead);
  Object object;
  if (!look_at_name(AT_FDCWD, name, Links::kKeep, object)) return kNotOurs;
  Recording recording(format::Kind::kMakeNode, call, object);
  recording.record().mode = S_IFSOCK;
  recording.make();
  return finish_made(recording, AT_FDCWD, name);
}

}  // namespace everycrash::preload
