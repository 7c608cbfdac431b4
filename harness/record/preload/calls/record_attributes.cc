// chmod, chown, utimens and extended attributes, each in its forms by name and by descriptor.

#include <errno.h>
#include <fcntl.h>
#include <sys/syscall.h>

#include "harness/record/preload/calls/handlers.h"
#include "harness/record/preload/calls/recording.h"
#include "harness/record/preload/core/object.h"
#include "harness/record/preload/core/plan.h"
#include "harness/record/preload/core/user_memory.h"

namespace everycrash::preload {

namespace {

constexpr size_t kAttributeNameMax = 256;
constexpr uint32_t kUnchanged = 0xffffffff;

bool look_at_open_file(const Call& call, Object& object) {
  return look_at_descriptor(call.descriptor(0), object) && object.in_state();
}

bool look_at_path(const Call& call, Links links, Object& object) {
  return look_at_name(AT_FDCWD, call.pointer<char>(0), links, object);
}

bool look_at_relative(const Call& call, int flags, Object& object) {
  return look_at_name_with_flags(call.descriptor(0), call.pointer<char>(1), flags, object);
}

bool find_mode_target(const Call& call, Object& object) {
  switch (call.number) {
    case SYS_fchmod:
      return look_at_open_file(call, object);
    case SYS_chmod:
      return look_at_path(call, Links::kFollow, object);
    case SYS_fchmodat:
      return look_at_relative(call, 0, object);
    default:
      return look_at_relative(call, static_cast<int>(call.arguments[3]), object);
  }
}

bool find_owner_target(const Call& call, Object& object) {
  switch (call.number) {
    case SYS_fchown:
      return look_at_open_file(call, object);
    case SYS_chown:
      return look_at_path(call, Links::kFollow, object);
    case SYS_lchown:
      return look_at_path(call, Links::kKeep, object);
    default:
      return look_at_relative(call, static_cast<int>(call.arguments[4]), object);
  }
}

bool find_times_target(const Call& call, Object& object) {
  switch (call.number) {
    case SYS_utime:
    case SYS_utimes:
      return look_at_path(call, Links::kFollow, object);
    default:
      break;
  }
  if (call.arguments[1] == 0) return look_at_open_file(call, object);  // as futimens calls it
  int flags = call.number == SYS_utimensat ? static_cast<int>(call.arguments[3]) : 0;
  return look_at_relative(call, flags, object);
}

bool find_attribute_target(const Call& call, Object& object) {
  switch (call.number) {
    case SYS_fsetxattr:
    case SYS_fremovexattr:
      return look_at_open_file(call, object);
    case SYS_setxattr:
    case SYS_removexattr:
      return look_at_path(call, Links::kFollow, object);
    default:
      return look_at_path(call, Links::kKeep, object);
  }
}

void absolute_path(const Object& object, Path& absolute) {
  absolute.add(Text{session.header->root, session.header->root_size});
  absolute.add("/");
  absolute.add(object.path.text());
}

// The object as it is now. Its canonical name has no links in it, so none may be followed.
bool look_again(const Object& object, struct stat& status) {
  Path absolute;
  absolute_path(object, absolute);
  return raw_call(SYS_newfstatat, AT_FDCWD, to_long(absolute.data), to_long(&status),
                  AT_SYMLINK_NOFOLLOW) == 0 &&
         status.st_ino == object.inode();
}

bool look_again(const Call& call, const Object& object, struct stat& status) {
  if (look_again(object, status)) return true;
  return raw_call(SYS_fstat, call.arguments[0], to_long(&status)) == 0 &&
         status.st_ino == object.inode();
}

// Setting an access list changes the mode too, and one that says no more than the mode is not kept.
bool is_access_list(Text name) {
  return equal(name, text_of("system.posix_acl_access"));
}

bool has_attribute(const Object& object, const char* name) {
  Path absolute;
  absolute_path(object, absolute);
  return raw_call(SYS_lgetxattr, to_long(absolute.data), to_long(name), 0, 0) >= 0;
}

long record_access_list(const Call& call, const Object& object, const char* name) {
  long result = call.make();
  struct stat status;
  if (result < 0 || !look_again(call, object, status)) return result;
  format::RecordHeader record = {};
  record.call = static_cast<uint16_t>(call.number);
  record.inode = object.inode();
  record.flags = object.flags;
  if (status.st_mode != object.status.st_mode || !has_attribute(object, name)) {
    record.kind = static_cast<uint16_t>(format::Kind::kChangeMode);
    record.mode = status.st_mode & 07777;
    append(record, object.path.text(), Text{}, Payload{});
    stop_after(format::Kind::kChangeMode, object.path.text(), Payload{});
  }
  if (has_attribute(object, name)) {
    record.kind = static_cast<uint16_t>(format::Kind::kSetAttribute);
    iovec value = {call.pointer<void>(2), static_cast<size_t>(call.arguments[3])};
    Payload payload = {&value, 1, value.iov_len};
    append(record, object.path.text(), text_of(name), payload);
    stop_after(format::Kind::kSetAttribute, object.path.text(), payload);
  }
  return result;
}

}  // namespace

long record_change_mode(const Call& call) {
  Object object;
  if (!find_mode_target(call, object)) return kNotOurs;
  bool relative = call.number == SYS_fchmodat || call.number == calls::kFchmodat2;
  Recording recording(format::Kind::kChangeMode, call, object);
  recording.record().mode = static_cast<uint32_t>(call.arguments[relative ? 2 : 1]);
  recording.make();
  return recording.finish();
}

long record_change_owner(const Call& call) {
  Object object;
  if (!find_owner_target(call, object)) return kNotOurs;
  int first = call.number == SYS_fchownat ? 2 : 1;
  Recording recording(format::Kind::kChangeOwner, call, object);
  recording.record().owner = static_cast<uint32_t>(call.arguments[first]);
  recording.record().group = static_cast<uint32_t>(call.arguments[first + 1]);
  static_assert(kUnchanged == static_cast<uint32_t>(-1), "as chown(2) has it");
  recording.make();
  return recording.finish();
}

long record_change_times(const Call& call) {
  Object object;
  if (!find_times_target(call, object)) return kNotOurs;
  Recording recording(format::Kind::kChangeTimes, call, object);
  format::Times times = {};
  struct stat status;
  if (recording.make() >= 0 && look_again(call, object, status)) {
    times = {status.st_atim.tv_sec, status.st_atim.tv_nsec, status.st_mtim.tv_sec,
             status.st_mtim.tv_nsec};
  }
  return recording.finish(&times, sizeof times);
}

long record_set_attribute(const Call& call) {
  Object object;
  if (!find_attribute_target(call, object)) return kNotOurs;
  Buffer<kAttributeNameMax> name;
  long size = copy_string_from_user(name.data, sizeof name.data, call.pointer<char>(1));
  if (size < 0) return kNotOurs;
  Text text = {name.data, static_cast<size_t>(size)};
  if (is_access_list(text)) return record_access_list(call, object, name.data);
  Recording recording(format::Kind::kSetAttribute, call, object);
  recording.set_other_path(text);
  if (recording.make() < 0) return recording.finish();
  return recording.finish(call.pointer<void>(2), static_cast<size_t>(call.arguments[3]));
}

long record_remove_attribute(const Call& call) {
  Object object;
  if (!find_attribute_target(call, object)) return kNotOurs;
  Buffer<kAttributeNameMax> name;
  long size = copy_string_from_user(name.data, sizeof name.data, call.pointer<char>(1));
  if (size < 0) return kNotOurs;
  Recording recording(format::Kind::kRemoveAttribute, call, object);
  recording.set_other_path(Text{name.data, static_cast<size_t>(size)});
  recording.make();
  return recording.finish();
}

}  // namespace everycrash::preload
