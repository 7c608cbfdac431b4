// fsync, fdatasync, sync, syncfs, sync_file_range.

#include <sys/syscall.h>

#include "harness/record/preload/calls/handlers.h"
#include "harness/record/preload/calls/recording.h"
#include "harness/record/preload/core/object.h"

namespace everycrash::preload {

namespace {

constexpr long kRangeFlags = 7;  // all that sync_file_range knows

// CALL without its effect: a sync_file_range that is asked to do nothing still says what is wrong
// with a descriptor or a range.
Call without_effect(const Call& call) {
  Call harmless = call;
  if (call.number == SYS_sync) {
    harmless.number = SYS_sched_yield;  // always 0, like sync itself
  } else if (call.number != SYS_sync_file_range) {
    harmless.number = SYS_sync_file_range;
    for (int i = 1; i <= 3; ++i) harmless.arguments[i] = 0;
  } else if ((call.arguments[3] & ~kRangeFlags) == 0) {
    harmless.arguments[3] = 0;
  }
  return harmless;
}

long sync_and_finish(Recording& recording, const Call& call) {
  recording.make_or_lose(without_effect(call));
  return recording.finish();
}

}  // namespace

long record_file_sync(const Call& call) {
  Object object;
  if (!look_at_descriptor(call.descriptor(0), call.status, object) || !object.in_state()) {
    return kNotOurs;
  }
  bool data = call.number == SYS_fdatasync;
  format::Kind kind = data ? format::Kind::kDataSync : format::Kind::kFileSync;
  Recording recording(kind, call, object);
  return sync_and_finish(recording, call);
}

long record_sync_all(const Call& call) {
  Recording recording(format::Kind::kSyncAll, call, Text{});
  return sync_and_finish(recording, call);
}

long record_sync_file_system(const Call& call) {
  struct stat status;
  if (raw_call(SYS_fstat, call.descriptor(0), to_long(&status)) != 0) return kNotOurs;
  if (status.st_dev != session.header->root_device) return kNotOurs;
  Recording recording(format::Kind::kSyncFileSystem, call, Text{});
  return sync_and_finish(recording, call);
}

long record_sync_range(const Call& call) {
  Object object;
  if (!look_at_descriptor(call.descriptor(0), call.status, object) || !object.in_state()) {
    return kNotOurs;
  }
  Recording recording(format::Kind::kSyncRange, call, object);
  format::RecordHeader& record = recording.record();
  record.offset = call.arguments[1];
  record.length = call.arguments[2];
  record.mode = static_cast<uint32_t>(call.arguments[3]);
  return sync_and_finish(recording, call);
}

}  // namespace everycrash::preload
