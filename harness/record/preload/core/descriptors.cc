#include "harness/record/preload/core/descriptors.h"

#include <fcntl.h>
#include <sys/syscall.h>

#include "harness/record/preload/core/raw_call.h"
#include "harness/trace/format.h"

namespace everycrash::preload {

uint32_t flags_of_descriptor(int descriptor) {
  long open_flags = raw_call(SYS_fcntl, descriptor, F_GETFL);
  if (open_flags < 0) return 0;
  uint32_t flags = 0;
  if ((open_flags & O_APPEND) != 0) flags |= format::kAppend;
  if ((open_flags & O_DIRECT) != 0) flags |= format::kDirect;
  if ((open_flags & O_SYNC) == O_SYNC) {
    flags |= format::kSyncWrite;
  } else if ((open_flags & O_DSYNC) != 0) {
    flags |= format::kDataSyncWrite;
  }
  return flags;
}

bool can_write(int descriptor) {
  long open_flags = raw_call(SYS_fcntl, descriptor, F_GETFL);
  return open_flags >= 0 && (open_flags & O_PATH) == 0 && (open_flags & O_ACCMODE) != O_RDONLY;
}

}  // namespace everycrash::preload
