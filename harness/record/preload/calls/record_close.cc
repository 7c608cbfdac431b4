// The ends of descriptors and processes: close, close_range, dup2, dup3, exit_group.

#include <dirent.h>
#include <fcntl.h>
#include <linux/close_range.h>
#include <stdint.h>
#include <sys/syscall.h>

#include "harness/record/preload/calls/handlers.h"
#include "harness/record/preload/calls/mappings.h"
#include "harness/record/preload/calls/recording.h"
#include "harness/record/preload/core/descriptors.h"
#include "harness/record/preload/core/object.h"
#include "harness/record/preload/core/plan.h"

namespace everycrash::preload {

namespace {

// True if closing DESCRIPTOR ends the use of a state file that could be written through it.
bool is_writer(int descriptor, Object& object) {
  return look_at_descriptor(descriptor, object) && object.in_state() &&
         S_ISREG(object.status.st_mode) && can_write(descriptor);
}

void append_close(const Call& call, const Object& object) {
  format::RecordHeader record = {};
  record.kind = static_cast<uint16_t>(format::Kind::kClose);
  record.call = static_cast<uint16_t>(call.number);
  record.flags = object.flags;
  record.inode = object.inode();
  append(record, object.path.text(), Text{}, Payload{});
  stop_after(format::Kind::kClose, object.path.text(), Payload{});
}

bool read_number(const char* digits, unsigned& number) {
  if (*digits < '0' || *digits > '9') return false;
  number = 0;
  for (; *digits >= '0' && *digits <= '9'; ++digits) {
    number = number * 10 + static_cast<unsigned>(*digits - '0');
  }
  return true;
}

// Appends a kClose for every writer among the descriptors FIRST to LAST.
void append_closes(const Call& call, unsigned first, unsigned last) {
  long folder =
      raw_call(SYS_openat, AT_FDCWD, to_long("/proc/self/fd"), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (folder < 0) return;
  alignas(8) char entries[4096];
  for (;;) {
    long size = raw_call(SYS_getdents64, folder, to_long(entries), sizeof entries);
    if (size <= 0) break;
    for (long at = 0; at < size;) {
      auto* entry = reinterpret_cast<dirent64*>(entries + at);
      at += entry->d_reclen;
      unsigned descriptor = 0;
      if (!read_number(entry->d_name, descriptor) || descriptor < first || descriptor > last) {
        continue;
      }
      Object object;
      if (is_writer(static_cast<int>(descriptor), object)) append_close(call, object);
    }
  }
  raw_call(SYS_close, folder);
}

}  // namespace

long record_close(const Call& call) {
  int descriptor = call.descriptor(0);
  Object object;
  if (!is_writer(descriptor, object)) return kNotOurs;
  forget_descriptor(descriptor);
  Recording recording(format::Kind::kClose, call, object);
  recording.make();
  return recording.finish();
}

long record_close_range(const Call& call) {
  auto flags = static_cast<unsigned>(call.arguments[2]);
  if ((flags & CLOSE_RANGE_CLOEXEC) == 0) {
    append_closes(call, static_cast<unsigned>(call.arguments[0]),
                  static_cast<unsigned>(call.arguments[1]));
  }
  return kNotOurs;
}

long record_duplicate(const Call& call) {
  int replaced = call.descriptor(1);
  Object object;
  if (replaced == call.descriptor(0) || !is_writer(replaced, object)) return kNotOurs;
  forget_descriptor(replaced);
  long result = call.make();
  if (result >= 0) append_close(call, object);
  return result;
}

long record_exit(const Call& call) {
  record_mapped_changes();
  format::RecordHeader record = {};
  record.kind = static_cast<uint16_t>(format::Kind::kExit);
  record.call = static_cast<uint16_t>(call.number);
  record.mode = static_cast<uint32_t>(call.arguments[0]) & 0xff;
  append(record, Text{}, Text{}, Payload{});
  return kNotOurs;
}

}  // namespace everycrash::preload
