// Locks that are asked for. They change nothing and are no operations; but who reads a file before
// it has the lock, or between two, does harm only if another comes in between. So where instances
// take turns, they stand still there too.

#include <fcntl.h>
#include <sys/file.h>
#include <sys/syscall.h>

#include "harness/record/preload/calls/handlers.h"
#include "harness/record/preload/core/descriptors.h"
#include "harness/record/preload/core/gate.h"
#include "harness/record/preload/core/object.h"
#include "harness/record/preload/core/session.h"
#include "harness/record/preload/core/user_memory.h"

namespace everycrash::preload {

namespace {

bool asks_for_lock(const Call& call) {
  if (call.number == SYS_flock) return (call.arguments[1] & (LOCK_SH | LOCK_EX)) != 0;
  struct flock lock;
  return copy_from_user(&lock, call.pointer<void>(2), sizeof lock) && lock.l_type != F_UNLCK;
}

}  // namespace

long stand_before_lock(const Call& call) {
  Object object;
  if (!keeps_to_gates(*session.header) || !asks_for_lock(call)) return kNotOurs;
  if (!look_at_descriptor(call.descriptor(0), call.status, object)) return kNotOurs;
  if (object.place != Place::kState) return kNotOurs;
  if (gate_is_closed(*session.header)) return kGateQuestion;
  format::RecordHeader record = {};
  record.kind = static_cast<uint16_t>(format::Kind::kLock);
  record.call = static_cast<uint16_t>(call.number);
  record.inode = object.inode();
  append(record, object.path.text(), Text{}, Payload{});
  return kNotOurs;  // it may wait, which must not be done here
}

long answer_control(const Call& call) {
  if (call.arguments[1] != F_SETFL) return stand_before_lock(call);
  forget_descriptor(call.descriptor(0));
  return kNotOurs;
}

}  // namespace everycrash::preload
