// rename, link, unlink and rmdir. A name may also cross the border of the state directory: one that
// leaves it is recorded as removed; one that comes in is recorded as a nameless file that is
// written and then given its name, so that no crash state shows a moment that did not exist.

#include <fcntl.h>
#include <linux/fs.h>
#include <sys/syscall.h>

#include "harness/record/preload/calls/file_view.h"
#include "harness/record/preload/calls/handlers.h"
#include "harness/record/preload/calls/mappings.h"
#include "harness/record/preload/calls/recording.h"
#include "harness/record/preload/core/object.h"

namespace everycrash::preload {

namespace {

struct TwoNames {
  int old_directory = AT_FDCWD;
  const char* old_name = nullptr;
  int new_directory = AT_FDCWD;
  const char* new_name = nullptr;
  uint32_t flags = 0;
};

TwoNames names_of(const Call& call) {
  if (call.number == SYS_rename || call.number == SYS_link) {
    return {AT_FDCWD, call.pointer<char>(0), AT_FDCWD, call.pointer<char>(1), 0};
  }
  auto flags = call.number == SYS_renameat ? 0 : static_cast<uint32_t>(call.arguments[4]);
  return {call.descriptor(0), call.pointer<char>(1), call.descriptor(2), call.pointer<char>(3),
          flags};
}

void append_step(format::Kind kind, const Call& call, const Object& object, uint32_t flags,
                 const Payload& payload) {
  format::RecordHeader record = {};
  record.kind = static_cast<uint16_t>(kind);
  record.call = static_cast<uint16_t>(call.number);
  record.flags = flags;
  record.inode = object.inode();
  record.mode = object.status.st_mode;
  record.owner = object.status.st_uid;
  record.group = object.status.st_gid;
  record.length = record.result = static_cast<int64_t>(payload.size);
  append(record, Text{}, Text{}, payload);
}

// What a file brought along when it came into the state directory under NAME.
void append_arrival(const Call& call, const Object& object, const TwoNames& names) {
  constexpr uint32_t kNewFile = format::kNameless | format::kCreated;
  append_step(format::Kind::kOpen, call, object, kNewFile, Payload{});
  long file = raw_call(SYS_openat, names.new_directory, to_long(names.new_name),
                       O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
  auto size = static_cast<size_t>(object.status.st_size);
  {
    FileView view(static_cast<int>(file), 0, size);
    if (size > 0 && view.valid()) {
      append_step(format::Kind::kWrite, call, object, format::kUnlinked,
                  Payload{&view.bytes(), 1, size});
    } else if (size > 0) {
      append_unsupported(format::Unsupported::kOutsideRename, text_of("unreadable"),
                         static_cast<int>(call.number));
    }
  }
  if (file >= 0) raw_call(SYS_close, file);
  append_step(format::Kind::kChangeMode, call, object, format::kUnlinked, Payload{});
}

long cross_border(const Call& call, const TwoNames& names, const Object& from, const Object& to) {
  bool removes = call.number != SYS_link && call.number != SYS_linkat;
  if (from.in_state() && !removes) return kNotOurs;  // a second name elsewhere changes nothing here
  bool same = from.exists && to.exists && from.status.st_dev == to.status.st_dev &&
              from.inode() == to.inode();
  if (same) return kNotOurs;  // rename(2) of two names of one file does nothing
  const Object& inside = from.in_state() ? from : to;
  bool simple = from.exists && S_ISREG(from.status.st_mode) && (names.flags & RENAME_EXCHANGE) == 0;
  if (!simple) {
    long result = call.make();
    if (result >= 0) {
      append_unsupported(format::Unsupported::kOutsideRename, inside.path.text(),
                         static_cast<int>(call.number));
      names_changed();
    }
    return result;
  }
  if (from.in_state()) {
    Recording recording(format::Kind::kUnlink, call, from);
    recording.make();
    return recording.finish();
  }
  Recording recording(removes ? format::Kind::kRename : format::Kind::kLink, call, Text{});
  recording.set_other_path(to.path.text());
  format::RecordHeader& record = recording.record();
  record.flags = format::kUnlinked;
  record.inode = from.inode();
  record.other_inode = removes ? to.inode() : 0;
  if (recording.make() >= 0) append_arrival(call, from, names);
  return recording.finish();
}

}  // namespace

long record_rename(const Call& call) {
  TwoNames names = names_of(call);
  Object from;
  Object to;
  look_at_name(names.old_directory, names.old_name, Links::kKeep, from);
  look_at_name(names.new_directory, names.new_name, Links::kKeep, to);
  if (!from.in_state() && !to.in_state()) return kNotOurs;
  if (from.in_state() != to.in_state()) return cross_border(call, names, from, to);

  Recording recording(format::Kind::kRename, call, from);
  recording.set_other_path(to.path.text());
  recording.record().other_inode = to.inode();
  if ((names.flags & RENAME_EXCHANGE) != 0) recording.record().flags |= format::kExchange;
  if ((names.flags & RENAME_NOREPLACE) != 0) recording.record().flags |= format::kNoReplace;
  if (recording.make() >= 0 && (names.flags & RENAME_WHITEOUT) != 0) {
    append_unsupported(format::Unsupported::kUnknownCall, from.path.text(),
                       static_cast<int>(call.number));
  }
  return recording.finish();
}

long record_link(const Call& call) {
  TwoNames names = names_of(call);
  Object from;
  Object to;
  int lookup = (names.flags & AT_SYMLINK_FOLLOW) != 0 ? 0 : AT_SYMLINK_NOFOLLOW;
  lookup |= static_cast<int>(names.flags) & AT_EMPTY_PATH;
  look_at_name_with_flags(names.old_directory, names.old_name, lookup, from);
  look_at_name(names.new_directory, names.new_name, Links::kKeep, to);
  if (!from.in_state() && !to.in_state()) return kNotOurs;
  if (from.in_state() != to.in_state()) return cross_border(call, names, from, to);

  Recording recording(format::Kind::kLink, call, from);
  recording.set_other_path(to.path.text());
  recording.make();
  return recording.finish();
}

long record_unlink(const Call& call) {
  bool at = call.number == SYS_unlinkat;
  if (at && (call.arguments[2] & AT_REMOVEDIR) != 0) return record_remove_directory(call);
  Object object;
  int directory = at ? call.descriptor(0) : AT_FDCWD;
  if (!look_at_name(directory, call.pointer<char>(at ? 1 : 0), Links::kKeep, object)) {
    return kNotOurs;
  }
  Recording recording(format::Kind::kUnlink, call, object);
  long result = recording.make();
  if (result >= 0 && object.status.st_nlink == 1) forget_mapping(object.inode());
  return recording.finish();
}

long record_remove_directory(const Call& call) {
  bool at = call.number == SYS_unlinkat;
  Object object;
  int directory = at ? call.descriptor(0) : AT_FDCWD;
  if (!look_at_name(directory, call.pointer<char>(at ? 1 : 0), Links::kKeep, object)) {
    return kNotOurs;
  }
  Recording recording(format::Kind::kRemoveDirectory, call, object);
  recording.make();
  return recording.finish();
}

}  // namespace everycrash::preload
