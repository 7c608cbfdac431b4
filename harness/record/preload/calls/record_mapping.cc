// mmap, mprotect, mremap and msync of state files; mappings.h says how writes through them are
// seen.

#include <sys/mman.h>

#include "harness/record/preload/calls/handlers.h"
#include "harness/record/preload/calls/mappings.h"
#include "harness/record/preload/calls/recording.h"
#include "harness/record/preload/core/descriptors.h"
#include "harness/record/preload/core/object.h"

namespace everycrash::preload {

namespace {

bool is_error(long result) {
  return result < 0 && result > -4096;
}

void cannot_watch(const Call& call, Text about) {
  append_unsupported(format::Unsupported::kSharedMapping, about, static_cast<int>(call.number));
}

}  // namespace

long record_map(const Call& call) {
  int descriptor = call.descriptor(4);
  Object object;
  if (!look_at_descriptor(descriptor, object) || !object.in_state()) return kNotOurs;
  if (!S_ISREG(object.status.st_mode) || !can_write(descriptor)) return kNotOurs;
  record_mapped_changes();
  long result = call.make();
  if (is_error(result)) return result;
  bool writable = (call.arguments[2] & PROT_WRITE) != 0;
  MappedRange range = {static_cast<uintptr_t>(result), static_cast<size_t>(call.arguments[1]),
                       descriptor, call.arguments[5], writable};
  if (!watch_mapping(range, object)) cannot_watch(call, object.path.text());
  return result;
}

long record_protect(const Call& call) {
  Text about;
  if (!mapping_became_writable(static_cast<uintptr_t>(call.arguments[0]),
                               static_cast<size_t>(call.arguments[1]), &about)) {
    cannot_watch(call, about);
  }
  return kNotOurs;
}

long record_move(const Call& call) {
  uint64_t inode = 0;
  int64_t offset = 0;
  Text path;
  auto from = static_cast<uintptr_t>(call.arguments[0]);
  if (!find_mapping(from, &inode, &offset, &path)) return kNotOurs;
  record_mapped_changes();
  long result = call.make();
  if (is_error(result)) return result;
  if (!mapping_moved(from, static_cast<uintptr_t>(result), static_cast<size_t>(call.arguments[2]),
                     &path)) {
    cannot_watch(call, path);
  }
  return result;
}

long record_map_sync(const Call& call) {
  uint64_t inode = 0;
  int64_t offset = 0;
  Text path;
  if (!find_mapping(static_cast<uintptr_t>(call.arguments[0]), &inode, &offset, &path)) {
    return kNotOurs;
  }
  Recording recording(format::Kind::kMapSync, call, path);
  format::RecordHeader& record = recording.record();
  record.inode = inode;
  record.offset = offset;
  record.length = call.arguments[1];
  record.mode = static_cast<uint32_t>(call.arguments[2]);
  Call harmless = call;
  if (harmless.arguments[2] == MS_SYNC) harmless.arguments[2] = MS_ASYNC;  // which does nothing
  recording.make_or_lose(harmless);
  return recording.finish();
}

}  // namespace everycrash::preload
