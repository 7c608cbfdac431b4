// Shared mappings of state files, through which a program writes without any call.

#include <sys/mman.h>

#include "harness/record/preload/descriptors.h"
#include "harness/record/preload/handlers.h"
#include "harness/record/preload/object.h"
#include "harness/record/preload/recording.h"

namespace everycrash::preload {

long record_map(const Call& call) {
  int descriptor = call.descriptor(4);
  Object object;
  if (!look_at_descriptor(descriptor, object) || !object.in_state()) return kNotOurs;
  bool writable = (call.arguments[2] & PROT_WRITE) != 0 || can_write(descriptor);
  if (!writable || !S_ISREG(object.status.st_mode)) return kNotOurs;
  append_unsupported(format::Unsupported::kSharedMapping, object.path.text(),
                     static_cast<int>(call.number));
  return kNotOurs;
}

}  // namespace everycrash::preload
