// fsync, fdatasync, sync, syncfs, sync_file_range.

#include <sys/syscall.h>

#include "harness/record/preload/handlers.h"
#include "harness/record/preload/object.h"
#include "harness/record/preload/recording.h"

namespace everycrash::preload {

long record_file_sync(const Call& call) {
  Object object;
  if (!look_at_descriptor(call.descriptor(0), object) || !object.in_state()) return kNotOurs;
  bool data = call.number == SYS_fdatasync;
  Recording recording(data ? format::Kind::kDataSync : format::Kind::kFileSync, call, object);
  recording.make();
  return recording.finish();
}

long record_sync_all(const Call& call) {
  Recording recording(format::Kind::kSyncAll, call, Text{});
  recording.make();
  return recording.finish();
}

long record_sync_file_system(const Call& call) {
  struct stat status;
  if (raw_call(SYS_fstat, call.descriptor(0), to_long(&status)) != 0) return kNotOurs;
  if (status.st_dev != session.header->root_device) return kNotOurs;
  Recording recording(format::Kind::kSyncFileSystem, call, Text{});
  recording.make();
  return recording.finish();
}

long record_sync_range(const Call& call) {
  Object object;
  if (!look_at_descriptor(call.descriptor(0), object) || !object.in_state()) return kNotOurs;
  Recording recording(format::Kind::kSyncRange, call, object);
  format::RecordHeader& record = recording.record();
  record.offset = call.arguments[1];
  record.length = call.arguments[2];
  record.mode = static_cast<uint32_t>(call.arguments[3]);
  recording.make();
  return recording.finish();
}

}  // namespace everycrash::preload
