// truncate, ftruncate, fallocate.

#include <fcntl.h>

#include "harness/record/preload/calls/handlers.h"
#include "harness/record/preload/calls/recording.h"
#include "harness/record/preload/core/object.h"

namespace everycrash::preload {

long record_truncate(const Call& call) {
  Object object;
  if (!look_at_name(AT_FDCWD, call.pointer<char>(0), Links::kFollow, object)) return kNotOurs;
  Recording recording(format::Kind::kTruncate, call, object);
  recording.record().length = call.arguments[1];
  recording.make();
  return recording.finish();
}

long record_truncate_open_file(const Call& call) {
  Object object;
  if (!look_at_descriptor(call.descriptor(0), object) || !object.in_state()) return kNotOurs;
  Recording recording(format::Kind::kTruncate, call, object);
  recording.record().length = call.arguments[1];
  recording.make();
  return recording.finish();
}

long record_allocate(const Call& call) {
  Object object;
  if (!look_at_descriptor(call.descriptor(0), object) || !object.in_state()) return kNotOurs;
  Recording recording(format::Kind::kAllocate, call, object);
  format::RecordHeader& record = recording.record();
  record.mode = static_cast<uint32_t>(call.arguments[1]);
  record.offset = call.arguments[2];
  record.length = call.arguments[3];
  recording.make();
  return recording.finish();
}

}  // namespace everycrash::preload
